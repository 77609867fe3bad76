// The span that a page of measurements shows, and the addresses of those before and after it.

import { addDays, askedDays, countOf, dayOf, timesOf, today } from "./days.js";

const spans = {
  day: { days: 1, by: "hour" }, week: { days: 7, by: "hour" }, month: { days: 31, by: "day" }, year: { days: 366, by: "day" },
};
export const granularities = ["raw", "minute", "hour", "day", "week", "month"];
/** Longer spans are too many buckets to draw. */
const daysMax = { raw: 31, minute: 7, hour: 92, day: 1500, week: 11_000, month: 36_600 };

/** The finest granularity, from `by` on, that a span of so many days is drawn with. */
const fitting = (by, count) =>
  granularities.slice(granularities.indexOf(by)).find((granularity) => count <= daysMax[granularity]) ?? "month";

/**
 * What the page's address asks for: `name` of one of the usual spans, which end now, or days of one's own; its `from`,
 * `to` and granularity `by`, and `isCoarser` when a finer one was asked for than can be drawn.
 */
export function askedSpan() {
  const query = new URLSearchParams(location.search);
  const days = askedDays();
  if (days !== null) {
    const asked = query.get("by");
    const count = countOf(days);
    const by = fitting(granularities.includes(asked) ? asked : count <= 7 ? "hour" : "day", count);
    return { name: null, days, ...timesOf(days), by, isCoarser: granularities.includes(asked) && by !== asked };
  }
  const name = Object.hasOwn(spans, query.get("span") ?? "") ? query.get("span") : "week";
  const to = new Date();
  const from = new Date(to - spans[name].days * 86400e3);
  return { name, days: { from: addDays(dayOf(to), 1 - spans[name].days), to: dayOf(to) }, from, to, by: spans[name].by, isCoarser: false };
}

/** Addresses of spans as long as this one, before and after it; null where there is none. */
export function neighbours({ days, by }) {
  const count = countOf(days);
  const address = (shift) =>
    `?${new URLSearchParams({ from: addDays(days.from, shift), to: addDays(days.to, shift), by })}`;
  return { before: address(-count), after: days.to < today() ? address(count) : null };
}
