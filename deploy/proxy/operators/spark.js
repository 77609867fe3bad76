// Small charts of the last minutes. The number beside them says the same, so screen readers pass over them.

import { colours, element } from "/web/dom.js";

/** A line through `points`, from nothing to their largest; gaps where a point is `null`. */
export function spark(points) {
  const canvas = element("canvas", { class: "spark", width: 192, height: 48, "aria-hidden": "true" });
  const largest = Math.max(...points.filter((value) => value !== null), 0);
  if (points.length < 2 || largest === 0) return canvas;
  const context = canvas.getContext("2d");
  context.strokeStyle = colours()("--accent");
  context.lineWidth = 3;
  context.beginPath();
  let isBroken = true;
  points.forEach((value, index) => {
    if (value === null) {
      isBroken = true;
      return;
    }
    const [x, y] = [(index / (points.length - 1)) * 188 + 2, 46 - (value / largest) * 44];
    if (isBroken) context.moveTo(x, y);
    else context.lineTo(x, y);
    isBroken = false;
  });
  context.stroke();
  return canvas;
}
