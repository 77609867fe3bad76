// What deserves an operator's attention: the list in deploy/README.md ("Operators"), as far as figures of some minutes tell.

import { feeds } from "./feeds.js";
import { histograms, quantile } from "./metrics.js";

const loopLagMax = 0.1;
const firstCallMax = 0.5;
const certificateDaysMin = 14;
const mailAgeMax = 300;
const restartMinutes = 10;
/** One arrives every five minutes, usually. */
const syntheticAgeMax = 900;
/** Messages may wait for so many minutes. */
const waitingMinutes = 3;

/** States of a replica, the worst first. */
export const states = ["down", "unavailable", "starting", "stopping", "degraded", "ready"];
export const levelOf = (state) => (state === "down" || state === "unavailable" ? "bad" : state === "ready" ? "" : "worth");

/** Gauges that should be nothing, each with the word for it. */
const shouldBeNone = [
  ["bad", "trackme_monitors_silent_together", "silent_together"],
  ["worth", "trackme_runs_held_up", "runs_held_up"],
  ["worth", "trackme_requests_held_up", "requests_held_up"],
  ["worth", "trackme_runners_to_be_read", "runners_to_be_read"],
  ["worth", "trackme_ingestion_people_not_sealed", "not_sealed"],
  ["worth", "trackme_ingestion_people_set_aside", "set_aside"],
];

/** Counters that should not grow, each with the word for it and the label that says more. */
const shouldNotGrow = [
  ["bad", "trackme_handover_alarms_total", "handover_alarm", "reason"],
  ["bad", "trackme_ingestion_keys_missing_total", "keys_missing"],
  ["bad", "trackme_database_overloads_total", "database_overload", "schema"],
  ["bad", "trackme_database_write_failures_total", "database_write_failed"],
  ["worth", "trackme_notices_refused_total", "notices_refused"],
  ["worth", "trackme_unreadable_rows_total", "unreadable_rows", "table"],
  ["worth", "trackme_tls_handshake_failures_total", "tls_failures", "reason"],
  ["worth", "trackme_ingestion_samples_dropped_total", "samples_dropped"],
  ["worth", "trackme_connections_refused_total", "connections_refused", "listener"],
  ["worth", "trackme_background_failures_total", "background_failures", "task"],
];

/** All of it, the worst first: the word `attention.KEY`, its values, and the level, `bad` or `worth`. */
export function attention(replicas) {
  const found = replicas.flatMap(ofReplica);
  for (const row of feeds(replicas)) {
    const values = { feed: row.feed, consumer: row.consumer ?? "", count: row.parked };
    if (row.parked > 0) found.push({ level: "bad", key: "feed_parked", values });
    if (row.passedOver > 0) found.push({ level: "bad", key: "feed_passed_over", values });
    else if (row.level === "worth") found.push({ level: "worth", key: row.interrupted > 0 ? "feed_interrupted" : "feed_behind", values });
  }
  return found.sort((a, b) => Number(b.level === "bad") - Number(a.level === "bad"));
}

function ofReplica(replica) {
  const found = [];
  const service = replica.name;
  const add = (level, key, values = {}) => found.push({ level, key, values: { service, ...values } });
  if (replica.state !== "ready") add(levelOf(replica.state), `state_${replica.state}`, { parts: replica.faults });
  const { metrics, span } = replica;
  if (metrics === null) return found;

  for (const [level, name, key] of shouldBeNone) {
    const count = metrics.value(name);
    if (count > 0) add(level, key, { count });
  }
  for (const [level, name, key, label] of shouldNotGrow) {
    for (const { labels, value, at } of replica.grown(name)) add(level, key, { count: value, at, what: labels[label] });
  }
  for (const { labels, value } of metrics.all("trackme_operator_alarms_open")) {
    if (labels.acknowledged === "no" && value > 0) add("bad", "alarms_open", { count: value, what: labels.kind });
  }
  for (const { labels, value } of metrics.all("trackme_hook_alive")) if (value === 0) add("bad", "hook_dead", { what: labels.hook });
  const synthetic = metrics.value("trackme_dead_man_success_timestamp_seconds");
  if (synthetic > 0 && replica.clock - synthetic > syntheticAgeMax) add("bad", "synthetic_old", { at: synthetic * 1000 });
  if (metrics.value("trackme_database_writable") === 0) add("bad", "database_not_writable");
  if (replica.lasts("database", waitingMinutes)) add("worth", "database_waiting");
  if (replica.lasts("notices", waitingMinutes)) add("worth", "notices_waiting", { count: metrics.value("trackme_notices_waiting") });
  if (metrics.value("trackme_mail_oldest_seconds") > mailAgeMax) add("worth", "mail_waiting", { count: metrics.value("trackme_mail_waiting") });
  for (const { labels, value } of metrics.all("trackme_certificate_days_left")) {
    if (value < certificateDaysMin) add(value < 1 ? "bad" : "worth", "certificate", { what: labels.listener, count: Math.max(0, Math.floor(value)) });
  }
  if (replica.clock - metrics.value("process_start_time_seconds") < restartMinutes * 60) {
    add("worth", "started", { at: metrics.value("process_start_time_seconds") * 1000 });
  }
  if (span === null) return found;

  const late = (name) => Math.max(0, ...histograms(span.before, span.after, name).map(({ buckets }) => quantile(0.99, buckets) ?? 0));
  const lag = late("trackme_loop_lag_seconds");
  if (lag > loopLagMax) add("worth", "loop_lag", { seconds: lag });
  const first = late("trackme_handover_first_call_seconds");
  if (first > firstCallMax) add("bad", "first_call", { seconds: first });
  const errors = replica.rate("trackme_http_requests_total", isFailure);
  if (errors > 0) add("worth", "http_errors", { perSecond: errors });
  return found;
}

/** Whether a series counts answers that are the service's own fault. */
export const isFailure = ({ status }) => Number(status) >= 500;
