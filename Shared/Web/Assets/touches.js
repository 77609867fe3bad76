// What cannot be taken back takes two touches: a button that leaves all as it is comes in the place of the first one, so that a
// double press does nothing, and beside it the one that does it.

import { element, told } from "./dom.js";

/** Does what `button` asks for; a second press while the first is answered does nothing. `failed(error)` tells what fails. */
export async function busy(button, act, failed = told) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await act();
  } catch (error) {
    failed(error);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

let sentences = 0;

/** Replaces content in its place. At a page's end browsers would hold what is below it, and move the buttons. */
function replace(box, ...content) {
  const { style } = document.documentElement;
  style.overflowAnchor = "none";
  box.replaceChildren(...content);
  requestAnimationFrame(() => requestAnimationFrame(() => (style.overflowAnchor = "")));
}

/**
 * A group with the button `ask`; pressed, it gives way to `keep` and `sure`, which does `act(button)`, below the sentence `what`
 * if there is one.
 */
export function twoTouches({ ask, sure, keep, what }, act) {
  const acts = element("div", { class: "acts" });
  const first = element("button", { type: "button", class: "second" }, ask);
  first.addEventListener("click", () => {
    const back = element("button", {
      type: "button", class: "second", onclick: () => (replace(acts, first), first.focus({ preventScroll: true })),
    }, keep);
    const second = element("button", {
      type: "button", onclick: ({ currentTarget }) => currentTarget.getAttribute("aria-disabled") === "true" || act(currentTarget),
    }, sure);
    if (what) {
      const id = `what-${(sentences += 1)}`;
      for (const button of [back, second]) button.setAttribute("aria-describedby", id);
      replace(acts, element("p", { id }, what), back, second);
    } else replace(acts, back, second);
    back.focus({ preventScroll: true });
  });
  acts.append(first);
  return acts;
}
