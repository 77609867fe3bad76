import LoadGenerator
import Postgres
import Primitives
import Reactor

/// Sealing of 5,000 people's full day of vital signs, one every 30 s, while 20,000 others upload at half the maximum, sent at
/// fixed times; against the same uploads without it, before and afterwards, since the machine's speed changes.
enum SealingBench {
    private static let people = 5000
    private static let turns = 86_400 / 30
    /// Two of half a day each: so large that one would be sealed at once is none of them.
    private static let uploadsEach = 2
    private static let types = 5
    private static let maxSeconds = 10.0
    /// Before sealing, and as long afterwards.
    private static let aloneSeconds = 15
    private static let share = 0.5

    private struct Outcome: Sendable {
        let most: LoadFigures
        let alone: CalmLoad
        let beside: CalmLoad
        let elapsed: Double
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await IngestionBed.with { (bed) -> Outcome in
            let (loaded, sealed) = (EventCounter(), EventCounter())
            async let sealing = seal(bed, after: loaded, sealed)
            let (most, alone, beside) = try await bed.load { (bed) -> (LoadFigures, CalmLoad, CalmLoad) in
                defer { loaded.raise() }
                let day = UploadSource(
                    .history(turns: turns / uploadsEach, from: Timestamp.now() - .seconds(2 * 86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                _ = try bed.measured(try bed.runner(day, connections: 8), .closed, for: .requests(people * uploadsEach))
                // The same tokens in all parts, so that no later one checks signatures.
                let all = people + UploadsBench.people
                let others = try bed.runner(
                    UploadSource(
                        .live, of: people..<all, tokens: try bed.tokens(.device, count: all), host: bed.authority),
                    connections: UploadsBench.connections)
                _ = try bed.measured(others, .closed, for: .requests(UploadsBench.people))
                let most = try bed.measured(others, .closed, for: .seconds(maxSeconds))
                var alone = CalmLoad(rate: share * most.result.rate)
                try alone.run(others, bed, seconds: aloneSeconds)
                loaded.raise()
                var beside = CalmLoad(rate: share * most.result.rate)
                while sealed.value == 0 { try beside.run(others, bed) }
                try alone.run(others, bed, seconds: 2 * aloneSeconds)
                return (most, alone, beside)
            }
            return Outcome(most: most, alone: alone, beside: beside, elapsed: try await sealing)
        }
        let (alone, beside) = (outcome.alone.figures, outcome.beside.figures)
        let own =
            outcome.beside.processorSeconds - (alone.ingestion + alone.postgres) * Double(outcome.beside.uploads) / 1e6
        report.note("at most: \(outcome.most.text)")
        report.note("at half of it: \(outcome.alone.text)")
        report.note("while sealing: \(outcome.beside.text)")
        report.note(
            "\(people * types) days of a type sealed in \(rounded(outcome.elapsed)) s beside \(outcome.beside.uploads) uploads, "
                + "none refused; processor time beyond that of the uploads: \(rounded(1e6 * own / Double(people * types))) µs for each"
        )
        report.add(
            "uploads while 5,000 people's day is sealed, p99", beside.result.latency.percentile(0.99) / 1000,
            against: "without", alone.result.latency.percentile(0.99) / 1000, "ms", .atMost(2))
    }

    /// How many seconds it takes. Raises `sealed` in any case.
    private static func seal(
        _ bed: IngestionBed, after loaded: EventCounter, _ sealed: EventCounter
    ) async throws -> Double {
        defer { sealed.raise() }
        _ = await loaded.wait(after: 0)
        let early = try await bed.database.queryOne(
            "select count(*) from person where sealed_through > 0", as: Int.self)
        guard early == 0 else { throw BenchError.failed("\(early ?? 0) people were sealed before") }
        let start = Deadline.now()
        try await bed.closeDays(sealing: people)
        return Deadline.now().since(start) / .seconds(1)
    }
}
