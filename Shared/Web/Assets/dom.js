// Elements made without HTML from strings, so that what people have typed stays text.

/** An element: `element("a", {href: "/"}, "text", child)`. Attributes that are null or false are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Replaces the notice above the page's content; screen readers are told. `kind`: "", "good" or "bad". */
export function notice(text, kind = "") {
  const box = find("#notices");
  box.replaceChildren();
  if (text) box.append(element("p", { class: `notice ${kind}` }, text));
}

/** Tells the reader in words what failed: `Refused` has them. */
export const told = (error) => notice(error.words ?? String(error), "bad");

/** Reads a colour of the page's theme, by its name in style.css, for what is drawn on a canvas. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}
