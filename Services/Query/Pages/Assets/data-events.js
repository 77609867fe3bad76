// What happens to all of the third party's requests, as it happens: outcomes, and what data has come.

import { requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { datetime, number, t } from "../web/words.js";
import { kindWords } from "./event-kinds.js";
import { follow } from "./follow.js";
import { learnLatestNames, learnNames, requestLink } from "./request-links.js";
import { isCursorGone, remember, seen } from "./samples.js";

const path = "/query/v1/events/stream";
/** Up to where this browser has read, by this name. */
const place = "events";
/** Rows of the table; older ones go. */
const rowsMax = 200;

const rows = find("#rows");
let waiting = [];
let following;
let isPaused = false;

/** How many values of each type came: samples, or sums of a span. */
function counts({ series = [], sums = [] }) {
  const byType = new Map();
  const add = (type, count) => byType.set(type, (byType.get(type) ?? 0) + count);
  for (const { type, offsets_ms: offsets } of series) add(type, offsets.length);
  for (const { type, buckets } of sums) add(type, buckets.length);
  return [...byType].map(([type, count]) => t("data-events.of_type", { type: t(`types.${type}`), count: number(count) })).join(", ");
}

/** What happened, and of which data. */
function what(event) {
  const { type, data_types: types, series, sums } = event;
  const words = kindWords(type);
  if (series || sums) return `${words}: ${counts(event)}`;
  return types ? `${words}: ${types.map((one) => t(`types.${one}`)).join(", ")}` : words;
}

/** Only what is shown is kept: data itself is not. */
const row = ({ request_id: request, created_at: created }, words) => element("tr", {},
  element("td", { class: "time" }, element("time", { datetime: created }, datetime(created))),
  element("td", {}, requestLink(request)),
  element("td", {}, words));

/** Draws what has come since the last time, the latest first. */
function draw() {
  const last = waiting.at(-1);
  if (!last) return;
  rows.prepend(...waiting.slice(-rowsMax).reverse().map(({ event, words }) => row(event, words)));
  waiting = [];
  while (rows.children.length > rowsMax) rows.lastElementChild.remove();
  find("#none").hidden = true;
  find("#table").hidden = false;
  remember(place, last.cursor);
  learnNames().catch(told);
}

function came({ id: cursor, data }) {
  const event = JSON.parse(data);
  if (waiting.length === 0) requestAnimationFrame(draw);
  waiting.push({ event: { request_id: event.request_id, created_at: event.created_at }, words: what(event), cursor });
  if (waiting.length > rowsMax) waiting.shift();
}

const tell = (word) => (find("#state").textContent = t(`data-events.states.${word}`));

/** Follows from where this browser had come to; from the beginning where that is not known any more. */
async function begin(cursor = seen(place)?.cursor) {
  following?.abort();
  const own = new AbortController();
  following = own;
  tell("opening");
  try {
    await follow(path, cursor, own.signal, { came, opened: () => tell("live"), broke: () => tell("broken") });
  } catch (error) {
    if (own.signal.aborted) return undefined;
    if (cursor !== "0" && isCursorGone(error)) return begin("0");
    tell("ended");
    told(error);
  }
  return undefined;
}

/** A tab that nobody looks at follows nothing: it goes on where it was. */
function look() {
  if (isPaused) return;
  if (document.visibilityState === "visible") begin().catch(told);
  else following?.abort();
}

function pause() {
  isPaused = !isPaused;
  find("#pause").textContent = t(isPaused ? "data-events.go_on" : "data-events.pause");
  if (!isPaused) return look();
  following?.abort();
  return tell("paused");
}

/** All that there was, once more. */
function readAll() {
  waiting = [];
  rows.replaceChildren();
  find("#table").hidden = true;
  find("#none").hidden = false;
  isPaused = false;
  find("#pause").textContent = t("data-events.pause");
  begin("0").catch(told);
}

if (requireSession()) {
  find("#pause").addEventListener("click", pause);
  find("#read-all").addEventListener("click", readAll);
  document.addEventListener("visibilitychange", look);
  // Names of the latest requests come by one call.
  await learnLatestNames().catch(told);
  look();
}
