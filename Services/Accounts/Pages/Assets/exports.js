// Everything that is held about the account, put together on request and fetched with the password.

import { call, json, Refused } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { save } from "../web/save.js";
import { busy } from "../web/touches.js";
import { date, number, t } from "../web/words.js";

const place = "/accounts/v1/me/exports";
const pauseMilliseconds = 2000;
const isUnderWay = ({ state }) => state === "waiting" || state === "making";
/** The one that can be fetched. */
let ready = null;

export async function showExports() {
  find("#ask-export").addEventListener("click", ({ currentTarget }) => busy(currentTarget, ask));
  handle(find("#fetch-export"), "exports", async ({ password }, form) => {
    await save(`${place}/${ready.export_id}/archive`, "trackme.zip", "application/zip", { method: "POST", body: { password } });
    form.reset();
    notice(t("exports.fetched"), "good");
  });
  await follow();
}

async function ask() {
  try {
    await call(place, { method: "POST" });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "too-many-tries") throw error;
    notice(t("exports.soon"), "bad");
    return;
  }
  await follow();
}

/** Shows the newest, again and again while it is made. */
async function follow() {
  const { exports } = await json(place);
  show(exports);
  if (exports.some(isUnderWay)) setTimeout(() => follow().catch(told), pauseMilliseconds);
}

function show(exports) {
  const [newest] = exports;
  ready = exports.find(({ state }) => state === "ready") ?? null;
  find("#ask-export").hidden = exports.some(isUnderWay);
  find("#fetch-export").hidden = ready === null;
  find("#exports").replaceChildren(...[newest && line(newest), ready && element("p", {}, t("exports.ready", {
    until: date(ready.expires_at), size: number(ready.bytes / 1e6, 1),
  }))].filter(Boolean));
}

function line({ state, progress }) {
  if (state === "failed") return element("p", {}, t("exports.failed"));
  if (state === "ready") return null;
  return element("div", {}, element("p", {}, t("exports.making")),
    element("progress", { value: progress, max: 1, "aria-label": t("exports.making") }));
}
