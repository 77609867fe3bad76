// How much is stored, of the quota (ING-10).

import { element, find } from "../web/dom.js";
import { date, number, t } from "../web/words.js";
import { sizeWords } from "./values.js";

/** Shows the answer of `/me/usage`, which may be on its way. */
export async function showUsage(usage) {
  const { quota_bytes: quota, used_bytes: used, waiting_bytes: waiting, types } = await usage;
  const share = Math.min(1, used / Math.max(1, quota));
  find("#used").textContent = t("my-data.used", { used: sizeWords(used), quota: sizeWords(quota), share: number(100 * share) });
  const meter = find("#usage-meter");
  [meter.value, meter.max] = [used, quota];
  find("#waiting").textContent = waiting > 0 ? t("my-data.waiting", { size: sizeWords(waiting) }) : "";
  find("#usage-table").hidden = types.length === 0;
  const day = (text) => date(`${text}T12:00`);
  find("#usage-rows").replaceChildren(...types.map(({ type, bytes, days, first_day: first, samples_since: since }) => element("tr", {},
    element("td", {}, t(`types.${type}`)), element("td", { class: "number" }, sizeWords(bytes)),
    element("td", { class: "number" }, number(days)),
    element("td", {}, since === first ? day(first)
      : since === undefined ? t("my-data.sums_only", { first: day(first) }) : t("my-data.sums_before", { first: day(first), since: day(since) })))));
}
