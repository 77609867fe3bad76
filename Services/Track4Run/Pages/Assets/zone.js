// Times of runs: all write and read them in the time zone of the runs, wherever the browser is.

import { find } from "../web/dom.js";
import { locale } from "../web/words.js";

const { zone: timeZone } = find("[data-zone]").dataset;

const shown = new Intl.DateTimeFormat(locale, {
  timeZone, day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});
/** A time as people read it. */
export const localTime = (time) => shown.format(new Date(time));

const minutes = new Intl.DateTimeFormat(locale, { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** The time of day. */
export const localMinute = (time) => minutes.format(new Date(time));

const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: "medium", hourCycle: "h23" });
/** The time of day with its seconds. */
export const localClock = (time) => clock.format(new Date(time));

/** The time zone's name, such as “Central European Time”. */
export const zoneName = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" })
  .formatToParts().find(({ type }) => type === "timeZoneName").value;

// Swedish writes dates as ISO 8601 does.
const written = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
/** A time as the value of a field `datetime-local`. */
export const toField = (time) => written.format(new Date(time)).replace(" ", "T");

/** The value of such a field as an RFC 3339 time; `undefined` for what is no time. Of a time that there is not, since the clocks are changed, the one an hour on. */
export function fromField(value) {
  // While a year is typed it is 2, 20 and 202 first.
  if (!/^[1-9]\d{3}-/.test(value)) return undefined;
  const local = Date.parse(`${value}:00Z`);
  if (Number.isNaN(local)) return undefined;
  const offset = (time) => Date.parse(`${toField(time)}:00Z`) - time;
  // The first offset may be the one of the other side of a change of the clocks.
  const near = local - offset(local);
  return new Date(local - offset(near)).toISOString();
}
