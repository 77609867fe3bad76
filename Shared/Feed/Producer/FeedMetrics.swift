internal import Telemetry

/// The metrics of a producer.
struct FeedMetrics: Sendable {
    /// Events that are counted: more of them would cost more than the number tells.
    static let lagMax: Int64 = 10_000

    private let bytes: MetricFamily<Gauge>
    private let oldest: MetricFamily<Gauge>
    private let passedOver: MetricFamily<Counter>
    private let lag: MetricFamily<Gauge>
    private let lagAge: MetricFamily<Gauge>
    /// Of the feeds' names.
    private let suffix: String

    init(_ metrics: Metrics, shard: Int) {
        suffix = shard == 0 ? "" : "/\(shard)"
        lag = metrics.gauges(
            "trackme_feed_lag_events",
            "Events of a feed that a configured consumer has not committed yet, counted up to \(Self.lagMax).",
            labels: ["feed", "consumer"])
        lagAge = metrics.gauges(
            "trackme_feed_lag_seconds", "Age of the oldest of them.", labels: ["feed", "consumer"])
        bytes = metrics.gauges("trackme_feed_bytes", "Size of a feed's tables, with indexes.", labels: ["feed"])
        oldest = metrics.gauges(
            "trackme_feed_oldest_seconds", "Age of the oldest event that a feed keeps.", labels: ["feed"])
        passedOver = metrics.counters(
            "trackme_feed_passed_over_total",
            "Times that a feed reached its cap and a consumer was no longer waited for.", labels: ["feed", "consumer"])
    }

    func set(feed: String, bytes size: Int, oldest age: Duration) {
        bytes[feed + suffix].set(Double(size))
        oldest[feed + suffix].set(age.seconds)
    }

    func set(lag events: Int64, oldest age: Duration, of consumer: String, in feed: String) {
        lag[feed + suffix, consumer].set(Double(events))
        lagAge[feed + suffix, consumer].set(age.seconds)
    }

    func passedOver(feed: String, consumer: String) { passedOver[feed + suffix, consumer].increment() }
}
