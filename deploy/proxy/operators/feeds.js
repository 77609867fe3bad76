// The feeds as those who publish them and those who follow them say.

/** A consumer that is further behind than this, in seconds, is worth a look. */
const behindMax = 60;
/** The services count so many events at most. */
export const eventsMax = 10_000;

const larger = (a, b) => (a === undefined ? b : b === undefined ? a : Math.max(a, b));
const failures = new Set(["interrupted", "not applied"]);

/** One row for each feed and consumer; a feed without consumers has one, too. The worst first. */
export function feeds(replicas) {
  const rows = new Map();
  const row = (feed, consumer) => {
    const key = JSON.stringify([feed, consumer]);
    if (!rows.has(key)) rows.set(key, { feed, consumer, passedOver: 0, interrupted: 0 });
    return rows.get(key);
  };
  const known = replicas.filter(({ metrics }) => metrics !== null);
  const each = (name, take) => {
    for (const replica of known) for (const series of replica.metrics.all(name)) take(replica, series.labels, series.value);
  };
  // Replicas that publish the same feed say the same of it; of those who follow it one may have it all.
  each("trackme_feed_lag_events", (_, { feed, consumer }, value) => {
    const found = row(feed, consumer);
    found.events = larger(found.events, value);
  });
  each("trackme_feed_lag_seconds", (_, { feed, consumer }, value) => {
    const found = row(feed, consumer);
    found.age = larger(found.age, value);
  });
  each("trackme_feed_caught_up_timestamp_seconds", ({ service, clock }, { feed }, value) => {
    const found = row(feed, service);
    const behind = value > 0 ? Math.max(0, clock - value) : Infinity;
    found.behind = Math.min(found.behind ?? Infinity, behind);
  });
  each("trackme_feed_parked", ({ service }, { feed }, value) => {
    const found = row(feed, service);
    found.parked = larger(found.parked, value);
  });
  for (const replica of known) {
    for (const { labels, value } of replica.grown("trackme_feed_incidents_total")) {
      if (failures.has(labels.kind)) row(labels.feed, replica.service).interrupted += value;
    }
    for (const { labels, value } of replica.grown("trackme_feed_passed_over_total")) {
      row(labels.feed, labels.consumer).passedOver += value;
    }
  }
  each("trackme_feed_bytes", (_, { feed }, value) => {
    const own = [...rows.values()].filter((found) => found.feed === feed);
    for (const found of own.length > 0 ? own : [row(feed, null)]) found.bytes = larger(found.bytes, value);
  });
  return [...rows.values()]
    .map((found) => ({ ...found, level: level(found) }))
    .sort((a, b) => rank(a) - rank(b) || a.feed.localeCompare(b.feed) || (a.consumer ?? "").localeCompare(b.consumer ?? ""));
}

const rank = ({ level }) => ["bad", "worth", ""].indexOf(level);

function level({ parked, passedOver, events, age, behind, interrupted }) {
  if (parked > 0 || passedOver > 0) return "bad";
  return events >= eventsMax || age > behindMax || behind > behindMax || interrupted > 0 ? "worth" : "";
}
