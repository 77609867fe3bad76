// Copying what has to be taken elsewhere exactly.

import { element } from "./dom.js";
import { t } from "./words.js";

/** A button that copies the text of `source`; where the browser does not let it, the text is selected instead. Both are told. */
export function copyButton(source) {
  const told = element("span", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      told.textContent = t("copy.done");
    } catch {
      getSelection().selectAllChildren(source);
      told.textContent = t("copy.selected");
    }
  };
  return element("p", { class: "acts" },
    element("button", { type: "button", class: "second", onclick: copy }, t("copy.act")), told);
}
