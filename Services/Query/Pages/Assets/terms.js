// What was agreed about a person's data: how fine it is, and when it comes.

import { locale, number, t } from "../web/words.js";

/** “One value for each hour, once a day”. A request for the past has no frequency. */
export function termsWords({ granularity, frequency, every_minutes: minutes }) {
  const values = t(`terms.granularity.${granularity}`);
  if (!frequency) return values;
  const often = t(`terms.frequency.${frequency}`, { minutes: minutes ? number(minutes) : "" });
  return `${values}, ${often[0].toLocaleLowerCase(locale)}${often.slice(1)}`;
}
