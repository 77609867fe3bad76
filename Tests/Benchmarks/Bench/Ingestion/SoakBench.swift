import Glibc
import LoadGenerator

/// Uploads at 75 % of their maximum for half an hour, sent at fixed times: memory and latency stay flat. `TRACKME_BENCH_MINUTES`
/// sets another length.
enum SoakBench {
    private static let minutesDefault = 30
    private static let share = 0.75
    private static let mostSeconds = 10.0

    static func run(_ report: inout Report) async throws {
        let minutes = getenv("TRACKME_BENCH_MINUTES").flatMap { Int(String(cString: $0)) } ?? minutesDefault
        guard minutes >= 3 else { throw BenchError.failed("TRACKME_BENCH_MINUTES must be 3 or more") }
        let parts = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let people = UploadsBench.people
                let runner = try bed.runner(
                    UploadSource(
                        .live, of: 0..<people, tokens: try bed.tokens(.device, count: people), host: bed.authority),
                    connections: UploadsBench.connections)
                _ = try bed.measured(runner, .closed, for: .requests(people))
                let most = try bed.measured(runner, .closed, for: .seconds(mostSeconds)).result.rate
                return try (1...minutes).map { minute in
                    var load = CalmLoad(rate: share * most)
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
}
