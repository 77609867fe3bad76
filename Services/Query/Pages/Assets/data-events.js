// What happens to all of the third party's requests, as it happens: outcomes, and what data has come.

import { json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { datetime, hasWord, number, t } from "../web/words.js";
import { follow } from "./follow.js";
import { isCursorGone, remember, seen } from "./samples.js";

const path = "/query/v1/events/stream";
/** Up to where this browser has read, by this name. */
const place = "events";
/** Rows of the table; older ones go. */
const rowsMax = 200;

const rows = find("#rows");
/** Who a request is about, by the request's id; `null` while it is not known. */
const people = new Map();
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

/** What happened. A kind that is newer than this page stands as it is called. */
function what(event) {
  const { type, data_types: types } = event;
  const key = `data-events.kinds.${type.replace(".", "-")}`;
  const words = hasWord(key) ? t(key) : type;
  if (type.startsWith("data.")) return `${words}: ${counts(event)}`;
  return types ? `${words}: ${types.map((one) => t(`types.${one}`)).join(", ")}` : words;
}

/** Only what is shown is kept: data itself is not. */
const row = ({ request_id: request, created_at: created }, words) => element("tr", { "data-request": request },
  element("td", { class: "time" }, element("time", { datetime: created }, datetime(created))),
  element("td", {}, element("a", { href: `/data-requests/${request}` }, people.get(request) ?? request.slice(0, 8))),
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

let isLearning = false;
/** Gets who the requests in the table are about, one after the other; a request that is gone keeps its number. */
async function learnNames() {
  if (isLearning) return;
  isLearning = true;
  try {
    const unknown = () => [...rows.children].map(({ dataset }) => dataset.request).find((request) => !people.has(request));
    for (let request = unknown(); request; request = unknown()) {
      people.set(request, null);
      try {
        name((await json(`/query/v1/requests/${request}`)));
      } catch (error) {
        if (error.status !== 404) throw error;
      }
    }
  } finally {
    isLearning = false;
  }
}

function name({ id, individual }) {
  people.set(id, individual);
  for (const one of rows.children) if (one.dataset.request === id) find("a", one).textContent = individual;
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
  await json("/query/v1/requests?limit=100").then(({ requests }) => requests.forEach(name)).catch(told);
  look();
}
