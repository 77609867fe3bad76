// “I am fine”: at once while nobody has been called; with two touches afterwards, since help would turn back.

import { element, find } from "../web/dom.js";
import { busy, twoTouches } from "../web/touches.js";
import { t } from "../web/words.js";

const box = find("#fine");
let shown;

/** Shows the button of the incident, or none without `id`; `fine(id)` says that it was a false alarm. */
export function showFine(id, isCalled, fine) {
  const key = id && `${id} ${isCalled}`;
  // Somebody is pressing it: it stays what it is until they have let go.
  if (key === shown || find(":active", box)) return;
  const isFocused = box.contains(document.activeElement);
  shown = key;
  const act = (button) => busy(button, () => fine(id));
  if (!id) box.replaceChildren();
  else if (isCalled) {
    box.replaceChildren(twoTouches({ ask: t("sos.fine"), sure: t("sos.fine_sure"), keep: t("sos.fine_keep"), what: t("sos.fine_what") }, act));
  } else {
    box.replaceChildren(element("div", { class: "acts" },
      element("button", { type: "button", onclick: ({ currentTarget }) => act(currentTarget) }, t("sos.fine"))));
  }
  if (isFocused) find("button", box)?.focus({ preventScroll: true });
}
