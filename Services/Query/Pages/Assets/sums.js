// Sums of a request whose data is summed up, as they stand: what comes later takes the place of what was told of its span before.

/** Kept, about; those read first go. */
const keptMax = 100_000;
const bucketsMax = 240;

export class Sums {
  /** By type: the sums by their beginning, and where the last of them ends. */
  #byType = new Map();
  #kept = 0;
  /** Whether sums that were read are no longer kept. */
  isCut = false;

  /** Adds what an answer holds. Returns how many sums these are. */
  add(spans) {
    let count = 0;
    for (const { type, from, to, buckets } of spans) {
      const own = this.#own(type);
      if (Date.parse(from) < own.end) this.#remove(own, Date.parse(from), Date.parse(to));
      for (const bucket of buckets) {
        const [start, end] = [Date.parse(bucket.start), Date.parse(bucket.end)];
        if (!own.byStart.has(start)) this.#kept += 1;
        own.byStart.set(start, { ...bucket, start, end });
        own.end = Math.max(own.end, end);
      }
      count += buckets.length;
    }
    this.#cut();
    return count;
  }

  #own(type) {
    if (!this.#byType.has(type)) this.#byType.set(type, { byStart: new Map(), end: -Infinity });
    return this.#byType.get(type);
  }

  #remove({ byStart }, from, to) {
    for (const start of byStart.keys()) {
      if (start >= from && start < to && byStart.delete(start)) this.#kept -= 1;
    }
  }

  #cut() {
    while (this.#kept > keptMax) {
      const longest = [...this.#byType.values()].sort((one, other) => other.byStart.size - one.byStart.size)[0];
      for (const start of longest.byStart.keys()) {
        if (this.#kept <= keptMax) break;
        longest.byStart.delete(start);
        this.#kept -= 1;
        this.isCut = true;
      }
    }
  }

  /** Whether there are sums of a type. */
  has(type) {
    return this.countOf(type) > 0;
  }

  countOf(type) {
    return this.#byType.get(type)?.byStart.size ?? 0;
  }

  /** In the order of time. */
  #ordered(type) {
    return [...(this.#byType.get(type)?.byStart.values() ?? [])].sort((one, other) => one.start - other.start);
  }

  /** As `Samples.buckets`: each a sum, or where there are many some of them together. What has no value is left out. */
  buckets(type) {
    const all = this.#ordered(type).filter(({ mean, sum }) => (mean ?? sum) !== undefined);
    const together = Math.ceil(all.length / bucketsMax);
    const drawn = [];
    for (let first = 0; first < all.length; first += together) drawn.push(joined(all.slice(first, first + together)));
    const step = all.length === 0 ? 0 : (all[0].end - all[0].start) * together;
    return { step, all: drawn, isThinned: together > 1 };
  }

  /** As `Samples.kept`: `{time, bucket}`, the latest first. */
  kept(type) {
    return this.#ordered(type).reverse().map((bucket) => ({ time: bucket.start, bucket }));
  }
}

/** Sums that follow each other as one bucket of the plot: of a rate its sum is that of the means, weighed by their readings. */
function joined(sums) {
  const of = sums.map(({ count, mean, sum, min, max }) => {
    const value = mean ?? sum;
    return { count, sum: mean === undefined ? sum : mean * count, min: min ?? value, max: max ?? value };
  });
  return {
    start: sums[0].start, count: of.reduce((all, { count }) => all + count, 0), sum: of.reduce((all, { sum }) => all + sum, 0),
    min: Math.min(...of.map(({ min }) => min)), max: Math.max(...of.map(({ max }) => max)),
  };
}
