// Asking for help with the large button: held, or pressed and confirmed. It is asked for again and again until the service has answered.

import { json, Refused } from "../web/api.js";
import { find } from "../web/dom.js";
import { t } from "../web/words.js";
import { onHoldOrPress } from "./sos-hold.js";
import { whereThisIs } from "./sos-place.js";

const path = "/dispatcher/v1/sos";
/** Longer nobody waits for an answer before the next attempt. */
const answerMilliseconds = 4000;
const pauseMilliseconds = 1000;
/** What cannot be sent for so long is not sent any more: help that comes an hour later surprises everybody. */
const tryMilliseconds = 5 * 60e3;

const isFinal = ({ status }) => status >= 400 && status < 500 && ![408, 425, 429].includes(status);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A random UUID; `crypto.randomUUID` is missing on pages that are not served safely. */
function randomID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  [bytes[6], bytes[8]] = [(bytes[6] & 0x0f) | 0x40, (bytes[8] & 0x3f) | 0x80];
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Makes the button work. `called()` when help has been called. */
export function callsForHelp(called) {
  const [button, sure, said, stop] = [find("#sos-button"), find("#sos-sure"), find("#sos-said"), find("#sos-stop")];
  let [place, isCalling, isStopped] = [null, false, false];

  /** What was said is replaced only when it changes, so that screen readers say it once. */
  function say(text) {
    if (said.textContent !== text) said.textContent = text;
  }

  function lookWhereThisIs() {
    place = null;
    whereThisIs().then((found) => (place = found));
  }

  async function send(body) {
    try {
      await json(path, { method: "POST", body, signal: AbortSignal.timeout(answerMilliseconds) });
      return true;
    } catch (error) {
      if (!(error instanceof Refused) || isFinal(error)) throw error;
      return false;
    }
  }

  /** One press is one emergency, however often it is sent. */
  async function call() {
    sure.hidden = true;
    if (isCalling) return;
    [isCalling, isStopped] = [true, false];
    button.setAttribute("aria-disabled", "true");
    const [id, until] = [randomID(), Date.now() + tryMilliseconds];
    say(t("sos.calling"));
    try {
      while (!(await send(place ? { id, position: place } : { id }))) {
        say(t("sos.not_called_yet"));
        stop.hidden = false;
        if (isStopped || Date.now() > until) throw new Refused(0);
        await pause(pauseMilliseconds);
        if (isStopped) throw new Refused(0);
      }
      say(t("sos.called"));
      called();
    } catch (error) {
      say(error instanceof Refused && error.words && !isStopped ? `${t("sos.not_called")} ${error.words}` : t("sos.not_called"));
      if (!(error instanceof Refused)) throw error;
    } finally {
      isCalling = false;
      stop.hidden = true;
      button.removeAttribute("aria-disabled");
    }
  }

  onHoldOrPress(button, {
    begun() {
      lookWhereThisIs();
      if (!isCalling) say(t("sos.hold_on"));
    },
    ended: () => isCalling || say(""),
    held: call,
    pressed() {
      if (isCalling) return;
      sure.hidden = false;
      // Neither answer, so that a second press by a hand that trembles decides nothing.
      find("#sos-question").focus();
    },
  });
  find("#sos-yes").addEventListener("click", () => {
    button.focus();
    call();
  });
  find("#sos-no").addEventListener("click", () => {
    sure.hidden = true;
    button.focus();
  });
  stop.addEventListener("click", () => (isStopped = true));
}
