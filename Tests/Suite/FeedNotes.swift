import Telemetry

/// The incidents of a feed, as its log tells them.
struct FeedNotes: Sendable {
    private let lines = MemoryLogSink()

    var observer: Observer { Observer(log: Log(service: "test", sink: lines)) }
    var snapshots: Int { lines.count(of: "feed snapshot taken") }
    var gone: Int { lines.count(of: "feed gone, taking a snapshot") }
    /// Events that were blamed for a failure.
    var blamed: Int { lines.count(of: "feed event parked") + lines.count(of: "feed event not applied") }
}
