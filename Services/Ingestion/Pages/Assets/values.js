// Values of data types in words, with the units people know.

import { duration, number, t } from "../web/words.js";

const decimals = { "body-temperature": 1, weight: 1, glucose: 1 };

/** Types that have a page of their own; positions are on the map, states have words. */
export const isListed = (type) => type !== "position" && type !== "motion" && type !== "activity";

/** The type's unit as it is read; the API's are UCUM codes. */
export const unitWords = (type) => t(`units.${type}`);

/** A sample's value with its unit. */
export function valueWords({ type, value, duration_ms: length }) {
  if (type === "sleep") return length ? duration(length / 1000) : t("types.sleep");
  return `${number(value, decimals[type] ?? 0)} ${unitWords(type)}`;
}

export const decimalsOf = (type) => decimals[type] ?? 0;
