// A question about a group: the answer with its intervals, as a plot and as a table.

import { json, requireSession } from "../web/api.js";
import { chart } from "../web/chart.js";
import { colours, element, find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { date, dayAndMonth, number, t } from "../web/words.js";

const iso = (time) => time.toISOString().slice(0, 10);
let plot;

function draw(buckets, type) {
  const colour = colours();
  plot?.destroy();
  plot = chart(find("#chart"), "bar", {
    labels: buckets.map(({ start }) => dayAndMonth(start)),
    datasets: [
      { label: t("group-requests.interval"), data: buckets.map((bucket) => bucket.mean_interval_95 ?? null), backgroundColor: colour("--line"), barPercentage: 0.4 },
      { type: "line", label: `${t("group-requests.mean")} (${t(`units.${type}`)})`, data: buckets.map(({ mean }) => mean ?? null), borderColor: colour("--accent"), backgroundColor: colour("--accent"), spanGaps: false, showLine: false, pointRadius: 5 },
    ],
  });
}

function show({ buckets }, type) {
  const cell = (text) => element("td", { class: "number" }, text);
  find("#rows").replaceChildren(...buckets.map((bucket) => element("tr", {},
    element("td", {}, date(bucket.start)),
    ...(bucket.suppressed ? [element("td", { colspan: 3 }, t("group-requests.suppressed"))] : [
      cell(number(bucket.count)), cell(bucket.mean === undefined ? "–" : number(bucket.mean, 1)),
      cell(bucket.mean_interval_95 ? bucket.mean_interval_95.map((bound) => number(bound, 1)).join(" – ") : "–"),
    ]))));
  find("#answer").hidden = false;
  draw(buckets, type);
  find("#answer").focus();
}

if (requireSession()) {
  // Days are closed 48 hours after their end.
  find("#to").value = iso(new Date(Date.now() - 4 * 86400e3));
  find("#from").value = iso(new Date(Date.now() - 10 * 86400e3));
  handle(find("#ask"), "group-requests", async ({ type, sex, age_min: min, age_max: max, region, from, to }) => {
    const age = { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}) };
    const where = {
      ...(Object.keys(age).length > 0 ? { age } : {}), ...(sex ? { sex } : {}),
      ...(region ? { residence: { region } } : {}),
    };
    find("#answer").hidden = true;
    show(await json("/query/v1/group-requests", {
      method: "POST", body: { data_types: [type], bucket: "day", from, to, where },
    }), type);
  });
}
