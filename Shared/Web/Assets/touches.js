// What cannot be taken back takes two touches: a second button comes in the place of the first, and a third leaves all as it
// is.

import { element } from "./dom.js";

/** A paragraph with the button `ask`; pressed, it gives way to `sure`, which does `act(button)`, and `keep`. */
export function twoTouches({ ask, sure, keep }, act) {
  const acts = element("p", { class: "acts" });
  const first = element("button", { type: "button", class: "second" }, ask);
  first.addEventListener("click", () => {
    const second = element("button", { type: "button", onclick: ({ currentTarget }) => act(currentTarget) }, sure);
    acts.replaceChildren(second, element("button", {
      type: "button", class: "second", onclick: () => (acts.replaceChildren(first), first.focus()),
    }, keep));
    second.focus();
  });
  acts.append(first);
  return acts;
}
