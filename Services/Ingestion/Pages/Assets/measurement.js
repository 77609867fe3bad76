// One data type over a span: its chart and the same as a table, statistics, what is usual at the age, and people of the
// same age.

import { json, jsonIfThere, requireSession } from "../web/api.js";
import { element, find, findAll, told } from "../web/dom.js";
import { save } from "../web/save.js";
import { number, t } from "../web/words.js";
import { draw } from "./measurement-chart.js";
import { read } from "./measurement-series.js";
import { askedSpan, neighbours } from "./measurement-span.js";
import { showComparison, showStatistics } from "./measurement-statistics.js";
import { isCounter, isState, unitWords } from "./values.js";

const { type } = find("[data-type]").dataset;
const span = askedSpan();
const asked = { type, from: span.from.toISOString(), to: span.to.toISOString() };
/** Samples that are asked for one by one, at most. */
const pointsMax = 2000;
/** Of these the range holds for something else than what the chart shows: the calmest hour, the highest values of a day. */
const notCompared = ["heart-rate", "body-temperature"];

function showSpan() {
  for (const link of findAll("[data-span]")) if (link.dataset.span === span.name) link.setAttribute("aria-current", "true");
  const { before, after } = neighbours(span);
  find("#before").href = before;
  find("#after").hidden = after === null;
  if (after !== null) find("#after").href = after;
  const { from, to, by } = find("#own").elements;
  [from.value, to.value, by.value] = [span.days.from, span.days.to, span.by];
  find("#save").addEventListener("click", () => {
    const query = new URLSearchParams({ ...asked, granularity: "raw" });
    save(`/ingestion/v1/me/series?${query}`, `trackme-${type}-${span.days.from}.csv`, "text/csv").catch(told);
  });
}

/** Rows are made when the table is opened: a year of them takes longer than its chart. */
function showTable(rows) {
  const table = find("#table");
  const hasRange = !isState(type) && span.by !== "raw";
  for (const heading of findAll("th", table).slice(2)) heading.hidden = !hasRange;
  const cell = (text) => element("td", { class: isState(type) ? null : "number" }, text);
  const fill = () => {
    if (!table.open) return;
    find("#rows").replaceChildren(...rows().map(({ when, value, least, greatest, isOutside }) => element("tr", {},
      element("td", {}, when), cell(isOutside ? t("measurement.outside", { value }) : value), ...(hasRange ? [cell(least), cell(greatest)] : []))));
  };
  find("#caption").textContent = [t(`types.${type}`), type === "sleep" ? "" : unitWords(type)].filter(Boolean).join(", ");
  table.addEventListener("toggle", fill);
  fill();
}

function toldOf({ thinned }, count) {
  if (count === 0) return t("measurement.none");
  const words = isState(type) ? [] : [t(`measurement.by_${span.by}`)];
  if (span.isCoarser) words.unshift(t("measurement.coarser"));
  if (thinned) {
    words.push(t(`measurement.thinned.${thinned.method}`, { shown: number(thinned.shown), samples: number(thinned.samples) }));
  }
  return words.join(" ");
}

async function showSeries(usual) {
  const query = new URLSearchParams({ ...asked, granularity: span.by });
  if (span.by === "raw") query.set("max_points", pointsMax);
  const [answer, range] = await Promise.all([json(`/ingestion/v1/me/series?${query}`), usual]);
  performance.mark("answered");
  const isCompared = range && !notCompared.includes(type) && span.by === "day";
  const isOutside = (value) =>
    Boolean(isCompared) && value !== undefined && value !== null && (value < range.low || value > range.high);
  const { count, points, rows } = read(type, answer, isOutside);
  find("#figure").hidden = isState(type) || count === 0;
  if (!find("#figure").hidden) {
    draw(find("#chart"), { type, points, from: span.from, to: span.to, usual: range, isBar: isCounter(type) && span.by !== "raw" });
  }
  performance.mark("drawn");
  find("#thinned").textContent = toldOf(answer, count);
  showTable(rows);
}

/** The range that is usual at the age, when the last week's values are outside of it; the API tells no other. */
async function usualRange() {
  const health = await jsonIfThere("/ingestion/v1/me/health", "no-data");
  const found = health?.out_of_range.find((range) => range.type === type);
  if (!found) return null;
  find("#outside").replaceChildren(element("p", { class: "notice bad" }, found.text));
  return found;
}

if (requireSession()) {
  showSpan();
  const usual = usualRange().catch((error) => {
    told(error);
    return null;
  });
  await Promise.all([
    showSeries(usual).catch(told), showStatistics(type, asked).catch(told), showComparison(type).catch(told),
  ]);
}
