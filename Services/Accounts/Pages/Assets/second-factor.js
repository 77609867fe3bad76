// The second factor of log-ins: the codes of an authenticator app, and codes for the day it is lost.

import { json, call } from "../web/api.js";
import { copyButton } from "../web/copy.js";
import { find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { date, t } from "../web/words.js";
import { picture } from "../web/qr-code.js";

const place = "/accounts/v1/me/second-factor";

/** `changed` is called after other sessions have ended. */
export async function showSecondFactor(changed) {
  handle(find("#factor-begin"), "factor", async ({ password }, form) => {
    const { secret, uri } = await json(place, { method: "POST", body: { password } });
    form.reset();
    form.hidden = true;
    find("#factor-picture").replaceChildren(await picture(uri, t("factor.picture")));
    find("#factor-uri").href = uri;
    find("#factor-secret").textContent = secret.replace(/(.{4})(?=.)/g, "$1 ");
    find("#factor-activate").hidden = false;
    find("#factor-code").focus();
  });
  handle(find("#factor-activate"), "factor", async ({ code }, form) => {
    const codes = await json(`${place}/activation`, { method: "POST", body: { code } });
    form.reset();
    form.hidden = true;
    // The secret is to be seen nowhere any more.
    find("#factor-picture").replaceChildren();
    find("#factor-secret").textContent = "";
    find("#factor-uri").removeAttribute("href");
    await showFactor();
    await changed();
    tellCodes(codes.recovery_codes);
  });
  handle(find("#factor-renewing"), "factor", async (values, form) => {
    const codes = await json(`${place}/recovery-codes`, { method: "POST", body: values });
    form.reset();
    find("#factor-renew").open = false;
    await showFactor();
    tellCodes(codes.recovery_codes);
  });
  handle(find("#factor-removing"), "factor", async (values, form) => {
    await call(`${place}/removal`, { method: "POST", body: values });
    form.reset();
    find("#recovery").hidden = true;
    await showFactor();
    notice(t("factor.removed"), "good");
  });
  await showFactor();
}

export async function showFactor() {
  const { is_on: isOn, since, passkeys, recovery_codes_left: left } = await json(place);
  const hasPasskey = passkeys > 0;
  const state = isOn ? t("factor.on", { since: date(since) }) : t(hasPasskey ? "factor.passkey" : "factor.off");
  find("#factor-state").textContent = isOn || hasPasskey ? `${state} ${t("factor.left", { count: left })}` : state;
  find("#factor-begin").hidden = isOn;
  find("#factor-renew").hidden = !isOn && !hasPasskey;
  find("#factor-remove").hidden = !isOn;
}

/** The only time that they are told. */
export function tellCodes(codes) {
  const box = find("#recovery");
  const list = find("#recovery-codes");
  list.textContent = codes.join("\n");
  find(".acts", box)?.remove();
  box.append(copyButton(list));
  box.hidden = false;
  box.focus();
}
