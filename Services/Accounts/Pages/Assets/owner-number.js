// The other way of pairing: this page shows a number, the device gets it typed in, and its owner confirms it by its name.

import { call, json } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { busy } from "../web/touches.js";
import { clock, t } from "../web/words.js";

const lookEvery = 3000;

/** `changed(words)` is called once a device is connected. */
export function offerNumber(changed) {
  find("#show-number").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    const { code, expires_at: until } = await json("/accounts/v1/pairings/numbers", { method: "POST" });
    find("#number").textContent = t("devices.number", { code: `${code.slice(0, 3)} ${code.slice(3)}`, clock: clock(until) });
    find("#asking").replaceChildren();
    look(Date.parse(until), changed);
  }));
}

let looking;

/** Looks for the device that asks, until the number has expired. */
function look(until, changed) {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    try {
      const { device } = document.hidden ? {} : await json("/accounts/v1/pairings/asking");
      if (device) return ask(device, changed);
    } catch (error) {
      told(error);
    }
    if (Date.now() < until) return look(until, changed);
    return find("#number").replaceChildren();
  }, lookEvery);
}

function ask({ pairing_id: pairing, name, data_types: types }, changed) {
  find("#number").replaceChildren();
  const end = async (act, words) => {
    await act();
    find("#asking").replaceChildren();
    await changed(words);
  };
  const question = element("h3", { tabindex: -1 }, t("devices.asks", { name }));
  find("#asking").replaceChildren(element("div", { class: "card" }, question,
    element("p", {}, t("devices.would_provide", { types: types.map((type) => t(`types.${type}`)).join(", ") })),
    element("p", { class: "acts" },
      element("button", {
        type: "button", class: "second",
        onclick: ({ currentTarget }) => busy(currentTarget, () => end(
          () => call(`/accounts/v1/pairings/${pairing}`, { method: "DELETE" }), t("devices.refused"))),
      }, t("devices.not_mine")),
      element("button", {
        type: "button",
        onclick: ({ currentTarget }) => busy(currentTarget, () => end(
          () => call("/accounts/v1/devices", { method: "POST", body: { pairing_id: pairing } }), t("devices.paired", { name }))),
      }, t("devices.mine")))));
  question.focus();
}
