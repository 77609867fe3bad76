// A run's page: the course on a map, and while the race goes on the runners and placings as they change (RUN-09).

import { json } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { courseMap } from "../web/map.js";
import { SharedEvents } from "../web/stream.js";
import { duration, number, t } from "../web/words.js";

const code = find("[data-run]").dataset.run;
const api = `/track4run/v1/runs/${code}`;
const body = find("#placings tbody");
const rows = new Map(findAll("tr", body).map((row) => [Number(row.dataset.bib), row]));
const placings = new Map();

const run = await json(api);
const map = courseMap(find("#map"), run.path.coordinates, {
  label: t("run.map_label"), start: t("run.start_mark"), finish: t("run.finish_mark"),
  checkpoints: run.checkpoints.map(({ name, coordinates }) => ({ name, coordinates })),
});
find("#legend").hidden = false;

const progress = (placing) =>
  placing.state === "running"
    ? `${t("run.runner_state.running")}, ${t("run.at", { km: number(placing.distance_m / 1000, 1) })}`
    : t(`run.runner_state.${placing.state}`);

function cells({ place, bib, name, time_s, pace_s_per_km, ...rest }) {
  return [
    [place ?? "", "number"], [bib, "number"], [name, ""], [progress(rest), ""],
    [time_s === undefined || time_s === null ? "" : duration(time_s), "number"],
    [pace_s_per_km ? duration(pace_s_per_km) : "", "number"],
  ];
}

/** Brings the table up to date with as few changes as possible, so that nobody loses the place they read at. */
function show(list, isFinal) {
  for (const placing of list) placings.set(placing.bib, placing);
  find("#no-placings")?.remove();
  list.forEach((placing, index) => {
    let row = rows.get(placing.bib);
    if (!row) {
      row = element("tr", { "data-bib": placing.bib }, ...cells(placing).map(([, kind]) => element("td", { class: kind || null })));
      rows.set(placing.bib, row);
    }
    cells(placing).forEach(([text], column) => {
      if (row.cells[column].textContent !== String(text)) row.cells[column].textContent = text;
    });
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
  });
  find("#finality").textContent = t(isFinal ? "run.is_final" : "run.is_provisional");
  follow();
}

const wanted = find("#follow");
find("#follow-box").hidden = false;

function follow() {
  const text = wanted.value.trim().toLocaleLowerCase();
  const found = text === "" ? undefined : [...placings.values()].find(
    ({ bib, name }) => String(bib) === text || (!/^\d+$/.test(text) && name.toLocaleLowerCase().includes(text)));
  for (const row of rows.values()) row.classList.toggle("followed", Number(row.dataset.bib) === found?.bib);
  map.follow(found?.bib);
  const told = text === "" ? "" : found
    ? t("run.followed", { ...found, progress: progress(found), time: found.time_s ? duration(found.time_s) : "–" })
    : t("run.followed_none");
  if (find("#followed").textContent !== told) find("#followed").textContent = told;
}
wanted.addEventListener("input", follow);

function setState(state) {
  const box = find("#state");
  box.dataset.state = state;
  const text = t(`runs.state.${state}`);
  if (box.textContent !== text) box.textContent = text;
}

function watch() {
  const events = new SharedEvents(`${api}/live`);
  const on = (name, read) => events.addEventListener(name, ({ data }) => read(JSON.parse(data)));
  on("snapshot", ({ state, runners, positions }) => {
    notice("");
    setState(state);
    map.replace(positions);
    show(runners, false);
  });
  on("positions", ({ positions, removed }) => map.move(positions, removed));
  on("ranking", ({ final, placings }) => show(placings, final));
  on("finished", ({ final, placings }) => {
    setState("past");
    show(placings, final);
    events.close();
  });
  events.addEventListener("error", () => notice(t("run.reconnecting")));
}
if (run.state === "upcoming" || run.state === "under-way") watch();
else show((await json(`${api}/ranking`)).placings, find("#finality").textContent === t("run.is_final"));

const share = find('[data-act="share"]');
share.hidden = false;
share.addEventListener("click", async () => {
  if (navigator.share) return navigator.share({ title: run.name, url: location.href }).catch(() => {});
  await navigator.clipboard.writeText(location.href);
  notice(t("run.copied"), "good");
});
