// The geometry of courses, by the rules of the service, so that organisers learn of a fault before they send. Points are
// [longitude, latitude] in degrees; lengths are metres.

const earthRadius = 6371008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;
const metresPerDegree = radians(earthRadius);

/** As precise as a path can be drawn: 10 cm. */
export const rounded = (point) => point.map((degrees) => Math.round(degrees * 1e6) / 1e6);

const isPoint = ([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;

/** Along a great circle. */
export function distance([fromLongitude, fromLatitude], [toLongitude, toLatitude]) {
  const up = Math.sin(radians(toLatitude - fromLatitude) / 2);
  const right = Math.sin(radians(toLongitude - fromLongitude) / 2);
  const square = up * up + Math.cos(radians(fromLatitude)) * Math.cos(radians(toLatitude)) * right * right;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** From the start to each point. */
export function distances(points) {
  const all = points.length > 0 ? [0] : [];
  for (let index = 1; index < points.length; index++) all.push(all[index - 1] + distance(points[index - 1], points[index]));
  return all;
}

/** The number of the stretch between two points that holds the place `along` the path. */
function stretch(all, along) {
  let [low, high] = [0, all.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (all[middle] <= along) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The point so many metres from the start. */
export function pointAt(points, along) {
  const all = distances(points);
  const index = stretch(all, along);
  const [from, to] = [points[index], points[index + 1]];
  const fraction = Math.min(1, Math.max(0, (along - all[index]) / (all[index + 1] - all[index] || 1)));
  return rounded(from.map((degrees, axis) => degrees + fraction * (to[axis] - degrees)));
}

/** Where `point` sees another one, metres east and north. */
const plane = ([longitude, latitude], other) => [
  (other[0] - longitude) * Math.cos(radians(latitude)) * metresPerDegree, (other[1] - latitude) * metresPerDegree,
];

/** The place on the stretch between two points that is nearest to `point`: which part of it, and how far away. */
function nearest(point, from, to, low = 0, high = 1) {
  const [startX, startY] = plane(point, from);
  const [endX, endY] = plane(point, to);
  const [x, y] = [endX - startX, endY - startY];
  const square = x * x + y * y;
  const fraction = Math.min(high, Math.max(low, square > 0 ? -(startX * x + startY * y) / square : 0));
  return { fraction, offset: Math.hypot(startX + fraction * x, startY + fraction * y) };
}

/** Where the path comes nearest to `point` from `from` to `to` metres after the start: `along` the path, `offset` beside it. */
export function project(points, point, from = 0, to = Infinity, all = distances(points)) {
  let best = { along: from, offset: Infinity };
  for (let index = stretch(all, from); index + 1 < points.length && all[index] <= to; index++) {
    const length = all[index + 1] - all[index];
    if (length === 0) continue;
    const { fraction, offset } = nearest(
      point, points[index], points[index + 1], Math.max(0, (from - all[index]) / length), Math.min(1, (to - all[index]) / length));
    if (offset < best.offset) best = { along: all[index] + fraction * length, offset };
  }
  return best;
}

/** Where the checkpoints are passed, one after the other, metres from the start; `null` for one that the service would refuse. */
export function passages({ points, checkpoints }, { checkpointOffsetMax: near }) {
  const all = distances(points);
  const length = all.at(-1) ?? 0;
  let before = null;
  return checkpoints.map(({ coordinates }) => {
    // In steps, so that the laps of a course stay apart.
    for (let from = before === null ? 0 : before + 2 * near; from < length; from += 1000) {
      const found = project(points, coordinates, from, from + 1000, all);
      if (found.offset <= near) return (before = project(points, coordinates, from, found.along + near, all).along);
    }
    return null;
  });
}

/** Why the service would refuse the path, if it would: a word's name and its values. `seconds`: from start to end, if known. */
export function fault(points, seconds, limits) {
  if (points.length < 2) return ["few"];
  if (points.length > limits.pointsMax) return ["many", { points: limits.pointsMax }];
  const all = distances(points);
  const far = all.findIndex((along, index) => index > 0 && along - all[index - 1] > limits.jumpMax + 1);
  if (far > 0) return ["jump", { from: far, to: far + 1, km: limits.jumpMax / 1000 }];
  if (all.at(-1) < limits.lengthMin) return ["short", { metres: limits.lengthMin }];
  if (all.at(-1) > limits.lengthMax) return ["long", { km: limits.lengthMax / 1000 }];
  if (seconds > 0 && all.at(-1) > limits.speedMax * seconds) return ["fast"];
  return null;
}

/** As few of the points as show the path within `tolerance` (Douglas and Peucker, 1973), and one for each `gapMax`. */
export function thinned(points, tolerance, gapMax) {
  const kept = new Set([0, points.length - 1]);
  const open = [[0, points.length - 1]];
  while (open.length > 0) {
    const [first, last] = open.pop();
    if (last - first < 2) continue;
    let [farthest, most] = [first + 1, -1];
    for (let index = first + 1; index < last; index++) {
      const { offset } = nearest(points[index], points[first], points[last]);
      if (offset > most) [farthest, most] = [index, offset];
    }
    if (most <= tolerance) {
      if (distance(points[first], points[last]) <= gapMax) continue;
      farthest = Math.floor((first + last) / 2);
    }
    kept.add(farthest);
    open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, index) => kept.has(index));
}

const separated = /^([+-]?\d+(?:[.,]\d+)?)(?:\s*;\s*|\s*,\s+|\s+)([+-]?\d+(?:[.,]\d+)?)$/;
const withComma = /^([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)$/;

/** Reads a line “latitude, longitude”, with decimal points or commas; `null` for another. */
export function readPoint(line) {
  const found = separated.exec(line.trim()) ?? withComma.exec(line.trim());
  const point = found && [found[2], found[1]].map((text) => Number(text.replace(",", ".")));
  return point && isPoint(point) ? point : null;
}

/** Reads one point a line; `wrong` is the number of the first line that is none, 0 without any. */
export function readList(text) {
  const points = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const point = readPoint(line);
    if (!point) return { points, wrong: index + 1 };
    points.push(point);
  }
  return { points, wrong: 0 };
}

export const writeList = (points) => points.map(([longitude, latitude]) => `${latitude}, ${longitude}`).join("\n");

/**
 * The points of a GPX file's tracks, of its routes where it has no track, and how many of them cannot be read; none for what
 * is no GPX.
 */
export function readGPX(text) {
  const none = { points: [], wrong: 0 };
  // Of what is no XML at all browsers make a page with styles of their own, which the policy refuses in the console.
  if (!/<(\w+:)?gpx[\s>]/.test(text)) return none;
  const file = new DOMParser().parseFromString(text, "application/xml");
  if (file.getElementsByTagName("parsererror").length > 0) return none;
  const [tracks, routes] = ["trkpt", "rtept"].map((name) => [...file.getElementsByTagNameNS("*", name)]);
  const all = tracks.length > 0 ? tracks : routes;
  const points = all.map((point) => ["lon", "lat"].map((name) => Number(point.getAttribute(name)?.trim() || NaN))).filter(isPoint);
  return { points, wrong: all.length - points.length };
}
