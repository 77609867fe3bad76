// Log-in. The way back is in the fragment (#to=/today), which is never sent or logged; only pages of this origin are followed.

import { json, kind, logIn, Refused } from "../web/api.js";
import { find, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { t } from "../web/words.js";
import { given } from "./consent-checks.js";
import { offer } from "./send-again.js";
import { firstPage, isNew } from "./start.js";
import { hasPasskeys, isCancelled, signWithPasskey } from "./webauthn.js";

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
/** What a passkey has to sign, once; and whether that was asked for instead of a code. */
let request;
let usesPasskey = false;

find("#use-passkey").addEventListener("click", () => {
  usesPasskey = true;
  // The form's handler reads it before this returns.
  form.requestSubmit();
  usesPasskey = false;
});

/** Logs in with a passkey, after a fresh challenge where the last one is used. */
async function logInWithPasskey({ code, ...body }) {
  let asked = request;
  request = null;
  if (!asked) {
    try {
      return await logIn(body);
    } catch (error) {
      if (!error.passkey) throw error;
      asked = error.passkey;
    }
  }
  return logIn({ ...body, passkey: await signWithPasskey(asked) });
}

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
    const enter = usesPasskey ? logInWithPasskey : logIn;
    location.assign(wayBack(await enter({ ...values, ...agreed })));
  } catch (error) {
    if (isCancelled(error)) {
      notice(t("login.passkey_cancelled"), "bad");
      return;
    }
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
      request = error.passkey;
      if (request && hasPasskeys()) {
        find("#passkey-field").hidden = false;
        find("#use-passkey").focus();
        notice(t("login.passkey_needed"), "bad");
        return;
      }
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
