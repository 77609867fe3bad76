// What cannot be taken back takes two touches: a button that leaves all as it is comes in the place of the first one, so that a
// double press does nothing, and beside it the one that does it.

import { element } from "./dom.js";

let sentences = 0;
// At a page's end browsers would hold what is below in its place and move the buttons.
document.documentElement.style.overflowAnchor = "none";

/**
 * A group with the button `ask`; pressed, it gives way to `keep` and `sure`, which does `act(button)`, below the sentence `what`
 * if there is one.
 */
export function twoTouches({ ask, sure, keep, what }, act) {
  const acts = element("div", { class: "acts" });
  const first = element("button", { type: "button", class: "second" }, ask);
  first.addEventListener("click", () => {
    const back = element("button", {
      type: "button", class: "second", onclick: () => (acts.replaceChildren(first), first.focus()),
    }, keep);
    const second = element("button", { type: "button", onclick: ({ currentTarget }) => act(currentTarget) }, sure);
    if (what) {
      const id = `what-${(sentences += 1)}`;
      for (const button of [back, second]) button.setAttribute("aria-describedby", id);
      acts.replaceChildren(element("p", { id }, what), back, second);
    } else acts.replaceChildren(back, second);
    back.focus({ preventScroll: true });
  });
  acts.append(first);
  return acts;
}
