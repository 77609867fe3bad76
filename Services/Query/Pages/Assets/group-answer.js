// The answer to a question about a group: one data type at a time as a plot and as a table, all of it as CSV.

import { chart } from "../web/chart.js";
import { colours, element, find } from "../web/dom.js";
import { locale, number, t } from "../web/words.js";

// Days of statistics are of UTC.
const months = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const shortDays = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
/** A day of a question or an answer, such as `2026-11-22`, in words. */
export const dayWords = (date) => days.format(new Date(date));

const interval = ([least, most], digits) => `${number(least, digits)} – ${number(most, digits)}`;

let plot;
function draw(buckets, type) {
  const colour = colours();
  plot?.destroy();
  plot = chart(find("#chart"), "bar", {
    labels: buckets.map(({ start }) => shortDays.format(new Date(start))),
    datasets: [
      { label: t("group-requests.interval"), data: buckets.map((bucket) => bucket.mean_interval_95 ?? null), backgroundColor: colour("--line"), barPercentage: 0.4 },
      // Before the intervals, which would hide it.
      { type: "line", label: `${t("group-requests.mean")} (${t(`units.${type}`)})`, data: buckets.map(({ mean }) => mean ?? null), borderColor: colour("--accent"), backgroundColor: colour("--accent"), spanGaps: false, showLine: false, pointRadius: 5, order: -1 },
    ],
  });
}

function showType(buckets, type) {
  const digits = Math.min(1, Number(find(`#type-${type}`)?.dataset.decimals ?? 1));
  const cell = (value, bounds, decimals) => element("td", { class: "number" },
    value === undefined ? "–" : number(value, decimals),
    bounds ? element("div", { class: "quiet" }, interval(bounds, decimals)) : null);
  find("#rows").replaceChildren(...buckets.map((bucket) => element("tr", {},
    element("td", { class: "time" }, dayWords(bucket.start)),
    ...(bucket.suppressed ? [element("td", { colspan: 2 }, t("group-requests.suppressed"))] : [
      cell(bucket.count, bucket.count_interval_95, 0), cell(bucket.mean, bucket.mean_interval_95, digits),
    ]))));
  const leftOut = buckets.filter(({ suppressed }) => suppressed).length;
  find("#left-out").textContent = leftOut === 0 ? "" :
    t("group-requests.left_out", { count: number(leftOut), all: number(buckets.length) });
  const bounded = buckets.find(({ lower_bound: lower }) => lower !== undefined);
  find("#bounds").textContent = bounded ? t("group-requests.bounds", {
    least: number(bounded.lower_bound, 1), most: number(bounded.upper_bound, 1), unit: t(`units.${type}`),
  }) : "";
  draw(buckets, type);
}

/** Shows an answer, its first data type first. */
export function show({ buckets, balance }) {
  const types = [...new Set(buckets.map(({ data_type: type }) => type))];
  const select = find("#shown");
  select.replaceChildren(...types.map((type) => element("option", { value: type }, t(`types.${type}`))));
  const chosen = () => showType(buckets.filter(({ data_type: type }) => type === select.value), select.value);
  select.onchange = chosen;
  const facts = [
    ["balance", balance.map(({ month, left }) =>
      t("group-requests.left", { month: months.format(new Date(month)), left: number(left, 4) })).join(" · ")],
  ];
  find("#facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) =>
    [element("dt", {}, t(`group-requests.${name}`)), element("dd", {}, value)]));
  chosen();
}

const columns = [
  "data_type", "start", "suppressed", "count", "count_noise", "mean", "mean_noise", "lower_bound", "upper_bound", "unit",
];

/** An answer as CSV (RFC 4180), with the API's names; an interval takes two columns. */
export function csv({ buckets }) {
  const intervals = ["count_interval_95", "mean_interval_95"];
  const lines = buckets.map((bucket) => [
    ...columns.map((name) => bucket[name] ?? ""), ...intervals.flatMap((name) => bucket[name] ?? ["", ""]),
  ].join(","));
  const header = [...columns, ...intervals.flatMap((name) => [`${name}_low`, `${name}_high`])].join(",");
  return `${[header, ...lines].join("\r\n")}\r\n`;
}
