// The types of data, for pages that have no list of them from their service.

/**
 * By name, in the order of the services' lists: how many decimals are shown, if any; and of what kind values are that are no
 * levels. Those of a `counter` are amounts, whose sum counts; those of a `state` are states, of which it counts how long each lasted.
 */
export const dataTypes = {
  position: {},
  "heart-rate": {},
  "blood-pressure-systolic": {},
  "blood-pressure-diastolic": {},
  "oxygen-saturation": { decimals: 1 },
  "respiration-rate": {},
  "body-temperature": { decimals: 1 },
  glucose: { decimals: 1 },
  "stress-level": {},
  steps: { kind: "counter" },
  distance: { kind: "counter" },
  "active-energy": { kind: "counter" },
  "resting-energy": { kind: "counter" },
  "stand-hours": { kind: "counter", decimals: 1 },
  sleep: { kind: "counter" },
  weight: { decimals: 1 },
  height: {},
  "nutrition-energy": { kind: "counter" },
  activity: { kind: "state" },
  motion: { decimals: 2 },
  "well-being": { decimals: 1 },
  "shaking-frequency": { decimals: 1 },
  "shaking-amplitude": { decimals: 2 },
};
