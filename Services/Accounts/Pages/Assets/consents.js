// What the person consents to: each by itself, withdrawn as easily as given, with the receipts.

import { json } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { busy, twoTouches } from "../web/touches.js";
import { date, t } from "../web/words.js";

const place = "/accounts/v1/me/consents";

export async function showConsents() {
  if (find("#consents")) show(await json(place));
}

function show({ consents, emergency_calls: callsHelp, receipts }) {
  for (const card of findAll("[data-consent]")) {
    const name = card.dataset.consent;
    const isGiven = consents[name];
    const last = receipts.find(({ purpose }) => purpose === name.replace("_", "-"));
    const state = isGiven ? "given" : last ? "not_given" : "never";
    find("[data-state]", card).textContent = t(`consents.${state}`, { when: last ? date(last.recorded_at) : "" });
    find("[data-act]", card).replaceChildren(isGiven ? withdrawing(name) : element("button", {
      type: "button", class: "second", onclick: ({ currentTarget }) => busy(currentTarget, () => change(name, true)),
    }, t("consents.give")));
  }
  const last = receipts.find(({ purpose }) => purpose === "emergency-calls");
  find("#emergency-state").textContent = t(`consents.${callsHelp ? "given" : last ? "not_given" : "never"}`, { when: last ? date(last.recorded_at) : "" });
  find("#receipts").replaceChildren(...receipts.map((receipt) => element("li", {}, t("consents.receipt", {
    what: t(`consents.names.${receipt.purpose.replace("-", "_")}`), when: date(receipt.recorded_at),
    given: t(receipt.is_given ? "consents.yes" : "consents.no"), way: t(`consents.ways.${receipt.way}`),
    version: receipt.version,
  }))));
}

const withdrawing = (name) => twoTouches({
  ask: t("consents.withdraw"), sure: t("consents.sure"), keep: t("consents.keep"), what: t(`consents.what.${name}`),
}, (button) => busy(button, () => change(name, false)));

async function change(name, isGiven) {
  show(await json(place, { method: "PATCH", body: { [name]: isGiven } }));
  notice(t(isGiven ? "consents.now_given" : "consents.now_withdrawn"), "good");
}
