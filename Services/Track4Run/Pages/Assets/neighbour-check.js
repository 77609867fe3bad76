// Warns whoever draws a course of the run that stands in its way (RUN-03), once it has been left alone for a while.

import { json, Refused } from "../web/api.js";
import { t } from "../web/words.js";

const askAfter = 1500;

/**
 * Writes into `box`. Returns a function that is told what is drawn: `{ path, start, end }` with the points of the path, `null`
 * while something of it is missing. `run` is the one that is changed, if one is.
 */
export function neighbourCheck(box, run) {
  let drawn = null;
  let timer;

  async function ask(sketch) {
    const { path: coordinates, start, end } = sketch;
    const body = { path: { type: "LineString", coordinates }, start, end, ...(run ? { run: run.id } : {}) };
    try {
      const { conflict } = await json("/track4run/v1/run-checks", { method: "POST", body });
      if (sketch !== drawn || !conflict) return;
      box.textContent = t(`run-form.fault.${conflict}`);
      box.hidden = false;
    } catch (error) {
      // Sending the form compares again, and tells whatever is wrong.
      if (!(error instanceof Refused)) throw error;
    }
  }

  return (sketch) => {
    const isKnown = ["path", "start", "end"].every((name) => sketch?.[name] === drawn?.[name]);
    if (isKnown) return;
    drawn = sketch;
    box.hidden = true;
    clearTimeout(timer);
    if (sketch) timer = setTimeout(ask, askAfter, sketch);
  };
}
