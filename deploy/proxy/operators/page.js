// The operators' page: asks every replica of every service how it is, every few seconds while somebody looks, and shows it.

import { element, find, notice, told } from "/web/dom.js";
import { ago, clock, locale, number, t } from "/web/words.js";
import { attention, isFailure } from "./attention.js";
import { show as showFrame } from "./frame.js";
import { Replica, interval } from "./replica.js";
import { alarmRows, feedRows, hooks, jobRows, named, partsInWords, queueRows, queues, routeRows, services } from "./rows.js";
import { table } from "./table.js";

const routesUsual = 12;

showFrame();

const show = {
  services: table("services", ["service", "state", "since", "version", "requests#", "errors#", "connections#", "memory#", "processor#"]),
  alarms: table("alarms", ["alarm", "open#", "unacknowledged#"]),
  hooks: table("hooks", ["hook", "answers", "outstanding#", "last_received", "last_failed", "received#", "failed#"]),
  feeds: table("feeds", ["feed", "consumer", "events#", "age#", "behind#", "parked#", "interrupted#", "size#"]),
  queues: table("queues", ["service", "what", "waiting#", "oldest#", "refused#"]),
  jobs: table("jobs", ["service", "job", "state"]),
  routes: table("routes", ["service", "route", "requests#", "errors#", "half#", "most#", "nearly_all#"]),
};

// --- What is seen ---

let areAllRoutesShown = false;

function draw(replicas) {
  const found = attention(replicas);
  const bad = found.filter(({ level }) => level === "bad").length;
  const isMeasured = replicas.some(({ span }) => span !== null);
  const verdict = found.length === 0 ? t(isMeasured ? "attention.none" : "attention.none_yet") : t("attention.some", { bad: number(bad), worth: number(found.length - bad) });
  // Screen readers tell what changes here.
  if (find("#verdict").textContent !== verdict) find("#verdict").textContent = verdict;
  find("#verdict").dataset.kind = bad > 0 ? "alarm" : found.length === 0 ? "normal" : "";
  find("#attention").replaceChildren(...found.map(({ level, key, values }) => element("li", { class: level }, `${t(`levels.${level}`)} ${inWords(key, values)}`)));
  show.services.fill(services(replicas));
  show.alarms.fill(alarmRows(replicas));
  show.hooks.fill(hooks(replicas));
  show.feeds.fill(feedRows(replicas));
  show.queues.fill(queueRows(replicas));
  show.jobs.fill(jobRows(replicas));
  const routes = routeRows(replicas);
  show.routes.fill(areAllRoutesShown ? routes : routes.slice(0, routesUsual), isMeasured ? undefined : t("routes.not_yet"));
  find("#all-routes").hidden = routes.length <= routesUsual;
  find("#looked").textContent = t("looked", { clock: new Date().toLocaleTimeString(locale, { hourCycle: "h23" }), seconds: interval });
}

function inWords(key, { parts = [], at, count, what, seconds, perSecond, ...names }) {
  const words = {
    ...names, what: ["handover_alarm", "alarms_open"].includes(key) ? named("reasons", what) : what, parts: partsInWords(parts), ago: at && ago(at), clock: at && clock(at),
    count: count !== undefined && number(count), ms: seconds && number(seconds * 1000), rate: perSecond && number(perSecond, 2),
  };
  return t(`attention.${key}`, words);
}

/** Adds a point to each small chart. */
function note(replica) {
  replica.note("http", replica.rate("trackme_http_requests_total"));
  replica.note("failures", replica.rate("trackme_http_requests_total", isFailure));
  replica.note("processor", replica.rate("process_cpu_seconds_total"));
  for (const [key, length] of queues) replica.note(key, replica.metrics?.value(length));
}

// --- When it looks ---

let isPaused = false;
let wake = () => {};

function sayPause() {
  find("#pause").textContent = t(isPaused ? "resume" : "pause");
}

async function watch(replicas) {
  for (;;) {
    if (!isPaused && document.visibilityState === "visible") {
      await Promise.all(replicas.map((replica) => replica.look()));
      replicas.forEach(note);
      draw(replicas);
    }
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, interval * 1000);
    });
  }
}

const answer = await fetch("/services.json", { cache: "no-store" });
if (!answer.ok) {
  notice(t("no_services"), "bad");
  throw new Error(`/services.json: ${answer.status}`);
}
const configured = await answer.json();
const replicas = configured.map((one) => new Replica(one, configured.filter(({ name }) => name === one.name).length === 1));

sayPause();
find("#pause").addEventListener("click", () => {
  isPaused = !isPaused;
  sayPause();
  wake();
});
document.addEventListener("visibilitychange", () => wake());
find("#all-routes").addEventListener("click", ({ currentTarget }) => {
  areAllRoutesShown = !areAllRoutesShown;
  currentTarget.setAttribute("aria-pressed", String(areAllRoutesShown));
  draw(replicas);
});

watch(replicas).catch(told);
