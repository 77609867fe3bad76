// What every page has around its content: the menu, log-out, language, light and dark; and what there is to tell of the
// session and of the network.

import {
  endLogOut, isForAccounts, isLoggedIn, keepSession, logInPath, logOut, Refused, session,
} from "./api.js";
import { closable, element, find, findAll, notice, told } from "./dom.js";
import { deleteSeen, keepSeen } from "./seen.js";
import { datetime, t } from "./words.js";

// --- The menu ---

const [button, ways, top] = [find(".menu-button"), find("#ways"), find(".top")];
const isNarrow = matchMedia("(max-width: 40rem)");
button.hidden = !isNarrow.matches;
isNarrow.addEventListener("change", ({ matches }) => (button.hidden = !matches));
top.classList.add("folds");

function unfold(isOpen) {
  ways.classList.toggle("open", isOpen);
  button.setAttribute("aria-expanded", String(isOpen));
}
button.addEventListener("click", () => unfold(!ways.classList.contains("open")));
top.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !ways.classList.contains("open")) return;
  unfold(false);
  button.focus();
});

for (const link of findAll("nav a", top)) {
  const path = link.getAttribute("href");
  if (location.pathname === path) link.setAttribute("aria-current", "page");
  else if (location.pathname.startsWith(`${path}/`)) link.setAttribute("aria-current", "true");
}

find('[data-act="log-out"]')?.addEventListener("click", () => logOut().catch(told));

// Back to what the page shows by now. What follows the # is not sent: browsers keep it when they are sent on.
const language = find('a[href^="/language"]');
language.addEventListener("click", (event) => {
  if (hasTyped() && !confirm(t("frame.typed_goes"))) return event.preventDefault();
  const address = new URL(language.href);
  address.searchParams.set("from", location.pathname + location.search);
  address.hash = location.hash;
  language.href = address.href;
  return undefined;
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

// --- What stays to be told, below the menu ---

const standing = find("#standing");
const say = (kind, text, act) => standing.replaceChildren(closable(kind, text, " ", act));
const again = (text) => element("button", { type: "button", class: "plain", onclick: () => location.reload() }, text);

// --- The session ---

/** Whose page this is; it stays that account's, whatever happens in other tabs. */
const account = localStorage.getItem("account");

const typed = new Set();
document.addEventListener("input", ({ target }) => {
  typed.add(target);
  keepSession();
});
const isTyped = ({ type, value, checked, defaultChecked }) =>
  (type === "checkbox" || type === "radio" ? checked !== defaultChecked : value !== "");
const hasTyped = () => [...typed].some((field) => field.isConnected && isTyped(field));
// What was sent is not lost.
document.addEventListener("sent", ({ target }) => typed.forEach((field) => target.contains(field) && typed.delete(field)));

session.addEventListener("out", () => {
  sessionStorage.clear();
  if (account) location.replace("/login");
});
let hasEnded = false;
session.addEventListener("ended", () => {
  hasEnded = true;
  if (hasTyped()) {
    say("bad", t("frame.session_ended"), element("a", { href: logInPath(), target: "_blank" }, t("frame.log_in_beside")));
  } else if (isForAccounts) location.replace(logInPath());
});
session.addEventListener("in", ({ detail }) => {
  if (!account) return;
  if (detail !== account) location.replace("/");
  else if (hasEnded) {
    hasEnded = false;
    say("good", t("frame.session_back"));
    notice("");
  }
});
// A page that the browser has kept as it was, from before a log-out or log-in.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && localStorage.getItem("account") !== account) location.reload();
});

async function tidy() {
  try {
    await endLogOut();
  } catch (error) {
    // Without network it is tried again with the next page.
    if (!(error instanceof Refused)) throw error;
  }
  await (isLoggedIn() ? keepSeen(isLoggedIn) : deleteSeen());
}
tidy();

// --- The network ---

let oldest;
function showSeen(time) {
  if (oldest !== undefined && oldest <= time) return;
  oldest = time;
  say("", t("frame.seen", { when: datetime(time) }), again(t("problem.retry")));
}
session.addEventListener("seen", ({ detail }) => showSeen(detail));
if (document.documentElement.dataset.seenAt) showSeen(document.documentElement.dataset.seenAt);
// A network that has come back is waited for a little: it may go again, and the reader may be on the way to another page.
addEventListener("online", () => setTimeout(() => {
  if (navigator.onLine && oldest !== undefined && !hasTyped()) location.reload();
}, 1000));

// --- What the service worker tells: a push message is about this page, which was open before it came ---

function showNews() {
  if (hasTyped()) say("", t("frame.news"), again(t("frame.show_news")));
  else location.reload();
}
navigator.serviceWorker?.addEventListener("message", ({ data }) => data === "news" && showNews());
// Pages tell so what has changed so much that they begin anew.
document.addEventListener("outdated", showNews);

const worker = "/service-worker.js";
const address = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => worker }).createScriptURL("") ?? worker;
navigator.serviceWorker?.register(address).catch((error) => console.warn(`nothing can be read without network: ${error}`));

if (localStorage.getItem("push")) {
  import("./push.js").then(({ keepSubscribed }) => keepSubscribed()).catch((error) => console.warn(`push messages do not come: ${error}`));
}
