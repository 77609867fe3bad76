// Values of data types in words, with the units people know.

import { dataTypes } from "../web/data-types.js";
import { hasWord, number, t } from "../web/words.js";

export const decimalsOf = (type) => dataTypes[type]?.decimals ?? 0;
/** Whether values of the type are amounts, whose sum counts. */
export const isCounter = (type) => dataTypes[type]?.kind === "counter";
/** Whether values of the type are states, of which it counts how long each lasted. */
export const isState = (type) => dataTypes[type]?.kind === "state";

/** The type's unit as it is read; the API's are UCUM codes. */
export const unitWords = (type) => (hasWord(`units.${type}`) ? t(`units.${type}`) : "");

/** `7 h 24 min`, or `35 s`. */
export function lengthWords(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${number(hours)} h` : `${number(hours)} h ${rest} min`;
}

export const distanceWords = (metres) => (metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000, 1)} km`);

/** `12 MB`, or `3,4 kB`. */
export function sizeWords(bytes) {
  if (bytes < 1000) return `${number(bytes)} B`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${number(size, size < 10 ? 1 : 0)} ${unit}`;
}

const kinds = [
  "still", "walking", "running", "cycling", "swimming", "hiking", "rowing", "strength_training", "dancing", "skiing",
  "driving", "other",
];
const places = ["", "indoor", "outdoor"];

/** What somebody was doing, and where: the value is 3 · kind + place. */
export function stateWords(value) {
  const [kind, place] = [kinds[Math.floor(Number(value) / 3)] ?? "other", places[Number(value) % 3]];
  return place ? t(`states.${place}`, { kind: t(`states.kinds.${kind}`) }) : t(`states.kinds.${kind}`);
}

/** A value with its unit. */
export function amountWords(type, value) {
  if (isState(type)) return stateWords(value);
  if (type === "sleep") return lengthWords(value * 60);
  if (type === "distance") return distanceWords(value);
  return `${number(value, decimalsOf(type))} ${unitWords(type)}`;
}
