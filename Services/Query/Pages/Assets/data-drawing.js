// A person's samples as a plot, or as a path where they are positions, with the same in a table.

import { chart } from "../web/chart.js";
import { colours, element, find } from "../web/dom.js";
import { plainMap } from "../web/map.js";
import { clock, dayAndMonth, duration, locale, number, t } from "../web/words.js";

/** A reading of a rate holds at most so long: where the next comes later there is a gap. */
const heldMax = 300_000;
const second = 1000;
const day = 86_400_000;

const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const seconds = new Intl.DateTimeFormat(locale, { timeStyle: "medium", hourCycle: "h23" });

/** “15 minutes”. */
export function stepWords(step) {
  const [unit, length] = [["day", day], ["hour", 3600 * second], ["minute", 60 * second], ["second", second]]
    .find(([, length]) => step >= length);
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 });
  return format.format(step / length);
}

const valueOf = ({ sum, count }, kind) => (kind === "counter" ? sum : sum / count);
/** When a bucket begins: its day, and where it is shorter the time of day, each on a line of its own in the chart. */
function startLines(start, step) {
  if (step >= day) return [days.format(start)];
  return [dayAndMonth(start), step >= 60 * second ? clock(start) : seconds.format(start)];
}

let plot;
function drawPlot({ type, kind, step, buckets }) {
  const colour = colours();
  const points = [];
  for (const bucket of buckets) {
    if (points.length > 0 && bucket.start - points.at(-1).start > Math.max(1.5 * step, heldMax)) points.push(null);
    points.push(bucket);
  }
  const label = `${t(kind === "counter" ? "data-request.sum" : "data-request.mean")} (${t(`units.${type}`)})`;
  const values = {
    label, data: points.map((point) => point && valueOf(point, kind)), backgroundColor: colour("--accent"),
    borderColor: colour("--accent"),
  };
  const hasRange = kind === "rate" && buckets.some(({ min, max }) => max > min);
  plot?.destroy();
  plot = chart(find("#chart"), "bar", {
    labels: points.map((point) => (point ? startLines(point.start, step) : "")),
    datasets: kind === "counter" ? [values] : [
      { ...values, type: "line", borderWidth: 2, spanGaps: false, pointRadius: points.length > 100 ? 1 : 3 },
      ...(hasRange ? [{
        label: t("data-request.range"), data: points.map((point) => point && [point.min, point.max]),
        backgroundColor: colour("--line"), barPercentage: 0.5,
      }] : []),
    ],
  });
}

let map;
let path;
function drawPath(buckets) {
  const points = buckets.map(({ place: [longitude, latitude] }) => [latitude, longitude]);
  map ??= plainMap(find("#map"), t("data-request.map"));
  path?.remove();
  path = window.L.polyline(points, { color: colours()("--accent"), weight: 4 }).addTo(map);
  if (points.length > 0) map.fitBounds(path.getBounds(), { padding: [24, 24], maxZoom: 16 });
}

/** Draws the buckets of one type, and writes those that have numbers into the table beside. */
export function drawSamples({ type, kind, decimals, step, buckets }) {
  const isDrawn = buckets.length > 0 && kind !== "state";
  find("#plot").hidden = !isDrawn || kind === "position";
  find("#map").hidden = !isDrawn || kind !== "position";
  find("#spans").hidden = find("#plot").hidden;
  if (isDrawn && kind === "position") drawPath(buckets);
  if (find("#plot").hidden) return;
  drawPlot({ type, kind, step, buckets });
  const digits = Math.min(decimals, kind === "counter" ? 0 : 1);
  const cell = (text) => element("td", { class: "number" }, text);
  find("#span-value").textContent = t(kind === "counter" ? "data-request.sum" : "data-request.mean");
  find("#span-rows").replaceChildren(...buckets.map((bucket) => element("tr", {},
    element("td", { class: "time" }, startLines(bucket.start, step).join(", ")), cell(number(bucket.count)),
    cell(number(valueOf(bucket, kind), digits)), cell(`${number(bucket.min, digits)} – ${number(bucket.max, digits)}`))));
}

const stateWords = (value) => find(`#states [data-value="${value}"]`)?.textContent ?? t("data-request.unknown_state");

/** What a sum says: of states how long each lasted. */
function sumWords({ mean, sum, states = [] }, { type, kind, decimals }) {
  if (kind === "state") return states.map(({ state, seconds }) => `${stateWords(state)} ${duration(seconds)}`).join("; ");
  const value = mean ?? sum;
  // Means have a decimal more than what was measured.
  if (value === undefined) return t("data-request.no_value");
  return `${number(value, decimals + (mean === undefined ? 0 : 1))} ${t(`units.${type}`)}`;
}

function valueWords({ series, index }, { type, kind, decimals }) {
  if (kind === "position") {
    const accuracy = series.accuracies?.[index];
    return `${number(series.latitudes[index], 5)}; ${number(series.longitudes[index], 5)}${
      accuracy === null || accuracy === undefined ? "" : ` (± ${number(accuracy)} m)`}`;
  }
  const value = series.values[index];
  if (kind === "state") return stateWords(value);
  const words = `${number(value, decimals)} ${t(`units.${type}`)}`;
  return series.contact?.[index] === false ? t("data-request.no_contact", { value: words }) : words;
}

/** Writes samples or sums one by one into their table. */
export function fillTable(rows, of) {
  find("#rows").replaceChildren(...rows.map((row) => {
    const { bucket } = row;
    const length = bucket ? bucket.end - bucket.start : row.series.durations_ms?.[row.index];
    return element("tr", {},
      element("td", { class: "time" }, element("time", { datetime: new Date(row.time).toISOString() }, moments.format(row.time))),
      element("td", { class: "number" }, bucket ? sumWords(bucket, of) : valueWords(row, of)),
      element("td", { class: "number" }, length ? duration(length / 1000) : ""));
  }));
}
