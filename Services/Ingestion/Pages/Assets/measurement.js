// One data type over a day, week, month or year, with its gaps as gaps, and the same as a table.

import { json, requireSession } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { clock, date, dayAndMonth, language, number, t } from "../web/words.js";
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
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const points = withGaps(buckets);
  const isSum = buckets.some(({ sum }) => sum !== undefined);
  new window.Chart(find("#chart"), {
    type: isSum ? "bar" : "line",
    data: {
      labels: points.map((point) => (name === "day" ? clock(point.start) : dayAndMonth(point.date ?? point.start))),
      datasets: [{
        label: `${t(`types.${type}`)} (${unitWords(type)})`, data: points.map((point) => (point.isGap ? null : value(point))),
        borderColor: colour("--accent"), backgroundColor: colour("--accent"), borderWidth: 2, spanGaps: false,
        pointRadius: points.length > 100 ? 0 : 3,
      }],
    },
    options: {
      locale: language, animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
      plugins: { tooltip: { callbacks: { title: ([{ dataIndex }]) => label(points[dataIndex]) } }, legend: { labels: { color: colour("--text") } } },
      scales: {
        x: { ticks: { color: colour("--quiet"), maxTicksLimit: 6, maxRotation: 0 }, grid: { display: false } },
        y: { ticks: { color: colour("--quiet") }, grid: { color: colour("--line") } },
      },
    },
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

if (requireSession()) await show().catch((error) => notice(error.words ?? String(error), "bad"));
