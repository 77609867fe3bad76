// The own devices: pairing by six digits in either direction, taking another's place, what each provides, removing.

import { json, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { t } from "../web/words.js";
import { showCollection } from "./collection.js";
import { deviceCard } from "./device-card.js";
import { offerNumber } from "./owner-number.js";

async function show() {
  const { devices } = await json("/accounts/v1/devices");
  find("#none").hidden = devices.length > 0;
  find("#devices").replaceChildren(...devices.map((device) => deviceCard(device, changed)));
  find("#replaces-field").hidden = devices.length === 0;
  find("#replaces").replaceChildren(
    element("option", { value: "" }, t("devices.replaces_none")),
    ...devices.map(({ device_id: id, name }) => element("option", { value: id }, name)));
}

async function changed(words) {
  await show();
  notice(words, "good");
}

if (requireSession()) {
  handle(find("#pair"), "devices", async ({ code, replaces }, form) => {
    let device;
    try {
      device = await json("/accounts/v1/devices", { method: "POST", body: { code: code.replaceAll(/\D/g, ""), replaces } });
    } catch (error) {
      if (error.code !== "unknown-code") throw error;
      mark(form, "code", t("devices.fault.unknown-code")).focus();
      return notice(t("problem.fields"), "bad");
    }
    form.reset();
    await show();
    return notice(t("devices.paired", { name: device.name }), "good");
  });
  offerNumber(changed);
  await Promise.all([show(), showCollection()]).catch(told);
}
