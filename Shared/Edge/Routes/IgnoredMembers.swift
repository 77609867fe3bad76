public import Telemetry

extension Counter {
    /// Counts members of JSON bodies that were ignored, because their senders are not upgraded with this service.
    public static func ignoredMembers(of bodies: String, _ metrics: Metrics) -> Counter {
        metrics.counters(
            "trackme_ignored_members_total", "Unknown members of JSON bodies that were passed over.", labels: ["bodies"]
        )[bodies]
    }
}
