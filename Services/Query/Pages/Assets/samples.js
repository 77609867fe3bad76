// The samples of a request or, where it has a granularity, their sums, read answer by answer. Of all that was read the plot's
// buckets stay, of the samples themselves those read last, so that a page's memory is bounded however much data there is.

import { json } from "../web/api.js";
import { Sums } from "./sums.js";

/** Samples of one answer, about. Each answer is a line in the person's access log, so they are few and large. */
const answerMax = 10_000;
/** Read without being asked again. */
const turnMax = 100_000;
/** Answers of one turn: one may be empty although there are more. */
const answersMax = 100;
/** Kept for the table, about. */
const keptMax = 100_000;

const bucketsMax = 240;
const pathPointsMax = 1000;
/** Each a multiple of the one before, in milliseconds. */
const steps = [1, 10, 60, 300, 900, 3600, 21_600, 86_400, 604_800].map((seconds) => seconds * 1000);

/** The samples of one type by spans of time, which become wider as the samples reach further. */
class Buckets {
  step = steps[0];
  /** Samples that were read, those that are no value among them. */
  read = 0;
  #byKey = new Map();
  #most;

  constructor(type) {
    this.#most = type === "position" ? pathPointsMax : bucketsMax;
  }

  add(time, value, place) {
    this.#merge({ start: time, count: 1, sum: value, min: value, max: value, place });
    while (this.#byKey.size > this.#most) {
      this.step = steps[steps.indexOf(this.step) + 1] ?? 4 * this.step;
      const narrow = this.#byKey;
      this.#byKey = new Map();
      for (const bucket of narrow.values()) this.#merge(bucket);
    }
  }

  #merge(more) {
    const key = Math.floor(more.start / this.step);
    const bucket = this.#byKey.get(key);
    if (!bucket) return this.#byKey.set(key, { ...more, start: key * this.step });
    bucket.count += more.count;
    bucket.sum += more.sum;
    bucket.min = Math.min(bucket.min, more.min);
    bucket.max = Math.max(bucket.max, more.max);
    return undefined;
  }

  get ordered() {
    return [...this.#byKey.values()].sort((one, other) => one.start - other.start);
  }
}

/** The samples or sums at `path` from after `cursor`, or from the beginning. */
export class Samples {
  count = 0;
  hasMore = true;
  /** Whether some of it cannot be read now. */
  isDelayed = false;
  cursor;
  #path;
  #answers = [];
  /** Samples that are no longer kept. */
  #cut = 0;
  #buckets = new Map();
  #sums = new Sums();

  constructor(path, cursor) {
    this.#path = path;
    this.cursor = cursor;
  }

  /** Reads on, up to the end or for one turn; `show` is called after each answer that held something. Throws `Refused`. */
  async readOn(show) {
    const before = this.count;
    // What the last read has told stays when this one fails, so that it is tried again.
    let hasMore = true;
    for (let answer = 0; hasMore && answer < answersMax && this.count - before < turnMax; answer++) {
      const query = new URLSearchParams({ limit: answerMax, ...(this.cursor ? { cursor: this.cursor } : {}) });
      const { series = [], sums = [], next, has_more: more, is_delayed: isDelayed = false } = await json(`${this.#path}?${query}`);
      this.cursor = next;
      this.hasMore = hasMore = more;
      this.isDelayed = isDelayed;
      this.count += this.#sums.add(sums);
      if (series.length > 0) this.#keep(series);
      if (series.length > 0 || sums.length > 0) show();
    }
    return this.count - before;
  }

  /** The buckets of a type in the order of time, how long each is, in milliseconds, and whether some are of several values. */
  buckets(type) {
    if (this.isSummed(type)) return this.#sums.buckets(type);
    const found = this.#buckets.get(type);
    const all = found?.ordered ?? [];
    return { step: found?.step ?? steps[0], all, isThinned: all.some(({ count }) => count > 1) };
  }

  /** Whether the values of a type are sums. */
  isSummed(type) {
    return this.#sums.has(type);
  }

  /** How many samples of a type were read, or how many sums there are. */
  countOf(type) {
    return this.isSummed(type) ? this.#sums.countOf(type) : this.#buckets.get(type)?.read ?? 0;
  }

  /** The samples or sums of a type that are kept, the latest first: `{time, series, index}`, or of sums `{time, bucket}`. */
  kept(type) {
    if (this.isSummed(type)) return this.#sums.kept(type);
    const rows = this.#answers.flatMap(({ series }) => series.filter((one) => one.type === type).flatMap((one) => {
      const start = Date.parse(one.start);
      return one.offsets_ms.map((offset, index) => ({ time: start + offset, series: one, index }));
    }));
    return rows.sort((one, other) => other.time - one.time);
  }

  /** Whether samples that were read are no longer kept. */
  get isCut() {
    return this.#sums.isCut || this.#cut > 0;
  }

  #keep(series) {
    let count = 0;
    for (const one of series) {
      count += one.offsets_ms.length;
      this.#count(one);
    }
    this.count += count;
    this.#answers.push({ series, count });
    let kept = this.#answers.reduce((sum, answer) => sum + answer.count, 0);
    while (this.#answers.length > 1 && kept > keptMax) {
      const { count } = this.#answers.shift();
      kept -= count;
      this.#cut += count;
    }
  }

  /** A reading without contact is no value of the person. */
  #count({ type, start, offsets_ms: offsets, values, contact, latitudes, longitudes }) {
    if (!this.#buckets.has(type)) this.#buckets.set(type, new Buckets(type));
    const buckets = this.#buckets.get(type);
    buckets.read += offsets.length;
    const begin = Date.parse(start);
    offsets.forEach((offset, index) => {
      if (contact?.[index] === false) return;
      buckets.add(begin + offset, values?.[index] ?? 0, latitudes && [longitudes[index], latitudes[index]]);
    });
  }
}

/** Whether a read was refused because what it goes on from is not known any more, or is somebody else's: it begins anew. */
export const isCursorGone = ({ code, errors = [] }) =>
  code === "cursor-gone" || errors.some(({ parameter }) => parameter === "cursor");

const seenKey = "data-seen";
const seenMax = 50;
const allSeen = () => JSON.parse(localStorage.getItem(seenKey) ?? "[]");

/** Up to where this browser has read a request's data, and when: `{cursor, at}`. A cursor says nothing of the data. */
export const seen = (id) => allSeen().find((entry) => entry.id === id);

export function remember(id, cursor) {
  const others = allSeen().filter((entry) => entry.id !== id).slice(0, seenMax - 1);
  localStorage.setItem(seenKey, JSON.stringify([{ id, cursor, at: Date.now() }, ...others]));
}
