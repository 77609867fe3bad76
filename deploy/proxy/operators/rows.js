// The rows of the page's tables, the worst first.

import { element } from "/web/dom.js";
import { ago, clock, duration, hasWord, number, t } from "/web/words.js";
import { isFailure, levelOf, states } from "./attention.js";
import { eventsMax, feeds } from "./feeds.js";
import { growth, histograms, quantile } from "./metrics.js";
import { spark } from "./spark.js";

const unknown = "–";
const num = (...content) => ({ isNumber: true, content });
const count = (value) => (value === undefined || value === null ? unknown : number(value));
const rate = (value) => (value === undefined || value === null ? unknown : number(value, value < 10 ? 2 : 0));
const time = (seconds) => (seconds === null ? unknown : t("unit.ms", { ms: number(seconds * 1000, seconds < 0.1 ? 1 : 0) }));
const bytes = (value) => (value === undefined ? unknown : t("unit.mb", { mb: number(value / 1e6, 1) }));
const span = (seconds) => (seconds === undefined ? unknown : duration(seconds));
/** The word for a code that a service says; without one the code itself. */
export const named = (group, code) => (hasWord(`${group}.${code}`) ? t(`${group}.${code}`) : code);

/** The parts of a service that are not well, in words. */
export const partsInWords = (parts) =>
  parts.map(({ name, status }) => `${named("parts", name)}: ${named("statuses", status)}`).join("; ");

export function services(replicas) {
  return replicas
    .toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state) || a.name.localeCompare(b.name))
    .map((replica) => {
      const { metrics } = replica;
      const state = [t(`states.${replica.state}`)];
      if (replica.faults.length > 0) state.push(element("br"), element("span", { class: "quiet" }, partsInWords(replica.faults)));
      return {
        level: levelOf(replica.state),
        cells: [
          replica.name, { content: state }, since(replica), metrics?.all("trackme_build_info")[0]?.labels.version ?? unknown,
          num(rate(replica.rate("trackme_http_requests_total")), spark(replica.points("http"))),
          num(rate(replica.rate("trackme_http_requests_total", isFailure)), spark(replica.points("failures"))),
          num(count(metrics?.value("trackme_connections"))), num(bytes(metrics?.value("process_resident_memory_bytes"))),
          num(rate(replica.rate("process_cpu_seconds_total")), spark(replica.points("processor"))),
        ],
      };
    });
}

/** Since when a replica is as it is: what it says itself, or what this page has seen. */
function since(replica) {
  const started = replica.metrics?.value("process_start_time_seconds");
  if (replica.state === "ready" && replica.isFirst && started !== undefined) return t("since.started", { ago: ago(started * 1000) });
  return t(replica.isFirst ? "since.at_least" : "since.seen", { clock: clock(replica.since), ago: ago(replica.since) });
}

/** Why a call to a hook failed: `http-STATUS`, or a code. */
const outcome = (code) => (code.startsWith("http-") ? t("outcomes.http", { status: code.slice(5) }) : named("outcomes", code));

/** Alarms of AutomatedSOS by kind. All replicas of the dispatcher read the same table, some a little later. */
export function alarmRows(replicas) {
  const found = new Map();
  for (const { metrics } of replicas) {
    const own = new Map();
    for (const { labels, value } of metrics?.all("trackme_operator_alarms_open") ?? []) {
      const row = own.get(labels.kind) ?? { open: 0, unacknowledged: 0 };
      row.open += value;
      if (labels.acknowledged === "no") row.unacknowledged += value;
      own.set(labels.kind, row);
    }
    for (const [kind, row] of own) if (row.open >= (found.get(kind)?.open ?? 1)) found.set(kind, row);
  }
  return [...found]
    .map(([kind, { open, unacknowledged }]) => ({
      level: unacknowledged > 0 ? "bad" : "worth", cells: [named("reasons", kind), num(count(open)), num(count(unacknowledged))],
    }))
    .sort(worstFirst);
}

export function hooks(replicas) {
  const found = new Map();
  const row = (hook) => {
    if (!found.has(hook)) found.set(hook, { hook, alive: undefined, outstanding: undefined, received: 0, failed: 0 });
    return found.get(hook);
  };
  for (const { metrics } of replicas) {
    if (metrics === null) continue;
    for (const { labels, value } of metrics.all("trackme_handovers_outstanding")) {
      row(labels.hook).outstanding = (row(labels.hook).outstanding ?? 0) + value;
    }
    // Each process probes by itself: where one cannot call, somebody may not be called.
    for (const { labels, value } of metrics.all("trackme_hook_alive")) {
      row(labels.hook).alive = Math.min(row(labels.hook).alive ?? 1, value);
    }
    for (const { labels, value } of metrics.all("trackme_handover_attempts_total")) {
      row(labels.hook)[labels.outcome === "received" ? "received" : "failed"] += value;
    }
    for (const { labels, value } of metrics.all("trackme_hook_answered_timestamp_seconds")) {
      const own = row(labels.hook);
      const kind = labels.outcome === "received" ? "lastReceived" : "lastFailed";
      if (value > (own[kind]?.at ?? 0)) own[kind] = { at: value, outcome: labels.outcome };
    }
  }
  const level = ({ alive, outstanding, lastFailed, lastReceived }) => {
    if (alive === 0) return "bad";
    if (!((lastFailed?.at ?? 0) > (lastReceived?.at ?? 0))) return outstanding > 0 ? "worth" : "";
    return outstanding > 0 ? "bad" : "worth";
  };
  return [...found.values()]
    .map((own) => ({
      level: level(own),
      cells: [
        own.hook, own.alive === undefined ? unknown : t(own.alive === 1 ? "hooks.alive" : "hooks.dead"), num(count(own.outstanding)), own.lastReceived ? ago(own.lastReceived.at * 1000) : t("hooks.never"),
        own.lastFailed ? `${ago(own.lastFailed.at * 1000)}: ${outcome(own.lastFailed.outcome)}` : t("hooks.never"),
        num(count(own.received)), num(count(own.failed)),
      ],
    }))
    .sort(worstFirst);
}

