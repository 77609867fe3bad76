// The own devices: pairing by the six digits that a device shows, removing.

import { call, json, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { ago, t } from "../web/words.js";

async function show() {
  const { devices } = await json("/accounts/v1/devices");
  find("#none").hidden = devices.length > 0;
  find("#devices").replaceChildren(...devices.map((device) => element("li", { class: "card" },
    element("h3", {}, device.name),
    element("p", {}, device.seen_at ? t("devices.seen", { when: ago(device.seen_at) }) : t("devices.never_seen")),
    element("p", { class: "quiet" }, device.data_types.map((type) => t(`types.${type}`)).join(", ")),
    element("button", { type: "button", class: "second", onclick: () => remove(device) }, t("devices.remove")))));
}

async function remove({ device_id: id, name }) {
  if (!confirm(t("devices.sure", { name }))) return;
  try {
    await call(`/accounts/v1/devices/${id}`, { method: "DELETE" });
    await show();
    notice(t("devices.removed", { name }), "good");
  } catch (error) {
    told(error);
  }
}

if (requireSession()) {
  handle(find("#pair"), "devices", async ({ code }, form) => {
    let device;
    try {
      device = await json("/accounts/v1/devices", { method: "POST", body: { code: code.replaceAll(/\D/g, "") } });
    } catch (error) {
      if (error.code !== "unknown-code") throw error;
      mark(form, "code", t("devices.fault.unknown-code")).focus();
      return notice(t("problem.fields"), "bad");
    }
    form.reset();
    await show();
    return notice(t("devices.paired", { name: device.name }), "good");
  });
  await show().catch(told);
}
