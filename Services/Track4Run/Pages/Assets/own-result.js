// A runner's own official result, and what it is known by (RUN-10, RUN-11).

import { json } from "../web/api.js";
import { element } from "../web/dom.js";
import { duration, number, t } from "../web/words.js";
import { progress, seconds } from "./placings.js";

/** A list of what is known, each by its word; without what is not. */
export const facts = (pairs) => element("dl", { class: "facts" }, ...pairs.filter(([, value]) => value).flatMap(
  ([word, value]) => [element("dt", {}, t(`run.${word}`)), element("dd", {}, value)]));

/** Elements that show it. `onFollow(bib)` shows the runner in the placings. */
export async function ownResult(run, { bib, placing }, onFollow) {
  const { evidence } = await json(`/track4run/v1/runs/${run.code}/participants/${bib}/evidence`);
  const passages = evidence.checkpoints.map((passage, index) => [run.checkpoints[index]?.name ?? "", passage]);
  if (evidence.is_finish && evidence.arrival) passages.push([t("run.finish_mark"), evidence.arrival]);
  const start = Date.parse(run.start);
  const rows = passages.map(([name, { time, is_seen: isSeen }]) => element("tr", {},
    element("td", {}, name), element("td", { class: "number" }, duration((Date.parse(time) - start) / 1000)),
    element("td", {}, t(isSeen ? "run.known.measured" : "run.known.estimated"))));
  const head = [["checkpoint"], ["time", "number"], ["known_by"]].map(
    ([word, kind]) => element("th", { scope: "col", class: kind }, t(`run.${word}`)));
  return [
    facts([
      ["rank", placing.place && String(placing.place)], ["progress", progress(placing)], ["time", seconds(placing.time_s)],
      ["net_time", seconds(placing.net_time_s)], ["pace", seconds(placing.pace_s_per_km)],
      ["heart_rate", placing.heart_rate_mean && number(placing.heart_rate_mean)], ["bib", String(bib)],
    ]),
    rows.length === 0 ? null : element("div", { class: "table-box" }, element("table", {},
      element("caption", {}, t("run.your_splits")), element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows))),
    element("p", { class: "acts" },
      element("button", { type: "button", class: "second", onclick: () => onFollow(bib) }, t("run.show_me"))),
  ];
}
