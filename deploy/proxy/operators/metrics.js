// Prometheus' text format, version 0.0.4, as the services write it, and what is reckoned from it.

/** Of one answer more lines are not read. */
const linesMax = 50_000;
const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

const number = (text) => (text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text));

/** The series of one answer of `/metrics`. Lines that are none are passed over. */
export class Metrics {
  #families = new Map();

  constructor(text) {
    for (const row of text.split("\n", linesMax)) {
      const found = row.startsWith("#") ? null : line.exec(row.trim());
      if (!found) continue;
      const [, name, key = "", value] = found;
      const labels = {};
      for (const [, own, given] of key.matchAll(label)) labels[own] = given.replace(/\\[\\"n]/g, (text) => escapes[text]);
      if (!this.#families.has(name)) this.#families.set(name, []);
      this.#families.get(name).push({ key, labels, value: number(value) });
    }
  }

  /** The series of a metric: `{key, labels, value}`, of which `key` tells one from the others. */
  all(name) {
    return this.#families.get(name) ?? [];
  }

  /** The sum of the series of a metric that have these labels; `undefined` when there is none. */
  value(name, labels = {}) {
    const wanted = Object.entries(labels);
    const found = this.all(name).filter((series) => wanted.every(([label, value]) => series.labels[label] === value));
    return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined;
  }
}

/** By how much each series of a counter has grown between two answers: after a restart of the process, from nothing. */
export function growth(before, after, name) {
  const old = new Map(before.all(name).map(({ key, value }) => [key, value]));
  return after.all(name).map(({ key, labels, value }) => {
    const was = old.get(key) ?? 0;
    return { labels, value: value >= was ? value - was : value };
  });
}

export const sum = (series) => series.reduce((total, { value }) => total + value, 0);

/**
 * The growth of a histogram between two answers: for each combination of its other labels these, the number of
 * observations, and the buckets as pairs of upper bound and count, cumulative and ascending.
 */
export function histograms(before, after, name) {
  const found = new Map();
  for (const { labels: all, value } of growth(before, after, `${name}_bucket`)) {
    const { le, ...labels } = all;
    const key = JSON.stringify(labels);
    if (!found.has(key)) found.set(key, { labels, buckets: [] });
    found.get(key).buckets.push([number(le), value]);
  }
  return [...found.values()].map(({ labels, buckets }) => {
    buckets.sort(([a], [b]) => a - b);
    return { labels, buckets, count: buckets.at(-1)[1] };
  });
}

/**
 * The value below which this share of a histogram's observations lies, linear within its bucket as Prometheus reckons it;
 * the highest bound when it lies beyond; `null` without observations.
 */
export function quantile(share, buckets) {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const rank = share * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank) {
      if (bound === Infinity) return lower;
      return count === below ? bound : lower + ((bound - lower) * (rank - below)) / (count - below);
    }
    [lower, below] = [bound, count];
  }
  return lower;
}
