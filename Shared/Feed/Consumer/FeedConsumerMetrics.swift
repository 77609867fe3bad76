internal import Primitives
internal import Telemetry

/// The metrics of a consumer.
struct FeedConsumerMetrics: Sendable {
    private let caughtUp: Gauge
    private let parked: Gauge
    private let parts: Gauge

    init(_ metrics: Metrics, feed: String) {
        caughtUp =
            metrics.gauges(
                "trackme_feed_caught_up_timestamp_seconds",
                "When, in seconds since 1970, this process had last applied everything that a feed had.",
                labels: ["feed"]
            )[feed]
        parts =
            metrics.gauges(
                "trackme_feed_parts", "Parts of a divided feed that this process follows.", labels: ["feed"]
            )[feed]
        parked =
            metrics.gauges(
                "trackme_feed_parked", "Events of a feed that could not be applied and were put aside.",
                labels: ["feed"]
            )[feed]
    }

    func caughtUp(_ settled: FeedSettled) {
        caughtUp.set(Double((Timestamp.now() - settled.age).milliseconds) / 1000)
    }

    func set(parts count: Int) { parts.set(Double(count)) }

    func set(parked count: Int) { parked.set(Double(count)) }
}
