// The placings of a race as a table: a hundred rows at a time, brought up to date once a second, and only where they differ.

import { element, find } from "../web/dom.js";
import { duration, number, t } from "../web/words.js";

const rowsMax = 100;
const pause = 1000;
/** Behind everybody who has a place. */
const noPlace = 1e9;

/** The state of a runner in words. */
export function progress({ state, distance_m: distance, is_signal_lost: isLost }) {
  if (state !== "running") return t(`run.runner_state.${state}`);
  return [
    t("run.runner_state.running"), t("run.at", { km: number(distance / 1000, 1) }), isLost ? t("run.signal_lost") : null,
  ].filter(Boolean).join(", ");
}

/** A marker's time is of the last position, a placing's of the last progress: what is shown does not run backwards. */
const later = (one, other) => (one === undefined || other > one ? other : one);

export const seconds = (value) => (value === undefined || value === null ? "" : duration(value));

/**
 * Keeps `table`, with `pages` below it. `start` is the start of the run, from which the times of those under way count;
 * `onChoose(bib)` is called when a runner is chosen, `onShown()` when the table is up to date.
 */
export function placingsTable(table, pages, { checkpoints, start, onChoose, onShown }) {
  const [body, all, rows] = [table.tBodies[0], new Map(), []];
  let [order, first, timer, shownAt] = [[], Number(table.dataset.first) - 1, 0, -pause];
  /** `turns`: the page with the followed runner is shown, until the reader turns to another. */
  let [followed, turns] = [undefined, false];

  const texts = (placing) => [
    placing.place ?? "", placing.bib, placing.name, progress(placing), seconds(placing.time_s),
    seconds(placing.pace_s_per_km), seconds(placing.net_time_s), placing.heart_rate_mean ? number(placing.heart_rate_mean) : "",
    ...checkpoints.map((_, index) => seconds(placing.splits[index])),
  ].map(String);

  /** Cells hold what was last written into them, so that the document is not asked. */
  function makeRow() {
    const made = { bib: 0, texts: [], button: element("button", { type: "button", class: "plain", "aria-pressed": "false" }) };
    made.button.addEventListener("click", () => onChoose(made.bib));
    made.cells = Array.from({ length: 8 + checkpoints.length }, (_, column) =>
      column === 2 ? made.button : element("td", column === 3 ? {} : { class: "number" }));
    made.row = element("tr", {}, ...made.cells.map((cell) => (cell === made.button ? element("td", {}, cell) : cell)));
    body.append(made.row);
    return made;
  }

  function write(made, placing) {
    texts(placing).forEach((text, column) => {
      if (made.texts[column] !== text) made.cells[column].textContent = made.texts[column] = text;
    });
    const isFollowed = placing.bib === followed;
    if (made.bib === placing.bib && made.isFollowed === isFollowed) return;
    [made.bib, made.isFollowed] = [placing.bib, isFollowed];
    made.row.classList.toggle("followed", isFollowed);
    made.button.setAttribute("aria-pressed", String(isFollowed));
  }

  function render() {
    [timer, shownAt] = [0, performance.now()];
    if (all.size > 0) find("#no-placings")?.remove();
    order = [...all.values()].sort((one, other) => (one.place ?? noPlace) - (other.place ?? noPlace) || one.rank - other.rank);
    const place = turns ? order.findIndex(({ bib }) => bib === followed) : -1;
    if (place >= 0) first = place - (place % rowsMax);
    if (first >= order.length) first = 0;
    const shown = order.slice(first, first + rowsMax);
    while (rows.length > shown.length) rows.pop().row.remove();
    shown.forEach((placing, index) => write((rows[index] ??= makeRow()), placing));
    showPages();
    onShown();
  }

  /** At once when the last time is long enough ago. */
  function schedule() {
    if (timer === 0) timer = setTimeout(render, Math.max(0, shownAt + pause - performance.now()));
  }

  const range = element("p", {});
  const turn = (word, by) => element("button", {
    type: "button", class: "second", onclick: () => {
      [first, turns] = [Math.max(0, first + by), false];
      clearTimeout(timer);
      render();
    },
  }, t(word));
  const [earlier, further] = [turn("run.earlier", -rowsMax), turn("run.later", rowsMax)];

  function showPages() {
    pages.hidden = order.length <= rowsMax;
    earlier.hidden = first === 0;
    further.hidden = first + rowsMax >= order.length;
    const text = t("run.range", { from: first + 1, to: Math.min(first + rowsMax, order.length), all: number(order.length) });
    if (range.textContent !== text) range.textContent = text;
  }

  return {
    /** What is known of a runner; `undefined` for a bib that nobody has. */
    get: (bib) => all.get(bib),
    all: () => order,
    /** Placings in their order: of everybody with `isWhole`, else of the first. */
    put(placings, isWhole) {
      if (body.rows.length > 0 && rows.length === 0) body.replaceChildren();
      if (rows.length === 0) pages.replaceChildren(earlier, range, further);
      const before = isWhole ? new Map(all) : all;
      if (isWhole) all.clear();
      placings.forEach((placing, rank) => {
        const time = placing.state === "running" ? later(placing.time_s, before.get(placing.bib)?.time_s) : placing.time_s;
        all.set(placing.bib, { ...all.get(placing.bib), place: undefined, ...placing, time_s: time, rank });
      });
      schedule();
    },
    /** What the markers of runners say, which is newer than their placings. */
    move(positions, removed) {
      for (const bib of removed) all.delete(bib);
      for (const { bib, place, time, state, distance_m, pace_s_per_km, heart_rate, is_signal_lost } of positions) {
        const known = all.get(bib);
        if (!known) continue;
        // The time of a finish comes with the placings: until then none is shown.
        if (state === "finished" && known.state !== state) known.time_s = undefined;
        Object.assign(known, { place, state, distance_m, is_signal_lost, heart_rate, measured_at: time });
        if (state !== "running") continue;
        known.time_s = later(known.time_s, (Date.parse(time) - start) / 1000);
        known.pace_s_per_km = pace_s_per_km ?? known.pace_s_per_km;
      }
      schedule();
    },
    /** Marks a runner's row, and turns to its page. */
    follow(bib) {
      [followed, turns] = [bib, true];
      clearTimeout(timer);
      render();
    },
  };
}