export function feedRows(replicas) {
  return feeds(replicas).map((row) => ({
    level: row.level,
    cells: [
      row.feed, row.consumer ?? t("feeds.nobody"),
      num(row.events >= eventsMax ? t("feeds.many", { count: number(eventsMax) }) : count(row.events)), num(span(row.age)),
      num(row.behind === Infinity ? t("feeds.not_yet") : span(row.behind)), num(count(row.parked)), num(count(row.interrupted)),
      num(bytes(row.bytes)),
    ],
  }));
}

/** Queues: the word, the gauge of the length, that of the age of the oldest, the counter of what was refused. */
export const queues = [
  ["notices", "trackme_notices_waiting", null, "trackme_notices_refused_total"],
  ["mail", "trackme_mail_waiting", "trackme_mail_oldest_seconds", null],
  ["audit", "trackme_audit_waiting", "trackme_audit_oldest_seconds", null],
  ["database", "trackme_database_waiting", null, "trackme_database_overloads_total"],
  ["spans", "trackme_spans_waiting", null, "trackme_spans_dropped_total"],
  ["requests", "trackme_requests_held_up", null, null],
  ["runs", "trackme_runs_held_up", null, null],
  ["runners", "trackme_runners_to_be_read", null, null],
];

export function queueRows(replicas) {
  const rows = [];
  for (const replica of replicas) {
    for (const [key, length, oldest, refusals] of queues) {
      const waiting = replica.metrics?.value(length);
      if (waiting === undefined) continue;
      const refused = refusals ? replica.grown(refusals).reduce((sum, { value }) => sum + value, 0) : null;
      rows.push({
        level: refused > 0 ? "worth" : "", waiting,
        cells: [
          replica.name, t(`queues.${key}`), num(count(waiting), spark(replica.points(key))),
          num(oldest ? span(replica.metrics.value(oldest)) : unknown), num(count(refused)),
        ],
      });
    }
  }
  return rows.sort((a, b) => worstFirst(a, b) || b.waiting - a.waiting);
}

export function jobRows(replicas) {
  const rows = [];
  for (const replica of replicas) {
    const { metrics } = replica;
    if (metrics === null) continue;
    const add = (key, text, level = "") => rows.push({ level, cells: [replica.name, t(`jobs.${key}`), text] });
    for (const { labels, value } of metrics.all("trackme_ingestion_closing")) {
      add("closing", t("jobs.share", { step: named("steps", labels.step), percent: number(value * 100) }));
    }
    if (metrics.value("trackme_ingestion_imports") !== undefined) {
      const [waiting, reading] = ["waiting", "reading"].map((state) => number(metrics.value("trackme_ingestion_imports", { state })));
      add("imports", t("jobs.imports_are", { waiting, reading }));
    }
    const [failing, aside] = ["not_sealed", "set_aside"].map((name) => metrics.value(`trackme_ingestion_people_${name}`));
    if (failing !== undefined) {
      add("sealing", t("jobs.sealing_is", { failing: number(failing), aside: number(aside ?? 0) }), failing + aside > 0 ? "worth" : "");
    }
    const synthetic = metrics.value("trackme_dead_man_success_timestamp_seconds");
    if (synthetic !== undefined) {
      const seconds = number(metrics.value("trackme_dead_man_seconds") ?? 0, 1);
      add("synthetic", synthetic > 0 ? t("jobs.synthetic_is", { ago: ago(synthetic * 1000), seconds }) : t("jobs.synthetic_none"));
    }
    const provisioned = replica.rate("trackme_rpc_server_calls_total", ({ method }) => method === "accounts.provision");
    if (provisioned > 0) add("population", t("jobs.calls", { rate: rate(provisioned) }));
    const failures = replica.grown("trackme_background_failures_total");
    const tasks = number(metrics.value("trackme_background_tasks") ?? 0);
    if (failures.length === 0) add("tasks", t("jobs.tasks_run", { tasks }));
    for (const { labels, value, at } of failures) {
      add("tasks", t("jobs.task_failed", { tasks, task: labels.task, count: number(value), ago: ago(at) }), "worth");
    }
  }
  return rows.sort(worstFirst);
}

export function routeRows(replicas) {
  const rows = [];
  for (const replica of replicas) {
    const last = replica.span;
    if (last === null) continue;
    const failed = new Map();
    for (const { labels, value } of growth(last.before, last.after, "trackme_http_requests_total")) {
      if (isFailure(labels)) failed.set(labels.route, (failed.get(labels.route) ?? 0) + value);
    }
    for (const { labels, buckets, count: requests } of histograms(last.before, last.after, "trackme_http_request_seconds")) {
      if (requests === 0) continue;
      const errors = failed.get(labels.route) ?? 0;
      const [half, most, nearlyAll] = [0.5, 0.95, 0.99].map((share) => quantile(share, buckets));
      rows.push({
        level: errors > 0 ? "worth" : "", errors, most,
        cells: [
          replica.name, labels.route, num(rate(requests / last.seconds)), num(rate(errors / last.seconds)), num(time(half)),
          num(time(most)), num(time(nearlyAll)),
        ],
      });
    }
  }
  return rows.sort((a, b) => b.errors - a.errors || b.most - a.most);
}

const levels = ["bad", "worth", ""];
const worstFirst = (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level);
