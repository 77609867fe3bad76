// An own run: sharing it, its participants and how race day goes, changing it while that is possible, cancelling it in two
// touches.

import { call, json, Refused, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { keepLooking } from "../web/looking.js";
import { twoTouches } from "../web/touches.js";
import { number, t } from "../web/words.js";
import { participantTable } from "./participants.js";
import { isKept, runForm } from "./run-form.js";
import { sharing } from "./share.js";
import { localTime, zoneName } from "./zone.js";

const { run: code, checkInBeforeS } = find("#organise-run").dataset;
const api = `/track4run/v1/runs/${code}`;
const refreshEvery = 30_000;
const word = (key, values) => t(`organise-run.${key}`, values);

function setText(selector, text) {
  if (find(selector).textContent !== text) find(selector).textContent = text;
}

/** Where a run stands now: its state is known from when it was asked for. */
function phase({ state, start, end }) {
  if (state === "cancelled" || state === "past") return state;
  const now = Date.now();
  return now < Date.parse(start) ? "upcoming" : now < Date.parse(end) ? "under-way" : "past";
}

const checkInAt = ({ start }) => Date.parse(start) - Number(checkInBeforeS) * 1000;

function showFacts(run) {
  const facts = [
    ["run.place", run.place], ["run.start", `${localTime(run.start)} (${zoneName})`], ["run.end", localTime(run.end)],
    ["run.deadline", localTime(run.enrolment_deadline)], ["run.length", `${number(run.length_m / 1000, 1)} km`],
    ["run.code", run.code],
  ];
  find("#facts").replaceChildren(
    ...facts.flatMap(([name, value]) => [element("dt", {}, t(name)), element("dd", {}, value)]));
}

function share(run) {
  const link = find("#link");
  link.value = new URL(`/runs/${run.code}`, location.href).href;
  sharing(find("#copy"), run.name, () => link.value);
}

/** How many stand where: with the enrolment, and once the run has begun with the run. */
function counted(participants, placings) {
  const counts = new Map();
  for (const { state } of placings.length > 0 ? placings : participants) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${word(`counts.${state}`)}: ${number(count)}`).join(" · ");
}

/** What changes by itself. */
async function follow(run, table) {
  const state = phase(run);
  const hasBegun = state === "under-way" || state === "past";
  const [{ participants }, { final, placings }] = await Promise.all([
    json(`${api}/participants`), hasBegun ? json(`${api}/ranking`) : { final: false, placings: [] },
  ]);
  setText("#state", t(`runs.state.${state}`));
  setText("#check-in", state === "upcoming"
    ? word(Date.now() < checkInAt(run) ? "check_in_later" : "check_in_open", { from: localTime(checkInAt(run)), start: localTime(run.start) })
    : word(`day_${state}`));
  setText("#counts", counted(participants, placings));
  setText("#finality", state === "past" ? t(final ? "run.is_final" : "run.is_provisional") : "");
  table.show(participants, placings);
  find("#cancel").hidden = state === "past" || state === "cancelled";
  find("#share").hidden = state === "cancelled";
  const mayChange = state === "upcoming" && Date.now() < checkInAt(run);
  // What somebody is typing stays, and the service says that it comes too late.
  find("#edit").hidden = !mayChange && !find("#edit-box").open;
  find("#closed").hidden = mayChange || state !== "upcoming";
  return { isOver: state === "cancelled" || final };
}

function offerChange(run) {
  const box = find("#edit-box");
  const begin = () => runForm(run, (body) => json(api, { method: "PATCH", body }), () => again("changed"));
  // A map can be drawn only where it has a size.
  box.addEventListener("toggle", () => box.open && begin(), { once: true });
  if (isKept() && !find("#edit").hidden) box.open = true;
}

function offerCancelling() {
  const words = { ask: word("cancel_ask"), sure: word("cancel_sure"), keep: word("cancel_keep") };
  find("#cancel").append(twoTouches(words, async (button) => {
    button.setAttribute("aria-disabled", "true");
    try {
      await call(api, { method: "DELETE" });
      again("cancelled");
    } catch (error) {
      button.removeAttribute("aria-disabled");
      told(error);
    }
  }));
}

/** The page anew, with a notice of what was done. */
function again(done) {
  location.hash = done;
  location.reload();
}

function tellWhatWasDone() {
  const done = location.hash.slice(1);
  if (!["created", "changed", "cancelled"].includes(done)) return;
  history.replaceState(null, "", location.pathname);
  notice(word(done), "good");
}

async function begin() {
  const run = await json(api);
  const table = participantTable(run);
  let { isOver } = await follow(run, table);
  find("#own").hidden = false;
  showFacts(run);
  share(run);
  offerChange(run);
  offerCancelling();
  tellWhatWasDone();
  keepLooking(async () => {
    if (!isOver) ({ isOver } = await follow(run, table));
  }, refreshEvery);
}

if (requireSession()) {
  try {
    await begin();
  } catch (error) {
    if (error instanceof Refused && error.code === "not-the-organiser") find("#not-yours").hidden = false;
    else told(error);
  }
}
