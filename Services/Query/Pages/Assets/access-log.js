// Who received which of the own data, and when.

import { json, requireSession } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { datetime, number, t } from "../web/words.js";

const [rows, more] = [find("#accesses"), find("#more")];
let next;

async function load() {
  const page = await json(`/query/v1/me/access-log${next ? `?cursor=${next}` : ""}`);
  next = page.next;
  more.hidden = !next;
  rows.append(...page.accesses.map((access) => element("tr", {},
    element("td", {}, datetime(access.began_at)), element("td", {}, access.requester_name),
    element("td", {}, access.data_types.map((type) => t(`types.${type}`)).join(", ")),
    element("td", {}, t(`access-log.ways.${access.way}`)),
    element("td", { class: "number" }, number(access.samples)))));
  find("#none").hidden = rows.children.length > 0;
}

const told = (error) => notice(error.words ?? String(error), "bad");
if (requireSession()) {
  more.addEventListener("click", () => load().catch(told));
  await load().catch(told);
}
