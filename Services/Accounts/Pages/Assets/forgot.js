// Asking for a link to choose a new password with.

import { call } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";

const form = find("#forgot");

handle(form, "forgot", async (values) => {
  await call("/accounts/v1/password-resets", { method: "POST", body: values });
  form.hidden = true;
  find("#done").hidden = false;
  find("#done").focus();
});
