// The own passkeys: adding one with this browser, which there are, removing one.

import { call, json } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { date, t } from "../web/words.js";
import { showFactor, tellCodes } from "./second-factor.js";
import { createPasskey, hasPasskeys, isCancelled } from "./webauthn.js";

const place = "/accounts/v1/me/passkeys";

/** `changed` is called after other sessions may have ended. */
export async function showPasskeys(changed) {
  find("#passkey-adding").hidden = !hasPasskeys();
  find("#passkey-missing").hidden = hasPasskeys();
  handle(find("#passkey-adding"), "passkeys", async ({ name, password }, form) => {
    const options = await json(`${place}/challenges`, { method: "POST", body: { password } });
    let made;
    try {
      made = await createPasskey(options);
    } catch (error) {
      if (!isCancelled(error)) throw error;
      return notice(t("passkeys.cancelled"), "bad");
    }
    const { recovery_codes: codes } = await json(place, { method: "POST", body: { name, ...made } });
    form.reset();
    await Promise.all([show(), showFactor(), changed()]);
    if (codes) tellCodes(codes);
    return notice(t("passkeys.added", { name }), "good");
  });
  handle(find("#passkey-removing"), "passkeys", async ({ passkey, password }, form) => {
    await call(`${place}/${passkey}/removal`, { method: "POST", body: { password } });
    form.reset();
    find("#passkey-remove").open = false;
    find("#recovery").hidden = true;
    await Promise.all([show(), showFactor()]);
    notice(t("passkeys.removed"), "good");
  });
  await show();
}

async function show() {
  const { passkeys } = await json(place);
  find("#passkey-none").hidden = passkeys.length > 0;
  find("#passkey-remove").hidden = passkeys.length === 0;
  find("#passkey-list").replaceChildren(...passkeys.map(({ name, created_at: since, used_at: used }) => element("li", {},
    `${name}: ${t("passkeys.since", { since: date(since) })}${used ? ` ${t("passkeys.used", { used: date(used) })}` : ""}`)));
  find("#passkey-chosen").replaceChildren(...passkeys.map(({ id, name }) => element("option", { value: id }, name)));
}
