// Who received which of the own data, and when.

import { requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { pagedList } from "../web/list.js";
import { datetime, number, t } from "../web/words.js";

const list = find("#accesses");

const { load } = pagedList("/query/v1/me/access-log", ({ accesses }) => {
  list.append(...accesses.map((access) => element("li", { class: "card" },
    element("h2", {}, access.requester_name),
    element("p", {}, [
      t(`access-log.ways.${access.way}`), access.way === "look-up" ? null : t("access-log.count", { count: number(access.samples) }),
    ].filter(Boolean).join(" · ")),
    element("p", {}, access.data_types.map((type) => t(`types.${type}`)).join(", ")),
    element("p", { class: "quiet" }, element("time", { datetime: access.began_at }, datetime(access.began_at))))));
  find("#none").hidden = list.children.length > 0;
});

if (requireSession()) await load().catch(told);
