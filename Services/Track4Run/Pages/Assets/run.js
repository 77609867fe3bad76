// A run's page: the course on a map, and while the race goes on the runners and placings as they change (RUN-09).

import { json, kind } from "../web/api.js";
import { find, notice, told } from "../web/dom.js";
import { courseMap } from "../web/map.js";
import { SharedEvents } from "../web/stream.js";
import { t } from "../web/words.js";
import { enrolment } from "./enrolment.js";
import { following } from "./follow.js";
import { placingsTable } from "./placings.js";
import { sharing } from "./share.js";

const code = find("[data-run]").dataset.run;
const api = `/track4run/v1/runs/${code}`;
/** Milliseconds before the start from which the page listens. */
const listenBefore = 60_000;
/** Milliseconds after the start within which the placings are asked for, not by all spectators at once. */
const [startPatience, startSpread] = [3000, 5000];
/** Milliseconds between two looks at how old the followed runner's position is, though nothing new has come. */
const ageEvery = 5000;
/** Longer timers than this would go off at once. */
const timerMax = 24 * 3600 * 1000;
/** Milliseconds after which a page that is seen again looks whether the run has been changed. */
const lookAgainAfter = 60_000;
let lookedAt = performance.now();

const run = await json(api).catch((error) => {
  told(error);
  throw error;
});
const [start, end] = [Date.parse(run.start), Date.parse(run.end)];
let isOver = run.state === "past" || run.state === "cancelled";

const map = courseMap(find("#map"), run.path.coordinates, {
  label: t("run.map_label"), start: t("run.start_mark"), finish: t("run.finish_mark"),
  checkpoints: run.checkpoints.map(({ name, coordinates }) => ({ name, coordinates })),
  onChoose: (bib) => follower.choose(bib),
});
find("#legend").hidden = false;

const table = placingsTable(find("#placings"), find("#pages"), {
  checkpoints: run.checkpoints, start,
  onChoose: (bib) => follower.choose(bib === follower.bib() ? undefined : bib),
  onShown: () => {
    showState();
    find("#follow").hidden = table.all().length === 0;
    follower.show();
    complete(table.get(follower.bib())).catch(told);
  },
});
const follower = following(api, run.checkpoints, table, (bib) => map.follow(bib));
// The address names the runner who is followed.
sharing(find('[data-act="share"]'), run.name, () => location.href);

const completed = new Set();

/** The service tells the times of the first hundred by itself. That of a followed runner behind them is asked for, once. */
async function complete(placing) {
  if (placing?.state !== "finished" || (placing.time_s ?? null) !== null || completed.has(placing.bib)) return;
  completed.add(placing.bib);
  table.put((await json(`${api}/ranking`)).placings, true);
}

/** By the clock: the race may begin and end without a word from the service. */
function showState() {
  const now = Date.now();
  const state = run.state === "cancelled" ? "cancelled" : isOver || now >= end ? "past" : now >= start ? "under-way" : "upcoming";
  const box = find("#state");
  if (box.dataset.state === state) return;
  box.dataset.state = state;
  box.textContent = t(`runs.state.${state}`);
}

function showFinality(isFinal) {
  const text = t(isFinal ? "run.is_final" : "run.is_provisional");
  if (find("#finality").textContent !== text) find("#finality").textContent = text;
}

const outdated = () => document.dispatchEvent(new Event("outdated"));

/** The organiser may move the start or cancel while the page is open: then it is opened anew. */
async function lookAgain() {
  if (document.hidden || performance.now() - lookedAt < lookAgainAfter) return;
  lookedAt = performance.now();
  const { start: from, end: to, state } = await json(api);
  if (from !== run.start || to !== run.end || (state === "cancelled") !== (run.state === "cancelled")) outdated();
}

function watch() {
  const events = new SharedEvents(`${api}/live`);
  const on = (name, read) => events.addEventListener(name, ({ data }) => read(JSON.parse(data)));
  on("snapshot", ({ state, start: from, end: to, runners, positions }) => {
    if (Date.parse(from) !== start || Date.parse(to) !== end) return outdated();
    map.replace(positions);
    table.put(runners, true);
    table.move(positions, []);
    if (state === "cancelled") {
      run.state = state;
      showState();
      events.close();
    }
    return undefined;
  });
  on("positions", ({ positions, removed }) => {
    map.move(positions, removed);
    table.move(positions, removed);
  });
  on("ranking", ({ final, placings }) => {
    table.put(placings, false);
    showFinality(final);
  });
  on("finished", ({ final, placings }) => {
    isOver = true;
    map.replace([]);
    table.put(placings, true);
    showFinality(final);
    events.close();
  });
  let isBroken = false;
  events.addEventListener("open", () => {
    if (isBroken) notice("");
    isBroken = false;
  });
  events.addEventListener("error", () => {
    isBroken = true;
    notice(t("run.reconnecting"));
  });
}

/** Does something at a time, at once when it has passed. */
function at(time, act) {
  const wait = time - Date.now();
  if (wait > 0) setTimeout(() => at(time, act), Math.min(wait, timerMax));
  else act();
}

/** Nobody is told of before the start, and nobody may have moved yet after it. */
async function begin() {
  const { placings } = await json(`${api}/ranking`);
  table.put(placings, true);
}

try {
  if (!isOver) {
    at(start - listenBefore, watch);
    if (Date.now() < start) at(start + startPatience + startSpread * Math.random(), () => begin().catch(told));
    at(end, showState);
    setInterval(follower.show, ageEvery);
    // What fails is told by what the page does anyway.
    document.addEventListener("visibilitychange", () => lookAgain().catch(console.warn));
  } else if (run.state === "past") {
    const { final, placings } = await json(`${api}/ranking`);
    table.put(placings, true);
    showFinality(final);
    if (!final) watch();
  }
  follower.begin();
  if (kind() === "individual") await enrolment(run, (bib) => follower.choose(bib));
} catch (error) {
  told(error);
}
