// AutomatedSOS in one glance: whether somebody watches, an alarm, “I am fine”, a test call, history.

import { call, json, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { ago, datetime, t } from "../web/words.js";

const api = "/dispatcher/v1";
let alarm;

/** The text of the state, replaced only when it changes, so that screen readers say it once. */
function setState(kind, text) {
  const box = find("#state");
  box.dataset.kind = kind;
  if (box.textContent !== text) box.textContent = text;
}

async function show() {
  let monitor;
  try {
    monitor = await json(`${api}/monitor`);
  } catch (error) {
    if (error.code !== "not-enrolled") throw error;
    setState("none", t("sos.not_enrolled"));
    find("#not-enrolled").hidden = false;
    find("#enrolled").hidden = true;
    find("#alarm").hidden = true;
    return false;
  }
  const { incidents } = await json(`${api}/incidents`);
  alarm = incidents.find(({ state }) => state !== "closed");
  find("#not-enrolled").hidden = true;
  find("#enrolled").hidden = false;
  find("#alarm").hidden = alarm === undefined || alarm.is_exercise;
  if (alarm) setState("alarm", t(alarm.is_exercise ? "sos.exercise_on" : `sos.alarm.${alarm.state}`));
  else setState(monitor.phase, t(`sos.phase.${monitor.phase}`, { when: ago(monitor.last_vital_at) }));
  find("#none").hidden = incidents.length > 0;
  find("#incidents").replaceChildren(...incidents.map((incident) => element("li", { class: "card" },
    element("h3", {}, datetime(incident.opened_at)),
    element("p", {}, incident.is_exercise ? t("sos.was_exercise") : (incident.causes ?? []).map(({ type }) => t(`types.${type}`)).join(", ")),
    element("p", { class: "quiet" }, t(incident.outcome ? `sos.outcome.${incident.outcome}` : `sos.alarm.${incident.state}`)))));
  return true;
}

async function act(path, options, words) {
  try {
    await call(`${api}/${path}`, options);
    notice(t(words), "good");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const key = { "incident-closed": "sos.closed", "exercise-under-way": "sos.exercise_on" }[error.code];
    notice(key ? t(key) : error.words, "bad");
  }
  await show().catch(told);
}

if (requireSession()) {
  find("#fine").addEventListener("click", () => act(`incidents/${alarm.id}/false-alarm`, { method: "POST" }, "sos.told_fine"));
  find("#exercise").addEventListener("click", () => act("exercise", { method: "POST" }, "sos.exercise_begun"));
  find("#leave").addEventListener("click", () => confirm(t("sos.sure")) && act("enrolment", { method: "DELETE" }, "sos.left"));
  await show().catch(told);
  setInterval(() => document.visibilityState === "visible" && show().catch(told), 2000);
}
