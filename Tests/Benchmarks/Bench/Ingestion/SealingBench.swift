import LoadGenerator
import Primitives
import Reactor

/// Sealing of 5,000 people's full day of vital signs, one every 30 s, while 20,000 others upload at half the maximum, sent at
/// fixed times; against the same uploads without it.
enum SealingBench {
    private static let people = 5000
    private static let turns = 86_400 / 30
    private static let types = 5
    private static let seconds = 10.0
    private static let share = 0.5
    /// The uploads beside are measured in pieces, until all is sealed.
    private static let pieceSeconds = 1.0

    private struct Outcome: Sendable {
        let most: LoadFigures
        let alone: LoadFigures
        let during: [LoadFigures]
        let elapsed: Double
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await IngestionBed.with { (bed) -> Outcome in
            let (most, alone) = try await bed.load { (bed) -> (LoadFigures, LoadFigures) in
                // One upload of a day is not so large that it would be sealed at once.
                let day = UploadSource(
                    .history(turns: turns, from: Timestamp.now() - .seconds(2 * 86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                _ = try bed.measured(try bed.runner(day, connections: 8), .closed, for: .requests(people))
                let runner = try others(bed)
                _ = try bed.measured(runner, .closed, for: .requests(UploadsBench.people))
                let most = try bed.measured(runner, .closed, for: .seconds(seconds))
                return (
                    most, try bed.measured(runner, .open(rate: share * most.result.rate), for: .seconds(seconds))
                )
            }
            let sealed = EventCounter()
            async let during = bed.load { (bed) -> [LoadFigures] in
                let runner = try others(bed)
                var pieces: [LoadFigures] = []
                while sealed.value == 0 || pieces.isEmpty {
                    pieces.append(
                        try bed.measured(
                            runner, .open(rate: share * most.result.rate), for: .seconds(pieceSeconds)))
                }
                return pieces
            }
            let start = Deadline.now()
            let sealing: Result<Void, any Error>
            do { sealing = .success(try await bed.closeDays(sealing: people)) } catch { sealing = .failure(error) }
            let elapsed = Deadline.now().since(start) / .seconds(1)
            sealed.raise()
            let pieces = try await during
            try sealing.get()
            return Outcome(most: most, alone: alone, during: pieces, elapsed: elapsed)
        }
        var latency = LatencyHistogram()
        for piece in outcome.during { latency.add(piece.result.latency) }
        let uploads = outcome.during.reduce(0) { $0 + $1.result.good }
        var used = 0.0
        for piece in outcome.during { used += (piece.ingestion + piece.postgres) * Double(piece.result.good) }
        let own = used - (outcome.alone.ingestion + outcome.alone.postgres) * Double(uploads)
        report.note("at most: \(outcome.most.text)")
        report.note("at half of it: \(outcome.alone.text)")
        report.note(
            "\(people * types) days of a type sealed in \(rounded(outcome.elapsed)) s beside \(uploads) uploads, none refused; "
                + "processor time beyond that of the uploads: \(rounded(own / Double(people * types))) µs for each")
        report.add(
            "uploads while 5,000 people's day is sealed, p99", latency.percentile(0.99) / 1000, against: "without",
            outcome.alone.result.latency.percentile(0.99) / 1000, "ms", .atMost(2))
    }

    private static func others(_ bed: LoadBed) throws -> LoadRunner {
        let all = people + UploadsBench.people
        return try bed.runner(
            UploadSource(
                .live, of: people..<all, tokens: try bed.tokens(.device, count: all), host: bed.authority),
            connections: UploadsBench.connections)
    }
}
