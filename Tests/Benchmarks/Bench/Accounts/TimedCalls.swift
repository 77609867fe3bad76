import LoadGenerator
import Primitives
import Reactor

/// Calls at fixed times, whatever the answers take: the latency of each counts from when it was due, so that a service that falls
/// behind is seen to. A second in which the machine's host gave more than a twentieth of both cores to others does not count.
struct TimedCalls: Sendable {
    /// Calls that wait for their answers at the same time.
    private static let workers = 128
    private static let stolenMax = 0.05
    /// The loop's timers come up to a millisecond late, which is nobody's latency.
    private static let timersLate = Duration.milliseconds(2)
    /// Of so many seconds one has to count.
    private static let secondsEach = 6

    private(set) var latency = LatencyHistogram()
    private(set) var calls = 0

    /// In milliseconds.
    var p50: Double { latency.percentile(0.5) / 1000 }
    var p99: Double { latency.percentile(0.99) / 1000 }

    /// Makes calls, `rate` of them a second, until so many seconds count; `call` gets their numbers. Call on a loop.
    mutating func run(
        rate: Int, seconds: Int, _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var (counted, passed) = (0, 0)
        while counted < seconds {
            guard passed < seconds * Self.secondsEach else {
                throw BenchError.failed(
                    "the host disturbed \(passed - counted) of \(passed) s: nothing can be measured")
            }
            let stolen = ProcessorTime.stolenSeconds()
            let second = try await Self.second(rate, from: calls, call)
            calls += rate
            passed += 1
            guard ProcessorTime.stolenSeconds() - stolen <= Self.stolenMax * 2 else { continue }
            latency.add(second)
            counted += 1
        }
    }

    private static func second(
        _ rate: Int, from first: Int, _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> LatencyHistogram {
        guard let loop = EventLoop.current else { throw BenchError.failed("outside an event loop") }
        let start = Deadline.now()
        return try await withThrowingTaskGroup(of: [Int64].self) { group in
            for worker in 0..<min(workers, rate) {
                group.addTask {
                    var latencies: [Int64] = []
                    for number in stride(from: worker, to: rate, by: workers) {
                        let due = start.advanced(by: .nanoseconds(1_000_000_000 / rate * number))
                        try await loop.sleep(until: due)
                        let begun = Deadline.now()
                        try await call(first + number)
                        let from = begun.since(due) > timersLate ? due : begun
                        latencies.append(Deadline.now().since(from).microseconds)
                    }
                    return latencies
                }
            }
            var all = LatencyHistogram()
            for try await latencies in group { for latency in latencies { all.add(microseconds: latency) } }
            return all
        }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
