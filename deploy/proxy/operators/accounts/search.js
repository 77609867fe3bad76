// Finding accounts, suspending them, admitting third parties to questions about groups, and reading who has read an account's data.

import { element, find, notice } from "/web/dom.js";
import { handle } from "/web/form.js";
import { twoTouches } from "/web/touches.js";
import { date, t } from "/web/words.js";
import { ask } from "./ask.js";
import { showEntries } from "./audit.js";
import { reasonForm } from "./reason.js";

let searched = null;

export function showSearch() {
  handle(find("#search"), "search", async ({ by, value, reason }) => {
    searched = { [by]: value, reason };
    await look();
  });
}

async function look() {
  const { accounts } = await ask("/accounts/search", { method: "POST", body: searched });
  find("#none-found").hidden = accounts.length > 0;
  find("#found").replaceChildren(...accounts.map(card));
}

/** Forgets what was found. */
export function forgetFound() {
  searched = null;
  find("#search").reset();
  find("#none-found").hidden = true;
  find("#found").replaceChildren();
}

function facts(account) {
  const { created_at: created, confirmed_at: confirmed, suspended_at: suspended, admitted_at: admitted } = account;
  const rows = [
    ["created", date(created)],
    ["confirmed", confirmed ? date(confirmed) : t("search.not_confirmed")],
    ["factor", t(account.has_second_factor ? "yes" : "no")],
    ["language", account.language],
  ];
  if (account.undeliverable_since) rows.push(["undeliverable", `${date(account.undeliverable_since)} (${account.undeliverable_status ?? ""})`]);
  if (account.kind === "third-party") rows.push(["groups", admitted ? t("search.since", { date: date(admitted) }) : t("no")]);
  rows.push(["suspended", suspended ? t("search.since", { date: date(suspended) }) : t("no")]);
  return element("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [element("dt", {}, t(`search.facts.${name}`)), element("dd", {}, value)]));
}

function card(account) {
  const { id, kind, company_name: company, suspended_at: suspended, admitted_at: admitted, confirmed_at: confirmed } = account;
  const { form, act } = reasonForm("search", `reason-${id}`, "act_reason");
  const change = (path, body, done) => act(async (reason) => {
    await ask(`/accounts/${id}/${path}`, { method: "POST", body: { ...body, reason } });
    await look();
    notice(t(done), "good");
  });
  const read = act((reason) => showEntries(id, reason));
  form.append(element("div", { class: "acts" },
    element("button", { type: "button", class: "second", onclick: ({ currentTarget }) => read(currentTarget) }, t("search.entries"))));
  if (confirmed) {
    const suspension = suspended ? "restore" : "suspend";
    form.append(twoTouches({ ask: t(`search.${suspension}`), sure: t(`search.${suspension}_sure`), keep: t("keep") },
      change("suspension", { is_suspended: !suspended }, `search.${suspension}_done`)));
  }
  if (confirmed && kind === "third-party") {
    const admission = admitted ? "withdraw" : "admit";
    form.append(twoTouches({ ask: t(`search.${admission}`), sure: t(`search.${admission}_sure`), keep: t("keep") },
      change("admission", { is_admitted: !admitted }, `search.${admission}_done`)));
  }
  return element("li", { class: "card" },
    element("h3", {}, t(`kinds.${kind}`), company ? `: ${company}` : ""), element("p", {}, element("code", {}, id)), facts(account), form);
}
