// Spans of whole days by the reader's clock, as pages name them in their addresses.

const two = (number) => String(number).padStart(2, "0");

/** The day of a time, `2026-05-01`. */
export const dayOf = (time) => {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
/** The day and minute of a time, `2026-05-01T07:30`. */
export const minuteOf = (time) => `${dayOf(time)}T${two(new Date(time).getHours())}:${two(new Date(time).getMinutes())}`;
export const today = () => dayOf(Date.now());
/** The beginning of a day. */
export const startOf = (day) => new Date(`${day}T00:00`);

export function addDays(day, count) {
  const date = startOf(day);
  date.setDate(date.getDate() + count);
  return dayOf(date);
}

/** From the beginning of the first day to the end of the last one. */
export const timesOf = ({ from, to }) => ({ from: startOf(from), to: startOf(addDays(to, 1)) });

/** How many days there are from one to another, both counted. */
export const countOf = ({ from, to }) => Math.round((startOf(to) - startOf(from)) / 86400e3) + 1;

/** The days that the page's address names with `from` and `to`; `null` without, or when they are none. */
export function askedDays() {
  const query = new URLSearchParams(location.search);
  const [from, to] = ["from", "to"].map((name) => query.get(name) ?? "");
  // The end of the last day that can be written so cannot be written.
  const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && text < "9999-12-31" && !Number.isNaN(startOf(text).getTime());
  if (!isDay(from) || !isDay(to)) return null;
  return from <= to ? { from, to } : { from: to, to: from };
}
