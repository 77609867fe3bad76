import Reactor

/// How late the loops are: a timer of each loop fires on time only if nothing holds the loop up.
enum LoopLag {
    static let interval = Duration.milliseconds(500)

    /// One task per loop.
    static func tasks(_ loops: EventLoopGroup, _ metrics: Metrics) -> [(loop: EventLoop, task: BackgroundTask)] {
        let lag = metrics.histograms(
            "trackme_loop_lag_seconds", "How late timers of an event loop fire.", labels: ["loop"],
            buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1])
        return loops.loops.enumerated().map { index, loop in
            let series = lag[String(index)]
            let task = BackgroundTask("loop-lag-\(index)") {
                while true {
                    let due = Deadline.after(interval)
                    try await loop.sleep(until: due)
                    series.observe(Deadline.now().since(due))
                }
            }
            return (loop, task)
        }
    }
}
