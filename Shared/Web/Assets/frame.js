// What every page has around its content: the menu, log-out, light and dark.

import { logOut } from "./api.js";
import { find, findAll, notice } from "./dom.js";

const [button, ways, top] = [find(".menu-button"), find("#ways"), find(".top")];
button.hidden = !matchMedia("(max-width: 40rem)").matches;
matchMedia("(max-width: 40rem)").addEventListener("change", ({ matches }) => (button.hidden = !matches));
top.classList.add("folds");
button.addEventListener("click", () => {
  const isOpen = ways.classList.toggle("open");
  button.setAttribute("aria-expanded", String(isOpen));
});

for (const link of findAll("nav a")) {
  const path = link.getAttribute("href");
  if (location.pathname === path || location.pathname.startsWith(`${path}/`)) link.setAttribute("aria-current", "page");
}

find('[data-act="log-out"]')?.addEventListener("click", async () => {
  try {
    await logOut();
  } catch (refused) {
    notice(refused.words, "bad");
  }
});

const theme = find('[data-act="theme"]');
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; Path=/; SameSite=Lax; Max-Age=31536000`;
});
