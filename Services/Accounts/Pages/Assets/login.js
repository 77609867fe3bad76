// Log-in. The way back is in the fragment (#to=/today), which is never sent or logged; only pages of this origin are followed.

import { json, kind, logIn, Refused } from "../web/api.js";
import { find, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { t } from "../web/words.js";
import { given } from "./consent-checks.js";
import { offer } from "./send-again.js";
import { firstPage, isNew } from "./start.js";

function wayBack(account) {
  const to = new URLSearchParams(location.hash.slice(1)).get("to") ?? "";
  const address = URL.canParse(to, location.origin) ? new URL(to, location.origin) : null;
  // The whole address: the path alone could begin with two slashes, which is another site's.
  if (address?.origin === location.origin && to.startsWith("/")) return address.href;
  return isNew() ? "/tour" : firstPage(account);
}

const form = find("#login");
/** The terms in force, once it is known that new ones have to be accepted. */
let terms;

handle(form, "login", async ({ consents, ...values }) => {
  if (terms && !find("#accepts").checked) {
    mark(form, "accepts", t("login.fault.accepts"));
    find("#accepts").focus();
    return;
  }
  // Where an address may be a company's the form asks for the kind.
  const version = terms?.[(values.kind ?? kind() ?? "individual").replace("-", "_")].version;
  const agreed = {
    ...(version ? { terms_version: version } : {}), ...(find("#consents").disabled ? {} : { consents: given(consents) }),
  };
  try {
    location.assign(wayBack(await logIn({ ...values, ...agreed })));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isAddress = values.login.includes("@");
    if (error.code === "wrong-credentials") {
      find("#kind-field").hidden = !isAddress;
      mark(form, "password", t("login.fault.wrong-credentials"));
      form.elements.password.focus();
      return;
    }
    if (error.code === "second-factor-needed") {
      find("#code-field").hidden = false;
      form.elements.code.focus();
    }
    if (error.code === "not-confirmed") offer(isAddress ? values.login : "");
    if (error.code === "terms-not-accepted" || error.code === "consent-needed") {
      terms = await json("/accounts/v1/terms");
      find("#terms-field").hidden = false;
      find("#kind-field").hidden = !isAddress || error.code === "consent-needed";
    }
    if (error.code === "consent-needed") {
      find("#consents").hidden = false;
      find("#consents").disabled = false;
    }
    throw error;
  }
});
