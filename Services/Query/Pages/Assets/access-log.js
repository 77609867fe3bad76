// Who received which of the own data, and when.

import { requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { datetime, number, t } from "../web/words.js";

const rows = find("#accesses");

const { load } = pagedList("/query/v1/me/access-log", ({ accesses }) => {
  rows.append(...accesses.map((access) => element("tr", {},
    element("td", {}, datetime(access.began_at)), element("td", {}, access.requester_name),
    element("td", {}, access.data_types.map((type) => t(`types.${type}`)).join(", ")),
    element("td", {}, t(`access-log.ways.${access.way}`)),
    element("td", { class: "number" }, number(access.samples)))));
  find("#none").hidden = rows.children.length > 0;
  find("#accesses-box").hidden = rows.children.length === 0;
});

if (requireSession()) await load().catch(told);
