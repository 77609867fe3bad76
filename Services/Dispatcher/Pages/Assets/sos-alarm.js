// How an emergency or a test call stands, in words, and the time that is left to call it off.

import { element, find } from "../web/dom.js";
import { ago, clock, number, t } from "../web/words.js";

const drawEvery = 200;

/** The word for how an incident stands, as `GET /incidents` tells it: its state, and within it how far the helpers are. */
export function stageOf({ state, calls_at: callsAt, help = {} }) {
  if (state === "confirmed" && callsAt) return "countdown";
  if (state !== "acknowledged") return state;
  if (help.on_scene_at) return "on-scene";
  return help.dispatched_at ? "dispatched" : state;
}

/** What the person's stream tells, as the stage of an incident. */
export const stages = { countdown: "countdown", calling: "confirmed", "handed-over": "handed-over", accepted: "acknowledged" };

/** Who comes, and when; empty while nobody does. */
export function helpFacts({ accepted_by: service, help = {} }) {
  const { dispatched_at: dispatched, on_scene_at: onScene, arrival_expected: arrival } = help;
  return [
    ["service", service], ["dispatched", dispatched && clock(dispatched)],
    ["arrival", arrival && !onScene && t("sos.at", { clock: clock(arrival), when: ago(arrival) })],
    ["on_scene", onScene && clock(onScene)],
  ].filter(([, value]) => value).flatMap(([key, value]) => [element("dt", {}, t(`sos.help.${key}`)), element("dd", {}, value)]);
}

/**
 * The seconds until an ambulance is called, counted by this browser's own pace: its clock may be wrong. What is drawn is not read aloud
 * each second; the state says that there is a countdown.
 */
export function countdown(box = find("#countdown")) {
  let [until, timer] = [undefined, undefined];
  function draw() {
    const seconds = Math.ceil((until - performance.now()) / 1000);
    box.hidden = seconds <= 0;
    box.textContent = t("sos.countdown", { seconds: number(Math.max(0, seconds)) });
    if (seconds <= 0) stop();
  }
  function stop() {
    clearInterval(timer);
    [timer, until] = [undefined, undefined];
    box.hidden = true;
  }
  return {
    /** So many milliseconds are left from now. */
    begin(milliseconds) {
      until = performance.now() + milliseconds;
      timer ??= setInterval(draw, drawEvery);
      draw();
    },
    stop,
  };
}
