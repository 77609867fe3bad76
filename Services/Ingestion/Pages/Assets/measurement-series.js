// What the API tells of one data type over time, as points of a chart and rows of a table.

import { clock, date, dayAndMonth, number, t } from "../web/words.js";
import { amountWords, decimalsOf, isCounter, isState, lengthWords, stateWords } from "./values.js";

const lengths = { minute: 60e3, hour: 3600e3, day: 86400e3, week: 7 * 86400e3, month: 30.4 * 86400e3 };
/** So long a reading of a rate holds. */
const holds = 300e3;

const moment = (time) => `${dayAndMonth(time)}, ${clock(time)}`;

/** What a bucket is called: its day, its hour. */
function bucketLabel({ start, date: day }, granularity) {
  if (granularity === "hour" || granularity === "minute") return moment(start);
  const name = date(`${day}T12:00`);
  return granularity === "day" ? name : t(`measurement.from_${granularity}`, { day: name });
}

/** Buckets with those that are lacking between them as gaps, each as wide as it was long. */
function bucketPoints(buckets, granularity, isOutside) {
  const length = lengths[granularity];
  const gap = (x) => ({ x, y: null });
  const points = [];
  let last = null;
  for (const bucket of buckets) {
    const y = bucket.mean ?? bucket.sum ?? null;
    const x = new Date(bucket.start).getTime() + length / 2;
    if (last === null) points.push(gap(x - length));
    else for (let lacking = last + length; x - lacking > length / 2; lacking += length) points.push(gap(lacking));
    points.push({ x, y, label: bucketLabel(bucket, granularity), isOutside: isOutside(y) });
    last = x;
  }
  if (last !== null) points.push(gap(last + length));
  return points;
}

/** Single samples in the order of time; those without contact are no values. */
function samplesOf(series) {
  return series.flatMap(({ start, offsets_ms: offsets, values, contact, durations_ms: durations }) => {
    const begin = new Date(start).getTime();
    return offsets.map((offset, index) => ({
      time: begin + offset, value: values[index], hasContact: contact?.[index] ?? true, length: durations?.[index] ?? 0,
    }));
  }).sort((first, second) => first.time - second.time);
}

/** A line breaks off where nothing was measured for longer than a reading holds; in a thinned series points lie wider. */
function samplePoints(samples, thinned, isOutside) {
  const gapMin = holds * (thinned ? Math.max(1, thinned.samples / Math.max(1, thinned.shown)) : 1);
  const points = [];
  for (const { time, value, hasContact } of samples) {
    const last = points.at(-1);
    if (last && time - last.x > gapMin) points.push({ x: (time + last.x) / 2, y: null });
    points.push({
      x: time, y: hasContact ? value : null, label: moment(time), isOutside: hasContact && isOutside(value),
    });
  }
  return points;
}

/** How long each state lasted, the longest first. */
export const statesWords = (states) => Object.entries(states).sort(([, first], [, second]) => second - first)
  .map(([value, seconds]) => `${stateWords(value)} ${lengthWords(seconds)}`).join(", ");

/**
 * The points of an answer of `/me/series`, and `rows`, which makes the table's rows: when, value, least, greatest, whether
 * it is outside of what is usual.
 */
export function read(type, { granularity, buckets = [], series = [], thinned }, isOutside) {
  const write = (value) => (value === undefined || value === null ? ""
    : type === "sleep" ? amountWords(type, value) : number(value, decimalsOf(type)));
  if (granularity !== "raw") {
    return {
      count: buckets.length, points: isState(type) ? [] : bucketPoints(buckets, granularity, isOutside),
      rows: () => buckets.map((bucket) => {
        const value = bucket.mean ?? bucket.sum;
        return {
          when: bucketLabel(bucket, granularity), value: bucket.states ? statesWords(bucket.states) : write(value),
          least: write(bucket.min), greatest: write(bucket.max), isOutside: isOutside(value),
        };
      }),
    };
  }
  const samples = samplesOf(series);
  return {
    count: samples.length, points: isState(type) ? [] : samplePoints(samples, thinned, isOutside),
    rows: () => samples.map(({ time, value, hasContact, length }) => ({
      when: length > 0 && !isCounter(type) ? `${moment(time)}, ${lengthWords(length / 1000)}` : moment(time),
      value: !hasContact ? t("measurement.no_contact") : isState(type) ? stateWords(value) : write(value),
      least: "", greatest: "", isOutside: hasContact && isOutside(value),
    })),
  };
}
