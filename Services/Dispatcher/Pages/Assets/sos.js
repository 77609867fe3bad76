// AutomatedSOS in one glance: whether somebody watches, an alarm with its countdown, “I am fine”, the SOS button, pause, history.

import { json, jsonIfThere, keepSession, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { SharedEvents } from "../web/stream.js";
import { ago, clock, datetime, t } from "../web/words.js";
import { countdown, helpFacts, stageOf, stages } from "./sos-alarm.js";
import { callsForHelp } from "./sos-call.js";
import { showFine } from "./sos-fine.js";
import { pauses, showPause } from "./sos-pause.js";
import { offerPlace } from "./sos-place.js";
import { showDue } from "./sos-price.js";

const api = "/dispatcher/v1";
const lookEvery = 2000;
const keepSessionEvery = 60_000;
/** Longer than this nobody waits for an answer about an emergency. */
const answerMilliseconds = 8000;
const left = countdown();
let alarm;
let seenAt;
let shows = 0;
let drawn = "";

/** The text of the state, replaced only when it changes, so that screen readers say it once. */
function setState(kind, text) {
  const box = find("#state");
  box.dataset.kind = kind;
  if (box.textContent !== text) box.textContent = text;
}

const soon = (options = {}) => ({ ...options, signal: AbortSignal.timeout(answerMilliseconds) });
const read = (path) => jsonIfThere(`${api}/${path}`, "not-enrolled", soon());

/** Whether nothing of the body, or no position, is collected; `false` where that is not known. */
async function collectionIsPaused() {
  try {
    const { health, position } = await json("/accounts/v1/me/collection", soon());
    return !health.is_collected || !position.is_collected;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

async function show() {
  // An answer from before what was done last tells what is no longer so.
  const number = (shows += 1);
  const monitor = await read("monitor");
  const history = monitor && (await read("incidents"));
  const isPaused = history && (await collectionIsPaused());
  if (number !== shows) return;
  for (const [part, isEnrolled] of [["not-enrolled", false], ["enrolled", true], ["call", true]]) {
    find(`#${part}`).hidden = isEnrolled !== Boolean(history);
  }
  if (!history) {
    setState("none", t("sos.not_enrolled"));
    find("#to-devices").hidden = true;
    return showAlarm(undefined);
  }
  const { incidents } = history;
  seenAt = Date.now();
  const open = incidents.filter(({ state }) => state !== "closed");
  // A test call beside a real emergency hides nothing of it.
  showAlarm(open.find(({ is_exercise: isExercise }) => !isExercise));
  if (!alarm) {
    if (open.length > 0) setState("exercise", t("sos.exercise_on"));
    else if (monitor.phase === "paused") setState("blind", t("sos.phase.paused", { until: datetime(monitor.paused_until) }));
    else if (isPaused) setState("blind", t("sos.paused"));
    else if (!monitor.has_measured) setState("blind", t("sos.no_device"));
    else setState(monitor.phase, t(`sos.phase.${monitor.phase}`, { when: ago(monitor.last_vital_at) }));
  }
  showPause(monitor.phase === "paused");
  find("#to-devices").hidden = monitor.phase === "paused" || (monitor.has_measured && !isPaused);
  showHistory(incidents);
}

/** The open emergency, if there is one. */
function showAlarm(incident) {
  alarm = incident;
  find("#alarm").hidden = !alarm;
  const stage = alarm && stageOf(alarm);
  if (stage !== "countdown") left.stop();
  showFine(alarm?.id, stage !== "countdown", callOff);
  if (!alarm) return;
  setState("alarm", t(`sos.alarm.${stage}`));
  find("#help").replaceChildren(...helpFacts(alarm));
  find("#steps").href = `/sos/incidents/${alarm.id}`;
}

/** Drawn anew only when there is something else, so that nobody loses the link that has the focus. */
function showHistory(incidents) {
  const now = JSON.stringify(incidents);
  if (drawn === now) return;
  drawn = now;
  find("#none").hidden = incidents.length > 0;
  find("#incidents").replaceChildren(...incidents.map(card));
}

function card(incident) {
  const { id, opened_at: openedAt, is_exercise: isExercise, trigger, causes = [], state, outcome } = incident;
  const standing = isExercise ? `exercise_is.${state}` : `alarm.${stageOf(incident)}`;
  const causeWords = [trigger === "manual" && t("sos.by_hand"), ...causes.map(({ type }) => t(`types.${type}`))];
  return element("li", { class: "card" },
    element("h3", {}, element("a", { href: `/sos/incidents/${id}` }, datetime(openedAt))),
    element("p", {}, isExercise ? t("sos.was_exercise") : causeWords.filter(Boolean).join(", ")),
    element("p", { class: "quiet" }, t(`sos.${outcome ? `outcome.${outcome}` : standing}`)));
}

/** What was shown may have changed by now: it must not look as if all were well. An alarm goes on and can be called off. */
function showUnknown(error) {
  if (!(error instanceof Refused)) told(error);
  // Who may be enrolled has the button.
  if (find("#not-enrolled").hidden) find("#call").hidden = false;
  const state = alarm ? t(`sos.alarm.${stageOf(alarm)}`) : t("sos.unknown");
  setState(alarm ? "alarm" : "unknown",
    [state, error.words, seenAt && t("sos.last_known", { clock: clock(seenAt) })].filter(Boolean).join(" "));
}

const look = keepLooking(show, lookEvery, showUnknown);

/** Does what a button asks for, and tells `words(answer)`. */
async function act(path, options, words) {
  try {
    const answer = await json(`${api}/${path}`, soon(options));
    notice(words(answer), "good");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const key = { "incident-closed": "sos.closed", "exercise-under-way": "sos.exercise_on" }[error.code];
    notice(key ? t(key) : error.words, "bad");
  }
  shows += 1;
  await look();
}

const post = { method: "POST" };
const callOff = (id) => act(`incidents/${id}/false-alarm`, post,
  ({ outcome }) => t(outcome === "suppressed" ? "sos.nobody_called" : "sos.told_fine"));

/** What the stream tells: at once, before all of it is asked for. Its time counts from now. */
function news({ state, incident, is_exercise: isExercise, call_in_ms: milliseconds }) {
  const stage = stages[state];
  if (stage && incident && !isExercise && alarm?.id !== incident) {
    showAlarm({ id: incident, state: stage === "countdown" ? "confirmed" : stage, calls_at: stage === "countdown" });
  }
  if (state === "countdown" && milliseconds > 0 && alarm?.id === incident) left.begin(milliseconds);
  else left.stop();
  return look();
}

if (requireSession()) {
  find("#exercise").addEventListener("click", () => act("exercise", post, () => t("sos.exercise_begun")));
  find("#leave").addEventListener("click", () =>
    confirm(t("sos.sure")) && act("enrolment", { method: "DELETE" }, () => t("sos.left")));
  callsForHelp(look);
  pauses(look);
  offerPlace();
  await look();
  showDue(find("#state")).catch(told);
  const events = new SharedEvents(`${api}/me/incidents/stream`);
  events.addEventListener("state", ({ data }) => news(JSON.parse(data)).catch(told));
  // The stream ends with the token, and goes on with a new one.
  setInterval(() => keepSession().catch(told), keepSessionEvery);
}
