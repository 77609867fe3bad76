internal import Telemetry

/// The metrics of a producer.
struct FeedMetrics: Sendable {
    private let bytes: MetricFamily<Gauge>
    private let oldest: MetricFamily<Gauge>
    private let passedOver: MetricFamily<Counter>
    private let lag: MetricFamily<Gauge>

    init(_ metrics: Metrics) {
        lag = metrics.gauges(
            "trackme_feed_lag_events", "Events of a feed that a consumer has not committed yet.",
            labels: ["feed", "consumer"])
        bytes = metrics.gauges("trackme_feed_bytes", "Size of a feed's tables, with indexes.", labels: ["feed"])
        oldest = metrics.gauges(
            "trackme_feed_oldest_seconds", "Age of the oldest event that a feed keeps.", labels: ["feed"])
        passedOver = metrics.counters(
            "trackme_feed_passed_over_total",
            "Times that a feed reached its cap and a consumer was no longer waited for.", labels: ["feed", "consumer"])
    }

    func set(feed: String, bytes size: Int, oldest age: Duration) {
        bytes[feed].set(Double(size))
        oldest[feed].set(age.seconds)
    }

    func set(lag events: Int64, of consumer: String, in feed: String) {
        lag[feed, consumer].set(Double(max(0, events)))
    }

    func passedOver(feed: String, consumer: String) { passedOver[feed, consumer].increment() }
}
