// Registration of an individual, a third party or an organiser.

import { call } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { language } from "../web/words.js";
import { markNew } from "./start.js";

const form = find("#register");

handle(form, "register", async ({ accepts, ...values }) => {
  const body = { ...values, language, terms_version: accepts };
  if (form.dataset.path === "individuals") {
    body.fiscal_code = body.fiscal_code.toUpperCase();
    body.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
  await call(`/accounts/v1/${form.dataset.path}`, { method: "POST", body });
  markNew();
  form.hidden = true;
  find("#done").hidden = false;
  find("#done").focus();
});
