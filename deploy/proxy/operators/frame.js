// What the operators' pages have in common: their fixed words, the language and the theme. The cookies are those of the pages for people.

import { find, findAll } from "/web/dom.js";
import { t } from "/web/words.js";

const root = document.documentElement;
const keep = (name, value) => (document.cookie = `${name}=${value}; Path=/; SameSite=Lax; Max-Age=31536000`);

/** Shows the page. */
export function show() {
  for (const place of findAll("[data-word]")) place.textContent = t(place.dataset.word);
  for (const place of findAll("[data-name]")) place.setAttribute("aria-label", t(place.dataset.name));
  find("#language").lang = root.lang === "it" ? "en" : "it";
  document.title = `${t("title")} – TrackMe`;
  find("#page").hidden = false;
  find("#language").addEventListener("click", () => {
    keep("language", find("#language").lang);
    location.reload();
  });
  find("#theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    keep("theme", root.dataset.theme);
  });
}
