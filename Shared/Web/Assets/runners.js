// Runners who move on a map: one canvas over it and one loop of frames. The document is not touched for any of them, so
// that a thousand move smoothly on a phone.

import { colours, element } from "./dom.js";

const { L } = window;

/** Milliseconds from one shown position to the next: about as often as new ones come. */
const glide = 1000;
/** Milliseconds of silence after which a runner appears at the new place and does not glide there. */
const silence = 10_000;
/** With more runners than this their numbers would cover each other. */
const numbersMax = 40;
/** Pixels around a runner that choose it: a target of 44. */
const reach = 22;
/** Pixels around the map in which a runner still reaches into it. */
const margin = 20;
/** In a crowd one of those within so few pixels is drawn: the others could not be told from it, and the map limits the work. */
const cell = 3;

/**
 * Draws runners on `map`, from the API's markers. `onChoose(bib)` is called when somebody touches one; the followed
 * runner is larger, on top, has the number beside it, and stays in view until the reader drags the map away.
 */
export function movingRunners(map, onChoose) {
  const canvas = element("canvas", { class: "runners", "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const runners = new Map();
  let [followed, keepsInView, frame, ratio, looks] = [undefined, false, 0, 0, {}];
  let [columns, taken, isSeen] = [0, new Uint8Array(), false];
  map.getContainer().append(canvas);

  /** A disc, drawn once and copied for every runner. */
  function disc(radius, weight, fill, line) {
    const half = radius + weight;
    const image = element("canvas", { width: Math.ceil(2 * half * ratio), height: Math.ceil(2 * half * ratio) });
    const own = image.getContext("2d");
    own.scale(ratio, ratio);
    own.arc(half, half, radius, 0, 2 * Math.PI);
    own.lineWidth = weight;
    own.strokeStyle = line;
    if (fill) {
      own.fillStyle = fill;
      own.fill();
    }
    own.stroke();
    return { image, half };
  }

  /** Fits the canvas to the map and the screen. A measured position is a disc, a lost signal a ring: not colour alone. */
  function fit() {
    const { x, y } = map.getSize();
    const now = window.devicePixelRatio || 1;
    if (ratio === now && canvas.width === Math.round(x * now) && canvas.height === Math.round(y * now)) return;
    ratio = now;
    canvas.width = Math.round(x * ratio);
    canvas.height = Math.round(y * ratio);
    columns = Math.ceil((x + 2 * margin) / cell) + 1;
    taken = new Uint8Array(columns * (Math.ceil((y + 2 * margin) / cell) + 1));
    const colour = colours();
    const [accent, ground, text, bad] = ["--accent", "--ground", "--text", "--bad"].map(colour);
    looks = {
      // In a crowd, where each covers a part of the others, edges of another colour would be all that is seen.
      measured: disc(7, 2, accent, ground), crowd: disc(6, 1, accent, accent), lost: disc(7, 3, "", bad),
      followed: disc(10, 4, accent, text), followedLost: disc(10, 4, "", bad), text, ground,
    };
  }

  /** On whole pixels of the screen, where a copy costs a third. */
  function stamp({ image, half }, x, y) {
    pen.drawImage(image, Math.round((x - half) * ratio), Math.round((y - half) * ratio));
  }

  /** Whether a runner of this kind, 1 or 2, has been drawn at the same place in this frame. */
  function isCovered(x, y, kind) {
    const at = Math.floor((y + margin) / cell) * columns + Math.floor((x + margin) / cell);
    const known = taken[at];
    taken[at] = known | kind;
    return (known & kind) !== 0;
  }

  function label(bib, x, y) {
    pen.strokeText(bib, (x + 16) * ratio, y * ratio);
    pen.fillText(bib, (x + 16) * ratio, y * ratio);
  }

  function draw(now) {
    frame = 0;
    fit();
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const scale = 2 ** map.getZoom();
    const { x: left, y: top } = map.getPixelBounds().min;
    const { x: width, y: height } = map.getSize();
    const isCrowd = runners.size > numbersMax;
    if (isCrowd) taken.fill(0);
    pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    pen.lineWidth = 3 * ratio;
    pen.strokeStyle = looks.ground;
    pen.fillStyle = looks.text;
    const measured = isCrowd ? looks.crowd : looks.measured;
    let isMoving = false;
    for (const runner of runners.values()) {
      const part = Math.min(1, Math.max(0, (now - runner.since) / glide));
      if (part < 1) isMoving = true;
      runner.shownX = runner.fromX + (runner.x - runner.fromX) * part;
      runner.shownY = runner.fromY + (runner.y - runner.fromY) * part;
      if (runner.bib === followed) continue;
      const x = runner.shownX * scale - left;
      const y = runner.shownY * scale - top;
      if (x < -margin || y < -margin || x > width + margin || y > height + margin) continue;
      if (isCrowd && isCovered(x, y, runner.isLost ? 2 : 1)) continue;
      stamp(runner.isLost ? looks.lost : measured, x, y);
      if (!isCrowd) label(runner.bib, x, y);
    }
    const one = runners.get(followed);
    if (one) {
      const [x, y] = [one.shownX * scale - left, one.shownY * scale - top];
      stamp(one.isLost ? looks.followedLost : looks.followed, x, y);
      label(one.bib, x, y);
    }
    if (isMoving) schedule();
  }

  function schedule() {
    if (frame === 0 && isSeen) frame = requestAnimationFrame(draw);
  }

  function put({ bib, latitude, longitude, time, is_signal_lost: isLost }) {
    const { x, y } = map.project([latitude, longitude], 0);
    const [known, measuredAt] = [runners.get(bib), Date.parse(time)];
    const glides = known && isSeen && !calm.matches && measuredAt - known.measuredAt < silence;
    const [fromX, fromY] = glides ? [known.shownX, known.shownY] : [x, y];
    runners.set(bib, {
      bib, x, y, fromX, fromY, shownX: fromX, shownY: fromY, since: glides ? performance.now() : -glide,
      measuredAt, isLost, at: [latitude, longitude],
    });
  }

  function keepInView() {
    const one = runners.get(followed);
    if (one && keepsInView && !map.getBounds().pad(-0.2).contains(one.at)) map.panTo(one.at, { animate: false });
  }

  // Nothing is drawn while the reader is elsewhere on the page.
  new IntersectionObserver((entries) => {
    isSeen = entries.at(-1).isIntersecting;
    schedule();
  }).observe(canvas);
  map.on("move zoom resize viewreset", schedule);
  map.on("dragstart", () => (keepsInView = false));
  map.on("click", ({ containerPoint }) => {
    const scale = 2 ** map.getZoom();
    const at = map.getPixelBounds().min.add(containerPoint);
    let [nearest, distance] = [undefined, reach];
    for (const runner of runners.values()) {
      const away = Math.hypot(runner.shownX * scale - at.x, runner.shownY * scale - at.y);
      if (away <= distance) [nearest, distance] = [runner.bib, away];
    }
    if (nearest !== undefined) onChoose(nearest);
  });

  return {
    /** Shows these runners and no others. */
    replace(positions) {
      const there = new Set(positions.map(({ bib }) => bib));
      for (const bib of [...runners.keys()]) if (!there.has(bib)) runners.delete(bib);
      this.move(positions, []);
    },
    move(positions, removed) {
      for (const bib of removed) runners.delete(bib);
      positions.forEach(put);
      keepInView();
      schedule();
    },
    /** Follows the runner with this bib; nobody without one. */
    follow(bib) {
      if (bib === followed) return;
      followed = bib;
      keepsInView = true;
      keepInView();
      schedule();
    },
  };
}
