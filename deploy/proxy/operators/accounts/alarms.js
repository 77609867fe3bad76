// AutomatedSOS's alarms: those that are open, or were today, and that somebody has taken notice. They are read when somebody asks: looking by
// itself would keep a session alive that nobody uses.

import { element, find, notice } from "/web/dom.js";
import { tellRefusal } from "/web/form.js";
import { busy } from "/web/touches.js";
import { ago, datetime, hasWord, number, t } from "/web/words.js";
import { ask } from "./ask.js";
import { table } from "../table.js";

/** Of one call. */
const acknowledgedMax = 100;
let rows;
let waiting = [];

const refused = (error) => tellRefusal("alarms", error);

export function showAlarms() {
  rows = table("alarms", ["what", "about", "since", "times#", "state", "act"]);
  find("#look-alarms").addEventListener("click", ({ currentTarget }) => busy(currentTarget, look, refused));
  find("#acknowledge").addEventListener("click", ({ currentTarget }) =>
    busy(currentTarget, () => acknowledge(waiting.slice(0, acknowledgedMax)), refused));
  return look().catch(refused);
}

/** Forgets what was read. */
export function forgetAlarms() {
  waiting = [];
  rows?.fill([]);
}

async function acknowledge(alarms) {
  const { acknowledged } = await ask("/alarms/acknowledgement", { method: "POST", body: { alarms } });
  await look();
  notice(t("alarms.done", { count: number(acknowledged) }), "good");
}

const isOpen = ({ over_at: over }) => !over;
const waits = (alarm) => isOpen(alarm) && !alarm.acknowledged_by;

export async function look() {
  const { alarms } = await ask("/alarms");
  waiting = alarms.filter(waits).map(({ id }) => id);
  find("#alarms-lead").textContent = t("alarms.lead", { open: number(alarms.filter(isOpen).length), waiting: number(waiting.length) });
  find("#acknowledge").hidden = waiting.length === 0;
  rows.fill(alarms.map(row));
}

function row(alarm) {
  const { id, kind, subject, detail, occurrences, first_at: first, over_at: over, acknowledged_by: by } = alarm;
  const what = hasWord(`alarms.kinds.${kind}`) ? t(`alarms.kinds.${kind}`) : kind;
  const state = [over ? t("alarms.over", { when: datetime(over) }) : t("alarms.open"), by && t("alarms.by", { name: by })].filter(Boolean).join(", ");
  const act = element("button", {
    type: "button", class: "second", "aria-label": t("alarms.acknowledge_one", { what, about: subject }),
    onclick: ({ currentTarget }) => busy(currentTarget, () => acknowledge([id]), refused),
  }, t("alarms.acknowledge"));
  return {
    level: waits(alarm) ? "bad" : isOpen(alarm) ? "worth" : "",
    cells: [what, [subject, detail].filter(Boolean).join(", "), `${datetime(first)} (${ago(first)})`, { isNumber: true, content: [number(occurrences)] }, state,
      { content: waits(alarm) ? [act] : [] }],
  };
}
