// AutomatedSOS in one glance: whether somebody watches, an alarm, “I am fine”, a test call, history.

import { json, jsonIfThere, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { ago, clock, datetime, t } from "../web/words.js";

const api = "/dispatcher/v1";
const lookEvery = 2000;
/** Longer than this nobody waits for an answer about an emergency. */
const answerMilliseconds = 8000;
let alarm;
let seenAt;
let shows = 0;

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
  if (!history) {
    alarm = undefined;
    setState("none", t("sos.not_enrolled"));
    find("#not-enrolled").hidden = false;
    find("#enrolled").hidden = true;
    find("#alarm").hidden = true;
    find("#to-devices").hidden = true;
    return;
  }
  const { incidents } = history;
  seenAt = Date.now();
  const open = incidents.filter(({ state }) => state !== "closed");
  // A test call beside a real emergency hides nothing of it.
  alarm = open.find(({ is_exercise: isExercise }) => !isExercise);
  find("#not-enrolled").hidden = true;
  find("#enrolled").hidden = false;
  find("#alarm").hidden = alarm === undefined;
  if (alarm) setState("alarm", t(`sos.alarm.${alarm.state}`));
  else if (open.length > 0) setState("exercise", t("sos.exercise_on"));
  else if (isPaused) setState("blind", t("sos.paused"));
  else if (!monitor.has_measured) setState("blind", t("sos.no_device"));
  else setState(monitor.phase, t(`sos.phase.${monitor.phase}`, { when: ago(monitor.last_vital_at) }));
  find("#to-devices").hidden = monitor.has_measured && !isPaused;
  find("#none").hidden = incidents.length > 0;
  find("#incidents").replaceChildren(...incidents.map(card));
}

function card({ opened_at: openedAt, is_exercise: isExercise, causes = [], state, outcome }) {
  const kind = isExercise ? "exercise_is" : "alarm";
  return element("li", { class: "card" },
    element("h3", {}, datetime(openedAt)),
    element("p", {}, isExercise ? t("sos.was_exercise") : causes.map(({ type }) => t(`types.${type}`)).join(", ")),
    element("p", { class: "quiet" }, t(outcome ? `sos.outcome.${outcome}` : `sos.${kind}.${state}`)));
}

/** What was shown may have changed by now: it must not look as if all were well. An alarm goes on and can be called off. */
function showUnknown(error) {
  if (!(error instanceof Refused)) told(error);
  const state = alarm ? t(`sos.alarm.${alarm.state}`) : t("sos.unknown");
  setState(alarm ? "alarm" : "unknown",
    [state, error.words, seenAt && t("sos.last_known", { clock: clock(seenAt) })].filter(Boolean).join(" "));
}

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
  await show().catch(showUnknown);
}

const post = { method: "POST" };

if (requireSession()) {
  find("#fine").addEventListener("click", () => act(`incidents/${alarm.id}/false-alarm`, post,
    ({ outcome }) => t(outcome === "suppressed" ? "sos.nobody_called" : "sos.told_fine")));
  find("#exercise").addEventListener("click", () => act("exercise", post, () => t("sos.exercise_begun")));
  find("#leave").addEventListener("click", () =>
    confirm(t("sos.sure")) && act("enrolment", { method: "DELETE" }, () => t("sos.left")));
  await keepLooking(show, lookEvery, showUnknown)();
}
