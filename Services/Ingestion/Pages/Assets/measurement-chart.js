// The chart of one data type: time as it passed, gaps as gaps, what is outside of usual values marked by its shape.

import { chart } from "../web/chart.js";
import { colours } from "../web/dom.js";
import { clock, dayAndMonth, t } from "../web/words.js";
import { unitWords } from "./values.js";

/** Of more points there is the line only, unless some stand alone. */
const pointsMax = 100;
const ticksMax = 6;
const hour = 3600e3;

/** Times for the axis: whole hours or days by the reader's clock. */
function ticks(from, to) {
  const hours = [1, 3, 6, 12].find((count) => (to - from) / (count * hour) <= ticksMax);
  const days = [1, 2, 7, 14, 31, 61, 122].find((count) => (to - from) / (count * 24 * hour) <= ticksMax) ?? 366;
  const times = [];
  const next = new Date(from);
  next.setHours(0, 0, 0, 0);
  while (next <= to && times.length < 100) {
    if (next >= from) times.push({ value: next.getTime() });
    if (hours) next.setHours(next.getHours() + hours);
    else next.setDate(next.getDate() + days);
  }
  return { times, label: hours ? clock : dayAndMonth };
}

/**
 * Draws `points`, each with its place in time `x`, its value `y` (null where a gap begins or ends), its `label` and whether it
 * `isOutside`; `usual` is the range that is usual, if it is known.
 */
export function draw(canvas, { type, points, from, to, isBar, usual }) {
  const colour = colours();
  const [accent, bad, quiet] = [colour("--accent"), colour("--bad"), colour("--quiet")];
  const standsAlone = (index) => (points[index - 1]?.y ?? null) === null && (points[index + 1]?.y ?? null) === null;
  const isLineEnough = points.length > pointsMax && !points.some(({ y }, index) => y !== null && standsAlone(index));
  const bound = (name, y) => ({
    type: "line", label: t(`measurement.${name}`), data: [{ x: from.getTime(), y }, { x: to.getTime(), y }], parsing: false,
    borderColor: quiet, backgroundColor: quiet, borderDash: [6, 4], borderWidth: 1, pointRadius: 0,
  });
  const values = {
    label: `${t(`types.${type}`)} (${unitWords(type)})`, data: points, parsing: false, spanGaps: false,
    borderColor: accent, backgroundColor: accent, borderWidth: isBar ? 0 : 2, pointRadius: isLineEnough ? 0 : 2.5,
  };
  // A look for each point of one set takes Chart.js far longer than a set of its own.
  const outside = points.filter(({ isOutside }) => isOutside);
  const marks = {
    type: "line", label: t("today.outside"), data: outside, parsing: false, showLine: false, pointStyle: "triangle", pointRadius: 6,
    borderColor: bad, backgroundColor: bad, order: -1,
  };
  const { times, label } = ticks(from, to);
  return chart(canvas, isBar ? "bar" : "line", {
    datasets: [values, ...(outside.length > 0 ? [marks] : []), ...(usual ? [bound("usual_low", usual.low), bound("usual_high", usual.high)] : [])],
  }, {
    tooltip: { callbacks: { title: ([{ raw }]) => raw.label ?? "" } },
  }, {
    type: "linear", min: from.getTime(), max: to.getTime(),
    afterBuildTicks: (scale) => (scale.ticks = times),
    ticks: { callback: (value) => label(value), autoSkip: false },
  });
}
