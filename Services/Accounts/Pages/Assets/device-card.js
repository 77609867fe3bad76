// A device: when it was there last, its name and what it provides, which can be changed, and the way to remove it.

import { call } from "../web/api.js";
import { element } from "../web/dom.js";
import { handle } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { ago, date, t } from "../web/words.js";

/** The card of a device; `changed(words)` is called after a change. */
export function deviceCard(device, changed) {
  const { device_id: id, name, data_types: provided, offered_types: offered, seen_at: seen, replaced_at: replaced,
    application_name: application } = device;
  const types = offered.filter((type) => provided.includes(type)).map((type) => t(`types.${type}`)).join(", ");
  return element("li", { class: "card" },
    element("h3", {}, name),
    element("p", {}, seen ? t("devices.seen", { when: ago(seen) }) : t("devices.never_seen")),
    element("p", { class: "quiet" }, types || t("devices.provides_nothing")),
    application ? element("p", { class: "quiet" }, t("devices.application", { name: application })) : null,
    replaced ? element("p", { class: "quiet" }, t("devices.replaced", { when: date(replaced) })) : null,
    element("details", {}, element("summary", {}, t("devices.change")), changing(device, changed)),
    twoTouches({
      ask: t("devices.remove"), sure: t("devices.sure_remove"), keep: t("devices.keep"), what: t("devices.sure", { name }),
    }, (button) => busy(button, async () => {
      await call(`/accounts/v1/devices/${id}`, { method: "DELETE" });
      await changed(t("devices.removed", { name }));
    })));
}

function changing({ device_id: id, name, data_types: provided, offered_types: offered }, changed) {
  const boxes = offered.map((type) => {
    const field = element("input", { type: "checkbox", id: `${id}-${type}`, value: type });
    field.checked = provided.includes(type);
    return field;
  });
  const typed = element("input", { id: `${id}-name`, name: "name", required: "", maxlength: 80, value: name });
  const form = element("form", { method: "post" },
    element("div", { class: "field" }, element("label", { for: typed.id }, t("devices.name")), typed),
    element("fieldset", {}, element("legend", {}, t("devices.provides")), ...boxes.map((box) => element("div", { class: "check" },
      box, element("label", { for: box.id }, t(`types.${box.value}`))))),
    element("p", { class: "acts" }, element("button", { type: "submit", class: "second" }, t("devices.save"))));
  handle(form, "devices", async (values) => {
    const body = { name: values.name, data_types: boxes.filter(({ checked }) => checked).map(({ value }) => value) };
    await call(`/accounts/v1/devices/${id}`, { method: "PATCH", body });
    await changed(t("devices.saved"));
  });
  return form;
}
