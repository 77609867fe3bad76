// The language and the theme are chosen before the words are loaded. The cookies are those of the pages for people.

const cookie = (name, values) => new RegExp(`(?:^|; )${name}=(${values})(?:;|$)`).exec(document.cookie)?.[1];
const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "it" || tag === "en");

const root = document.documentElement;
root.lang = cookie("language", "it|en") ?? preferred ?? "it";
const theme = cookie("theme", "light|dark");
if (theme) root.dataset.theme = theme;

await import(root.dataset.page);
