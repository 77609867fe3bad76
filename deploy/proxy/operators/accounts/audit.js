// The audit trail, the latest first. To look at it is an entry, too, so it is read when somebody asks.

import { find, told } from "/web/dom.js";
import { busy } from "/web/touches.js";
import { datetime, hasWord, t } from "/web/words.js";
import { ask } from "./ask.js";
import { table } from "../table.js";

let rows;
let next = null;

function named(action) {
  const key = `audit.actions.${action.replaceAll(".", "_")}`;
  return hasWord(key) ? t(key) : action;
}

export function showAudit() {
  rows = table("audit", ["sequence", "time", "actor", "action", "purpose", "pseudonym"]);
  find("#read-audit").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => load(null), told));
  find("#more-audit").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => load(next), told));
}

async function load(before) {
  const page = await ask(`/audit${before === null ? "" : `?before=${before}`}`);
  const made = page.entries.map((one) => ({
    cells: [
      String(one.sequence), datetime(one.recorded_at), one.actor, named(one.action), one.purpose, one.pseudonym?.slice(0, 8) ?? "–",
    ],
  }));
  if (before === null) rows.fill(made);
  else rows.add(made);
  next = page.next ?? null;
  find("#audit").hidden = false;
  find("#more-audit").hidden = next === null;
}
