// Sharing an address: through the system where it can, else by the clipboard.

import { notice, told } from "../web/dom.js";
import { t } from "../web/words.js";

/** Has `button` share what `address()` returns. */
export function sharing(button, title, address) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const url = address();
    // Pages that are not served safely have neither.
    if (!navigator.share && !navigator.clipboard) return notice(t("run.copy_yourself", { address: url }));
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      return notice(t("run.copied"), "good");
    } catch (error) {
      // The reader has closed the system's dialogue.
      if (error.name === "AbortError") return undefined;
      if (error.name === "NotAllowedError") return notice(t("run.copy_yourself", { address: url }));
      return told(error);
    }
  });
}
