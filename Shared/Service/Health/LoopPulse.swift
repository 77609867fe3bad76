import Reactor
import Synchronization
import Telemetry

/// How late the loops are, and whether any of them stands still: a timer of each loop fires on time only if nothing holds
/// the loop up.
final class LoopPulse: Sendable {
    static let interval = Duration.milliseconds(500)

    private let loops: EventLoopGroup
    private let beats: Mutex<[Deadline]>
    private let lag: MetricFamily<Histogram>

    init(_ loops: EventLoopGroup, _ metrics: Metrics) {
        self.loops = loops
        beats = Mutex(loops.loops.map { _ in .now() })
        lag = metrics.histograms(
            "trackme_loop_lag_seconds", "How late timers of an event loop fire.", labels: ["loop"],
            buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1])
    }

    /// One task per loop.
    var tasks: [(loop: EventLoop, task: BackgroundTask)] {
        loops.loops.enumerated().map { index, loop in
            let series = lag[String(index)]
            let task = BackgroundTask("loop-pulse-\(index)") { [self] in
                while true {
                    let due = Deadline.after(Self.interval)
                    try await loop.sleep(until: due)
                    let now = Deadline.now()
                    series.observe(now.since(due))
                    beats.withLock { $0[index] = now }
                }
            }
            return (loop, task)
        }
    }

    /// How long ago the loop that has been silent for longest was heard. From any thread.
    var silence: Duration {
        let now = Deadline.now()
        return beats.withLock { $0.map { now.since($0) }.max() ?? .zero }
    }
}
