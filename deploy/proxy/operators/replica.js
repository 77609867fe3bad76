// One replica of a service as this page has seen it: how it is, and its figures of the last minutes. Nothing is kept
// elsewhere, and nothing beyond the page.

import { Metrics, growth, sum } from "./metrics.js";

/** A replica that does not answer within this time counts as down. */
const answerSeconds = 4;
/** No connection, an answer that breaks off or is none, and no time left, as browsers call them. */
const failures = new Set(["TypeError", "SyntaxError", "TimeoutError", "AbortError"]);
/** Whole answers are kept for a minute, at the pace of `interval`. */
export const interval = 5;
const answersMax = 60 / interval + 1;
/** Before a pause, or while nobody looked, is not the last minute. */
const answerAgeMax = 120_000;
/** What has grown is kept for ten minutes, and so are the points of small charts. */
export const memoryMinutes = 10;
const pointsMax = (memoryMinutes * 60) / interval;
const eventsMax = 1000;

/** Counters whose growth is worth attention for a while. */
const watched = [
  "trackme_handover_alarms_total", "trackme_database_overloads_total", "trackme_database_write_failures_total",
  "trackme_feed_passed_over_total", "trackme_feed_incidents_total", "trackme_notices_refused_total",
  "trackme_unreadable_rows_total", "trackme_tls_handshake_failures_total", "trackme_ingestion_keys_missing_total",
  "trackme_ingestion_samples_dropped_total", "trackme_connections_refused_total", "trackme_background_failures_total",
  "trackme_spans_dropped_total",
];

export class Replica {
  /** `down`, or what `/readyz` says: `ready`, `degraded`, `unavailable`, `starting`, `stopping`. */
  state = null;
  /** When this page saw it become so. */
  since = null;
  /** Whether it was so when the page first looked: then it may have been for longer. */
  isFirst = true;
  /** The parts of `/readyz` that are not well. */
  faults = [];
  /** The time of the machine that it runs on, in seconds since 1970, at its last answer. */
  clock = 0;
  /** Answers of the last minute, the newest last. */
  #answers = [];
  /** What watched counters have grown by. */
  #events = [];
  #points = new Map();

  constructor({ name, replica, path }, isAlone) {
    this.service = name;
    this.name = isAlone ? name : `${name} ${replica}`;
    this.path = path;
  }

  get metrics() {
    return this.#answers.at(-1)?.metrics ?? null;
  }

  /** The oldest and the newest answer of the last minute, and the seconds between them; `null` before there are two. */
  get span() {
    if (this.#answers.length < 2) return null;
    const [before, after] = [this.#answers[0], this.#answers.at(-1)];
    return { before: before.metrics, after: after.metrics, seconds: (after.at - before.at) / 1000 };
  }

  /** How fast a counter grows each second; `null` before it is known. `wanted` chooses its series. */
  rate(name, wanted = () => true) {
    const span = this.span;
    return span && sum(growth(span.before, span.after, name).filter(({ labels }) => wanted(labels))) / span.seconds;
  }

  /** What a watched counter has grown by in the last ten minutes: for each combination of labels how much, and when last. */
  grown(name) {
    const found = new Map();
    for (const event of this.#events) {
      if (event.name !== name) continue;
      const key = JSON.stringify(event.labels);
      const known = found.get(key) ?? { labels: event.labels, value: 0 };
      found.set(key, { ...known, value: known.value + event.value, at: event.at });
    }
    return [...found.values()];
  }

  /** The points of a small chart, oldest first; `null` where the value was not known. */
  points(key) {
    return this.#points.get(key) ?? [];
  }

  /** Adds a point to a small chart. */
  note(key, value) {
    const points = this.points(key);
    this.#points.set(key, [...points, value ?? null].slice(-pointsMax));
  }

  /** Whether a noted value has been above nothing for these minutes. */
  lasts(key, minutes) {
    const points = this.points(key).slice((-minutes * 60) / interval);
    return points.length >= (minutes * 60) / interval && points.every((value) => value > 0);
  }

  /** Asks it how it is. What cannot be asked is down. */
  async look() {
    const options = { signal: AbortSignal.timeout(answerSeconds * 1000), cache: "no-store", credentials: "same-origin" };
    let report, text;
    try {
      const [ready, figures] = await Promise.all([
        fetch(`${this.path}/readyz`, options), fetch(`${this.path}/metrics`, options),
      ]);
      // Where it is away nginx answers for it, with a problem.
      const isItsOwn = ready.headers.get("Content-Type")?.startsWith("application/json") && figures.ok;
      if (isItsOwn) [report, text] = await Promise.all([ready.json(), figures.text()]);
      this.clock = Date.parse(figures.headers.get("Date") ?? new Date()) / 1000;
    } catch (error) {
      if (!failures.has(error.name)) throw error;
      report = undefined;
    }
    if (report === undefined) {
      this.#answers = [];
      this.#become("down", []);
      return;
    }
    this.#take(new Metrics(text));
    this.#become(report.status, report.parts.filter(({ status }) => status !== "ok" && status !== "unknown"));
  }

  #become(state, faults) {
    this.faults = faults;
    if (state === this.state) return;
    this.isFirst = this.state === null;
    [this.state, this.since] = [state, Date.now()];
  }

  #take(metrics) {
    const at = Date.now();
    const before = this.metrics;
    // Of a process that was started anew the answers of the one before tell nothing.
    const started = (of) => of?.value("process_start_time_seconds");
    if (before && started(before) !== started(metrics)) this.#answers = [];
    if (before) {
      for (const name of watched) {
        for (const { labels, value } of growth(before, metrics, name)) {
          if (value > 0) this.#events.push({ at, name, labels, value });
        }
      }
    }
    this.#events = this.#events.filter((event) => at - event.at <= memoryMinutes * 60_000).slice(-eventsMax);
    this.#answers = [...this.#answers, { at, metrics }].filter((answer) => at - answer.at <= answerAgeMax).slice(-answersMax);
  }
}
