// Registration of an individual, a third party or an organiser.

import { call } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { placeField } from "../web/place-field.js";
import { language } from "../web/words.js";
import { given } from "./consent-checks.js";
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

const who = form.elements.who;
/** Whoever fills in the form: the fields of a helper, and the consents where they are this reader's to give. */
function showHelper() {
  for (const name of ["relative", "parent"]) {
    const fields = find(`#${name}`);
    fields.hidden = who.value !== name;
    fields.disabled = fields.hidden;
  }
  find("#person-title").hidden = who.value === "self";
  find("#consents").hidden = who.value === "relative";
}
if (who) {
  who.addEventListener("change", showHelper);
  showHelper();
}

const upper = (object, member) => object?.[member] && (object[member] = object[member].toUpperCase());

handle(form, "register", async ({ accepts, who: helper, consents, ...values }) => {
  const body = { ...values, language, terms_version: accepts };
  if (form.dataset.path === "individuals") {
    upper(body, "fiscal_code");
    upper(body.parent, "fiscal_code");
    body.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (helper !== "relative") body.consents = given(consents);
  }
  await register(body);
  markNew();
  form.hidden = true;
  find("#done").hidden = false;
  find("#done").focus();
});
