// The limits beyond which a state is critical: those that hold, those proposed from the own history, and own ones set with a doctor.

import { call, jsonIfThere, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark, tellRefusal } from "../web/form.js";
import { busy, twoTouches } from "../web/touches.js";
import { date, hasWord, number, t } from "../web/words.js";
import { fields, fill, limitsOf } from "./sos-limits-fields.js";

const path = "/dispatcher/v1/me/thresholds";
const unit = (type, code) => (hasWord(`units.${type}`) ? t(`units.${type}`) : code);
const value = (limit, own) => (limit === undefined ? t("sos-limits.no_limit") : `${number(limit, 1)} ${own}`);
const refused = (error) => (error instanceof Refused ? tellRefusal("sos-limits", error) : told(error));

async function look() {
  find("#unread").hidden = true;
  try {
    show(await jsonIfThere(path, "not-enrolled"));
  } catch (error) {
    find("#unread").hidden = false;
    told(error);
  }
}

function show(known) {
  find("#not-enrolled").hidden = known !== null;
  find("#limits").hidden = known === null;
  if (known === null) return;
  const { own, changed_at: changed, in_force: inForce, safe, proposal, proposed_at: proposed } = known;
  const doctor = own?.doctor?.name;
  const units = Object.fromEntries(inForce.map(({ type, unit: code }) => [type, unit(type, code)]));
  find("#in-force").replaceChildren(...inForce.map(({ type, low, high, set_by: by, concerns }) => element("tr", {},
    element("th", { scope: "row" }, t(`types.${type}`)), element("td", { class: "number" }, value(low, units[type])),
    element("td", { class: "number" }, value(high, units[type])), element("td", {}, t(`sos-limits.by.${by}`, { doctor: doctor ?? "" })),
    element("td", {}, t(`sos-limits.calls.${concerns}`)))));
  find("#whose").textContent = own
    ? t(doctor ? "sos-limits.own_doctor" : "sos-limits.own_proposal", { doctor: doctor ?? "", date: date(changed) }) : t("sos-limits.own_none");
  find("#remove").replaceChildren(...(own ? [removal()] : []));
  showProposal(proposal, proposed, units);
  fields(safe);
  fill(own);
}

const removal = () => twoTouches(
  { ask: t("sos-limits.remove"), sure: t("sos-limits.remove_sure"), keep: t("sos-limits.keep") },
  (button) => busy(button, async () => {
    await call(path, { method: "DELETE" });
    await look();
    notice(t("sos-limits.removed"), "good");
  }, refused));

function showProposal(proposal, proposed, units) {
  find("#proposal").hidden = !proposal;
  find("#take").replaceChildren(...(proposal ? [taking()] : []));
  if (!proposal) return;
  const { thresholds, days, basis } = proposal;
  find("#proposed").textContent = t("sos-limits.proposed", { date: date(proposed), days: number(days) });
  find("#basis").replaceChildren(...basis.map(({ type, low, median, high }) => {
    const limits = thresholds[type.replaceAll("-", "_")] ?? {};
    return element("tr", {}, element("th", { scope: "row" }, t(`types.${type}`)),
      element("td", {}, t("sos-limits.measured", { low: number(low), median: number(median), high: number(high) })),
      element("td", { class: "number" }, value(limits.low, units[type] ?? "")), element("td", { class: "number" }, value(limits.high, units[type] ?? "")));
  }));
}

const taking = () => twoTouches(
  { ask: t("sos-limits.take"), sure: t("sos-limits.take_sure"), keep: t("sos-limits.keep"), what: t("sos-limits.take_what") },
  (button) => busy(button, () => set({ take_proposal: true }), refused));

async function set(body) {
  await call(path, { method: "PUT", body });
  await look();
  notice(t("sos-limits.set"), "good");
}

if (requireSession()) {
  find("#again").addEventListener("click", look);
  find("#propose").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await call(`${path}/proposal`, { method: "POST" });
    await look();
  }, refused));
  handle(find("#own"), "sos-limits", (typed, form) => {
    const body = limitsOf(typed, form);
    // The second scale has limits of its own.
    if (!body.saturation_scale || !body.oxygen_saturation) return set(body);
    mark(form, "oxygen_saturation.low", t("sos-limits.not_both")).focus();
    return notice(t("problem.fields"), "bad");
  });
  await look();
}
