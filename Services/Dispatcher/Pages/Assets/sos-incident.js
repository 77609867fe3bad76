// One emergency or test call: how it stands or ended, what called, every step with its time, and the file of it.

import { download, json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { busy } from "../web/touches.js";
import { datetime, hasWord, locale, number, t } from "../web/words.js";
import { helpFacts, stageOf } from "./sos-alarm.js";

const path = `/dispatcher/v1/incidents/${encodeURIComponent(location.pathname.split("/").at(-1))}`;
const lookEvery = 3000;
const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const clock = (time) => times.format(new Date(time));
const type = (name) => (hasWord(`types.${name}`) ? t(`types.${name}`) : name);
const unit = (name, other) => (hasWord(`units.${name}`) ? t(`units.${name}`) : other);
let isOver = false;
let drawn = "";

async function show() {
  // What is closed stays as it is.
  if (isOver) return;
  const incident = await json(path);
  isOver = incident.state === "closed";
  const now = JSON.stringify(incident);
  if (now === drawn) return;
  drawn = now;
  draw(incident);
}

function draw(incident) {
  const { opened_at: opened, closed_at: closed, is_exercise: isExercise, trigger, outcome, causes, steps } = incident;
  const box = find("#state");
  box.dataset.kind = isOver ? "none" : isExercise ? "exercise" : "alarm";
  const state = outcome ? t(`sos.outcome.${outcome}`) : t(isExercise ? `sos.exercise_is.${incident.state}` : `sos.alarm.${stageOf(incident)}`);
  if (box.textContent !== state) box.textContent = state;
  find("#shown").hidden = false;
  const facts = [["opened", datetime(opened)], ["closed", closed && datetime(closed)], ["trigger", trigger && t(`sos-incident.triggers.${trigger}`)]];
  find("#facts").replaceChildren(
    ...facts.filter(([, value]) => value).flatMap(([key, value]) => [element("dt", {}, t(`sos-incident.${key}`)), element("dd", {}, value)]),
    ...helpFacts(incident));
  find("#unreadable").hidden = causes !== undefined;
  find("#causes-part").hidden = !(causes?.length > 0);
  find("#causes").replaceChildren(...(causes ?? []).map(cause));
  find("#step-rows").replaceChildren(...(steps ?? []).map(({ at, kind, hook }) => element("tr", {},
    element("td", { class: "time" }, clock(at)), element("td", {}, t(`sos-incident.steps.${kind}`)), element("td", {}, hook ?? ""))));
}

/** A critical state, with the limits that held. */
function cause({ type: name, value, unit: code, first_critical: first, thresholds, is_provisional: isProvisional }) {
  const own = unit(name, code);
  const ends = [["low", thresholds?.low], ["high", thresholds?.high]].filter(([, limit]) => limit !== undefined);
  const limits = ends.map(([end, limit]) => t(`sos-incident.${end}`, { value: `${number(limit, 1)} ${own}` })).join(", ");
  const by = thresholds && t(`sos-limits.by.${thresholds.set_by}`, { doctor: thresholds.doctor ?? "" });
  return element("li", { class: "card" }, element("h3", {}, type(name)),
    element("p", {}, t("sos-incident.value", { value: `${number(value, 1)} ${own}`, clock: clock(first) })),
    limits ? element("p", { class: "quiet" }, `${limits} (${by})`) : null,
    isProvisional ? element("p", { class: "quiet" }, t("sos-incident.provisional")) : null);
}

/** What was shown may be of somebody else by now, or gone. */
function lost(error) {
  if (error.status === 404) {
    isOver = true;
    find("#shown").hidden = true;
    find("#state").textContent = t("sos-incident.gone");
    return undefined;
  }
  return told(error);
}

if (requireSession()) {
  for (const [id, file] of [["#as-page", "file.html"], ["#as-json", "file"]]) {
    find(id).addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => download(`${path}/${file}`)));
  }
  await keepLooking(show, lookEvery, lost)();
}
