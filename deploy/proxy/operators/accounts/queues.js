// What waits in accounts: mail, exports, erasures.

import { find, notice, told } from "/web/dom.js";
import { handle } from "/web/form.js";
import { busy } from "/web/touches.js";
import { ago, datetime, number, t } from "/web/words.js";
import { ask } from "./ask.js";
import { table } from "../table.js";

let tables;

export function showQueues() {
  tables = {
    mail: table("mail", ["template", "urgent", "created", "attempts", "due"], "queues.heading"),
    exports: table("exports", ["id", "state", "requested", "progress", "attempts"]),
    erasures: table("erasures", ["id", "scope", "requested", "missing"]),
  };
  find("#look-again").addEventListener("click", ({ currentTarget }) => busy(currentTarget, look));
  handle(find("#send"), "queues", async ({ reason }, form) => {
    const { mails } = await ask("/mail/sending", { method: "POST", body: { reason } });
    form.reset();
    await look();
    notice(t("queues.sent", { count: number(mails) }), "good");
  });
  return look().catch(told);
}

export async function look() {
  const { mail_waiting: waiting, mail, pushes_waiting: pushes, exports, erasures } = await ask("/queues");
  find("#queues-lead").textContent = t("queues.lead", { mails: number(waiting), pushes: number(pushes) });
  find("#send").hidden = waiting === 0;
  tables.mail.fill(mail.map((one) => ({
    cells: [
      one.template, t(one.is_urgent ? "yes" : "no"), ago(one.created_at), number(one.attempts), one.due_at ? datetime(one.due_at) : t("mail.now"),
    ],
  })));
  tables.exports.fill(exports.map((one) => ({
    cells: [
      one.id.slice(0, 8), t(`exports.states.${one.state}`), ago(one.requested_at), `${number(one.progress * 100)} %`, number(one.attempts),
    ],
  })));
  tables.erasures.fill(erasures.map((one) => ({
    cells: [one.id.slice(0, 8), t(`erasures.scopes.${one.scope}`), ago(one.requested_at), one.missing.join(", ")],
  })));
}
