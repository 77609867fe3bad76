import Glibc
import LoadGenerator

/// Uploads at 75 % of their maximum for half an hour, sent at fixed times: memory and latency stay flat. `TRACKME_BENCH_MINUTES`
/// sets another length.
///
/// People are sealed when they have some hundred arrivals. Before anything is measured they come to have none to hundreds of
/// them, evenly, as people have at any time of a day: otherwise nobody would be sealed for ten minutes, and then all would.
enum SoakBench {
    private static let minutesDefault = 30
    private static let share = 0.75
    private static let mostSeconds = 30.0
    /// Before that: in each turn so many uploads of each, and of a tenth fewer people.
    private static let turns = 10
    private static let uploadsEach = 50

    static func run(_ report: inout Report) async throws {
        let minutes = getenv("TRACKME_BENCH_MINUTES").flatMap { Int(String(cString: $0)) } ?? minutesDefault
        guard minutes >= 3 else { throw BenchError.failed("TRACKME_BENCH_MINUTES must be 3 or more") }
        let parts = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let runner = try spread(bed)
                let most = try bed.measured(runner, .closed, for: .seconds(mostSeconds))
                emit("      at most, while people are sealed: \(most.text)")
                return try (1...minutes).map { minute in
                    var load = CalmLoad(rate: share * most.result.rate)
                    for _ in 0..<60 { try load.run(runner, bed) }
                    let memory = try ProcessMemory(of: bed.ingestion)
                    emit("      minute \(minute): \(rounded(memory.now)) MB; \(load.text)")
                    return (figures: load.figures, megabytes: memory.now)
                }
            }
        }
        let third = parts.count / 3
        func p99(_ parts: some Sequence<(figures: LoadFigures, megabytes: Double)>) -> Double {
            var all = LatencyHistogram()
            for part in parts { all.add(part.figures.result.latency) }
            return all.percentile(0.99) / 1000
        }
        report.add(
            "memory of the service after \(minutes) minutes", parts[parts.count - 1].megabytes,
            against: "after a third of them", parts[third].megabytes, "MB", .atMost(1.1))
        report.add(
            "uploads of the last third, p99", p99(parts.suffix(third)), against: "of the first",
            p99(parts.prefix(third)),
            "ms", .atMost(1.5))
    }

    /// Sends the first uploads. Returns the load of everybody.
    private static func spread(_ bed: LoadBed) throws -> LoadRunner {
        let people = UploadsBench.people
        let tokens = try bed.tokens(.device, count: people)
        func runner(from first: Int) throws -> LoadRunner {
            try bed.runner(
                UploadSource(.live, of: first..<people, tokens: tokens, host: bed.authority),
                connections: UploadsBench.connections)
        }
        for turn in 0..<turns {
            let first = people / turns * turn
            let figures = try bed.measured(
                try runner(from: first), .closed, for: .requests((people - first) * uploadsEach))
            emit("      before: \(people - first) people, \(figures.text)")
        }
        return try runner(from: 0)
    }
}
