// Registration of an individual, a third party or an organiser.

import { call } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { placeField } from "../web/place-field.js";
import { language } from "../web/words.js";
import { markNew } from "./start.js";

const form = find("#register");

/** Registers. Browsers may know a time zone that the service does not: it is left out then, and can be chosen later. */
async function register(body) {
  const path = `/accounts/v1/${form.dataset.path}`;
  try {
    await call(path, { method: "POST", body });
  } catch (error) {
    if (!body.zone || !error.errors?.some(({ pointer }) => pointer === "/zone")) throw error;
    await call(path, { method: "POST", body: { ...body, zone: undefined } });
  }
}

// Companies have none.
if (form.elements.residence) placeField(form.elements.residence, "residence");

handle(form, "register", async ({ accepts, ...values }) => {
  const body = { ...values, language, terms_version: accepts };
  if (form.dataset.path === "individuals") {
    body.fiscal_code = body.fiscal_code.toUpperCase();
    body.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
  await register(body);
  markNew();
  form.hidden = true;
  find("#done").hidden = false;
  find("#done").focus();
});
