// The form that has the link for confirming sent again.

import { call } from "../web/api.js";
import { find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { t } from "../web/words.js";

const form = find("#again");

/** Shows the form, with the address where it is known. */
export function offer(email = "") {
  form.hidden = false;
  if (email) form.elements.email.value = email;
}

handle(form, "login", async (values) => {
  await call("/accounts/v1/confirmations", { method: "POST", body: values });
  notice(t("login.sent_again"), "good");
});
