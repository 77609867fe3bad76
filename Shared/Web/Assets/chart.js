// Charts in the colours of the page. Chart.js is a classic script that the page has loaded before.

import { colours } from "./dom.js";
import { locale } from "./words.js";

/** Draws a chart of Chart.js's `type` and `data` on `canvas`; `plugins` go beside the legend, `x` is for the axis across. */
export function chart(canvas, type, data, plugins = {}, x = {}) {
  const colour = colours();
  return new window.Chart(canvas, {
    type, data,
    options: {
      locale, animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
      plugins: { ...plugins, legend: { labels: { color: colour("--text") } } },
      scales: {
        x: {
          ...x, ticks: { color: colour("--quiet"), maxTicksLimit: 6, maxRotation: 0, ...x.ticks }, grid: { display: false },
        },
        y: { ticks: { color: colour("--quiet") }, grid: { color: colour("--line") } },
      },
    },
  });
}
