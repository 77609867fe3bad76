// One data type over a day, week, month or year, with its gaps as gaps, and the same as a table.

import { json, requireSession } from "../web/api.js";
import { chart } from "../web/chart.js";
import { colours, element, find, findAll, told } from "../web/dom.js";
import { clock, date, dayAndMonth, number, t } from "../web/words.js";
import { decimalsOf, unitWords } from "./values.js";

const spans = {
  day: { days: 1, granularity: "hour", step: 3600e3 },
  week: { days: 7, granularity: "hour", step: 3600e3 },
  month: { days: 31, granularity: "day", step: 86400e3 },
  year: { days: 366, granularity: "day", step: 86400e3 },
};
const asked = new URLSearchParams(location.search).get("span");
const name = asked in spans ? asked : "week";
const { days, granularity, step } = spans[name];
const { type } = find("[data-type]").dataset;

for (const link of findAll("[data-span]")) if (link.dataset.span === name) link.setAttribute("aria-current", "true");

const label = (bucket) =>
  granularity === "day" ? date(bucket.date ?? bucket.start) : name === "day" ? clock(bucket.start) : `${date(bucket.start)}, ${clock(bucket.start)}`;
const value = (bucket) => bucket.mean ?? bucket.sum ?? null;

/** Buckets with a hole where there is none, so that the line breaks off there. */
function withGaps(buckets) {
  const all = [];
  for (const bucket of buckets) {
    const last = all.at(-1);
    if (last && new Date(bucket.start) - new Date(last.start) > 1.5 * step) {
      all.push({ start: new Date(new Date(last.start).getTime() + step).toISOString(), isGap: true });
    }
    all.push(bucket);
  }
  return all;
}

function draw(buckets) {
  const accent = colours()("--accent");
  const points = withGaps(buckets);
  const isSum = buckets.some(({ sum }) => sum !== undefined);
  const data = {
    labels: points.map((point) => (name === "day" ? clock(point.start) : dayAndMonth(point.date ?? point.start))),
    datasets: [{
      label: `${t(`types.${type}`)} (${unitWords(type)})`, data: points.map((point) => (point.isGap ? null : value(point))),
      borderColor: accent, backgroundColor: accent, borderWidth: 2, spanGaps: false,
      pointRadius: points.length > 100 ? 0 : 3,
    }],
  };
  chart(find("#chart"), isSum ? "bar" : "line", data, {
    tooltip: { callbacks: { title: ([{ dataIndex }]) => label(points[dataIndex]) } },
  });
}

async function show() {
  const to = new Date();
  const from = new Date(to - days * 86400e3);
  const query = new URLSearchParams({ type, granularity, from: from.toISOString(), to: to.toISOString() });
  const { buckets = [] } = await json(`/ingestion/v1/me/series?${query}`);
  find("#thinned").textContent = buckets.length === 0 ? t("measurement.none") : t(`measurement.by_${granularity}`);
  draw(buckets);
  const digits = decimalsOf(type);
  const cell = (number_) => element("td", { class: "number" }, number_ === undefined || number_ === null ? "" : number(number_, digits));
  find("#rows").replaceChildren(...buckets.map((bucket) => element("tr", {},
    element("td", {}, label(bucket)), cell(value(bucket)), cell(bucket.min), cell(bucket.max))));
}

if (requireSession()) await show().catch(told);
