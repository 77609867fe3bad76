// A webhook's secret, which is shown once: when it is made or replaced.

import { copyButton } from "../web/copy.js";
import { find } from "../web/dom.js";

export function showSecret(secret, words) {
  find("#made-text").textContent = words;
  find("#secret").textContent = secret;
  find("#made").hidden = false;
  find("#made").focus();
}

function forgetSecret() {
  find("#secret").textContent = "";
  find("#made").hidden = true;
}

/** Makes the box work. Once the secret is kept elsewhere `next` gets the focus. */
export function secretBox(next) {
  find("#copy-secret").append(copyButton(find("#secret")));
  find("#kept").addEventListener("click", () => (forgetSecret(), next.focus()));
}
