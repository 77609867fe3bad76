import Contracts
import LoadGenerator
import Primitives
import Reactor

/// Event streams that one replica holds open while nothing happens: 10,000, of 20 third parties. Each of them says every five
/// seconds that it is there.
enum OpenStreamsBench {
    private static let (streams, thirdParties) = (10_000, 20)
    /// Heartbeats of each before it counts, and how long they may take; then they go on for so long.
    private static let (heartbeats, heartbeatSeconds, calmSeconds) = (2, 60.0, 15.0)

    private struct Outcome: Sendable {
        let openSeconds: Double
        /// Of query, in MB.
        let (before, after): (Double, Double)
        let times: String
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await DeliveriesBed.with { bed in
            let tokens = try await bed.thirdParties(thirdParties).map { try bed.token(of: $0) }
            try await ServiceTimes.waitForQuiet(bed)
            return try await BlockingPool.shared.run {
                Side.both.pin()
                return Result { try hold(tokens, bed) }
            }.get()
        }
        report.note("\(streams) streams were opened in \(rounded(outcome.openSeconds)) s, one after the other")
        report.note("query: \(rounded(outcome.before)) MB before, \(rounded(outcome.after)) MB with them")
        report.note("idle: \(outcome.times)")
        report.add(
            "memory of query by stream, of \(streams) that are open", outcome.after * 1e6 / 1024 / Double(streams),
            "KiB",
            atMost: 32)
    }

    private static func hold(_ tokens: [String], _ bed: DeliveriesBed) throws -> Outcome {
        let query = try bed.services.process(.query)
        let before = try ProcessMemory(of: query).now
        let pool = try StreamPool(port: bed.port(.query))
        let start = Deadline.now()
        for number in 0..<streams {
            try pool.open("/query/v1/events/stream", token: tokens[number % tokens.count])
            // Those that are open are read meanwhile.
            if number.isMultiple(of: 100) { _ = try pool.wait(milliseconds: 0) }
        }
        let openSeconds = seconds(since: start)
        let seen = pool.streams.map(\.pieces)
        let waiting = Deadline.now()
        while zip(pool.streams, seen).contains(where: { $0.pieces < $1 + heartbeats }) {
            try check(pool)
            guard seconds(since: waiting) < heartbeatSeconds else {
                let silent = zip(pool.streams, seen).count { $0.pieces < $1 + heartbeats }
                throw BenchError.failed("\(silent) streams were silent for \(heartbeatSeconds) s")
            }
            try read(pool, seconds: 0.5)
        }
        let times = try ServiceTimes(bed)
        try read(pool, seconds: calmSeconds)
        try check(pool)
        return Outcome(
            openSeconds: openSeconds, before: before, after: try ProcessMemory(of: query).now,
            times: try ServiceTimes(bed).since(times))
    }

    private static func read(_ pool: StreamPool, seconds time: Double) throws {
        let start = Deadline.now()
        while seconds(since: start) < time { _ = try pool.wait(milliseconds: 50) }
    }

    private static func check(_ pool: StreamPool) throws {
        let over = pool.streams.count(where: \.isOver)
        guard over == 0 else { throw BenchError.failed("\(over) streams have ended") }
    }
}
