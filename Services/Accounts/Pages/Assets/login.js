// Log-in. The way back is in the fragment (#to=/today), which is never sent or logged; only pages of this origin are followed.

import { call, kind, logIn, Refused } from "../web/api.js";
import { find, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { t } from "../web/words.js";

const first = { individual: "/today", "third-party": "/data-requests", organiser: "/runs" };

function wayBack(account) {
  const to = new URLSearchParams(location.hash.slice(1)).get("to") ?? "";
  const address = URL.canParse(to, location.origin) ? new URL(to, location.origin) : null;
  // The whole address: the path alone could begin with two slashes, which is another site's.
  return address?.origin === location.origin && to.startsWith("/") ? address.href : first[account] ?? "/";
}

const form = find("#login");
let termsVersion;

handle(form, "login", async (values) => {
  if (termsVersion && !find("#accepts").checked) {
    find("#accepts").focus();
    return notice(t("login.fault.terms-not-accepted"), "bad");
  }
  try {
    const account = await logIn({ ...values, ...(termsVersion ? { terms_version: termsVersion } : {}) });
    location.assign(wayBack(account));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "wrong-credentials") {
      find("#kind-field").hidden = form.elements.login.value.indexOf("@") < 0;
      mark(form, "password", t("login.fault.wrong-credentials"));
      form.elements.password.focus();
      return;
    }
    if (error.code === "not-confirmed") {
      find("#again").hidden = false;
      find("#again-email").value = form.elements.login.value.includes("@") ? form.elements.login.value : "";
    }
    if (error.code === "terms-not-accepted") {
      const terms = await (await call("/accounts/v1/terms")).json();
      termsVersion = (terms[(values.kind ?? kind() ?? "individual").replace("-", "_")] ?? terms.individual).version;
      find("#terms-field").hidden = false;
    }
    throw error;
  }
});

handle(find("#again"), "login", async (values) => {
  await call("/accounts/v1/confirmations", { method: "POST", body: values });
  notice(t("login.sent_again"), "good");
});
