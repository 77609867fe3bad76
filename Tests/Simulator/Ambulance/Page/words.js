// The page's words, in the language that was chosen here or that the browser asks for, and elements made of text alone: what comes with a
// message was typed by people.

const known = ["it", "en"];
const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => known.includes(tag));
const chosen = localStorage.getItem("language");

export const language = known.includes(chosen) ? chosen : preferred ?? "it";
const locale = language === "en" ? "en-GB" : language;
document.documentElement.lang = language;

const answer = await fetch(`/${language}.json`);
const words = await answer.json();

const look = (key) => key.split(".").reduce((part, name) => part?.[name], words);
export const hasWord = (key) => typeof look(key) === "string";
export const t = (key, values = {}) => {
  const word = look(key);
  if (typeof word !== "string") {
    console.error(`there is no word “${key}”`);
    return key;
  }
  return word.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
};
/** The word for a code; without one the code itself, since new ones may come. */
export const named = (group, code) => (hasWord(`${group}.${code}`) ? t(`${group}.${code}`) : code);

const clocks = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
export const clock = (time) => (Number.isNaN(Date.parse(time)) ? String(time) : clocks.format(new Date(time)));
export const number = (value, decimals = 0) => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);

export function changeLanguage() {
  localStorage.setItem("language", language === "it" ? "en" : "it");
  location.reload();
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
export const find = (selector, within = document) => within.querySelector(selector);
