// Pausing the watch, and going on with it before the pause is over.

import { call } from "../web/api.js";
import { find, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { busy } from "../web/touches.js";
import { datetime, t } from "../web/words.js";

const path = "/dispatcher/v1/enrolment/pause";

/** Makes form and button work; `changed()` after each. */
export function pauses(changed) {
  handle(find("#pause"), "sos", async ({ minutes }) => {
    const { paused_until: until } = await (await call(path, { method: "PUT", body: { minutes: Number(minutes) } })).json();
    find("#pause-box").open = false;
    notice(t("sos.paused_until", { until: datetime(until) }));
    changed();
  });
  find("#resume").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await call(path, { method: "DELETE" });
    notice(t("sos.resumed"), "good");
    changed();
  }, told));
}

export function showPause(isPaused) {
  find("#pause-box").hidden = isPaused;
  find("#resume-box").hidden = !isPaused;
}
