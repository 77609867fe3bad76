// Elements made without HTML from strings, so that what people have typed stays text.

import { t } from "./words.js";

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

let focused = null;
document.addEventListener("focusin", ({ target }) => (focused = target));

/** A notice that can be closed; the focus goes back to where it was. `kind`: "", "good" or "bad". */
export function closable(kind, ...content) {
  const before = focused;
  const made = element("p", { class: `notice ${kind}`, tabindex: -1 }, element("span", {}, ...content), element("button", {
    type: "button", class: "plain close", "aria-label": t("frame.close"), onclick: () => {
      (before?.isConnected && !made.contains(before) ? before : find("#main")).focus({ preventScroll: true });
      made.remove();
    },
  }, "×"));
  return made;
}

/**
 * Replaces the notice above the page's content, which stays in sight; screen readers are told. It gets the focus when what had
 * it is no longer there, so that nobody who uses the keyboard begins anew. Returns it.
 */
export function notice(content, kind = "") {
  const box = find("#notices");
  box.replaceChildren();
  if (!content) return null;
  const made = closable(kind, content);
  box.append(made);
  const isLost = focused !== null && document.activeElement === document.body && (!focused.isConnected || focused.closest("[hidden]"));
  if (isLost) made.focus({ preventScroll: true });
  return made;
}

/** Tells the reader in words what failed: `Refused` has them. Returns the notice. */
export const told = (error) => notice(error.words ?? String(error), "bad");

/** Reads a colour of the page's theme, by its name in style.css, for what is drawn on a canvas. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(name).trim();
}
