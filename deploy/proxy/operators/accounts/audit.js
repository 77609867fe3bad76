// The audit trail, the latest first: all of it, operators' acts alone, or the entries about one account. To look at it is an entry, too, so
// it is read when somebody asks.

import { find, told } from "/web/dom.js";
import { busy } from "/web/touches.js";
import { datetime, hasWord, t } from "/web/words.js";
import { ask } from "./ask.js";
import { table } from "../table.js";

let rows;
/** Asks for a page of what is shown: the latest entries, or those before a number. */
let read = null;
let next = null;

function named(action) {
  const key = `audit.actions.${action.replaceAll(".", "_")}`;
  return hasWord(key) ? t(key) : action;
}

export function showAudit() {
  rows = table("audit", ["sequence", "time", "actor", "action", "purpose", "pseudonym"]);
  find("#read-audit").addEventListener("click", ({ currentTarget }) => busy(currentTarget, () => {
    const isOperators = find("#operators-only").checked;
    return show(trail(isOperators), t(isOperators ? "audit.shown_operators" : "audit.shown_all"));
  }, told));
  find("#more-audit").addEventListener("click", ({ currentTarget }) => busy(currentTarget, more, told));
}

/** Shows the entries about an account, and goes there. */
export async function showEntries(account, reason) {
  await show((before) => ask(`/accounts/${account}/audit`, { method: "POST", body: before === null ? { reason } : { reason, before } }),
    t("audit.shown_about", { account }));
  find("#audit-shown").focus();
}

/** Forgets what was read. */
export function forgetAudit() {
  [read, next] = [null, null];
  rows?.fill([]);
  find("#audit-shown").textContent = "";
  for (const part of ["audit-shown", "audit", "more-audit"]) find(`#${part}`).hidden = true;
}

const trail = (isOperators) => (before) => {
  const query = [isOperators && "by=operators", before !== null && `before=${before}`].filter(Boolean).join("&");
  return ask(query === "" ? "/audit" : `/audit?${query}`);
};

async function show(asked, words) {
  const page = await asked(null);
  read = asked;
  rows.fill(page.entries.map(row));
  find("#audit-shown").textContent = words;
  for (const part of ["audit-shown", "audit"]) find(`#${part}`).hidden = false;
  turn(page);
}

async function more() {
  const asked = read;
  const page = await asked(next);
  // Something else may be shown by now.
  if (read !== asked) return;
  rows.add(page.entries.map(row));
  turn(page);
}

function turn(page) {
  next = page.next ?? null;
  find("#more-audit").hidden = next === null;
}

const row = (one) => ({
  cells: [
    String(one.sequence), datetime(one.recorded_at), one.actor, named(one.action), one.purpose, one.pseudonym?.slice(0, 8) ?? "–",
  ],
});
