import LoadGenerator
import Postgres
import Primitives
import Reactor

/// Bytes on disk of a sample after sealing: vital signs every 30 s, a block for each person, type and local day, with
/// indexes, summaries, people and keys. Uploads of a day and more are sealed as they come.
enum SealedBench {
    private static let people = 40
    private static let uploadsEach = 9
    /// 40 hours.
    private static let turns = 4800
    private static let sealingMax = Duration.seconds(90)

    private struct Outcome: Sendable {
        let samples: Int
        let bytes: Int64
        let plain: PlainRows
        let figures: LoadFigures
        /// From the last upload until all was sealed.
        let waited: Double
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await IngestionBed.with { (bed) -> Outcome in
            let (samplesEach, figures) = try await bed.load { (bed) -> (Int, LoadFigures) in
                let source = UploadSource(
                    .history(turns: turns, from: .now() - .seconds(40 * 86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                let runner = try bed.runner(source, connections: 8)
                return (
                    source.samplesEach, try bed.measured(runner, .closed, for: .requests(people * uploadsEach))
                )
            }
            let start = Deadline.now()
            try await waitUntilSealed(bed)
            let waited = seconds(since: start)
            let bytes = try await bytes(bed)
            return Outcome(
                samples: samplesEach * figures.result.good, bytes: bytes,
                plain: try await PlainRows.copied(bed, people: people), figures: figures, waited: waited)
        }
        report.note("\(outcome.samples) samples of \(people) people: \(outcome.figures.text)")
        report.note("sealed \(rounded(outcome.waited)) s after the last upload")
        report.add(
            "bytes on disk of a sample after sealing", Double(outcome.bytes) / Double(outcome.samples), "bytes",
            atMost: 3)
        report.add(
            "the same", Double(outcome.bytes) / Double(outcome.samples), against: "plain rows", outcome.plain.bytes,
            "bytes", .atMost(0.03))
    }

    /// Until all that has come is in blocks.
    static func waitUntilSealed(_ bed: IngestionBed) async throws {
        let deadline = Deadline.after(sealingMax)
        while !deadline.hasPassed {
            let isDone = try await bed.database.queryOne(
                """
                select not exists (select from arrival a join person p on p.number = a.person where a.arrival > p.sealed_through)
                """, as: Bool.self)
            if isDone == true { return }
            try await bed.loops.loops[0].sleep(for: .milliseconds(200))
        }
        throw BenchError.failed("the uploads were not sealed within \(sealingMax)")
    }

    /// Of all that stays: arrivals are dropped two days later, imported files once they are read, and the ledger's hashes after
    /// 30 days, when of each device one range of numbers is left.
    static func bytes(_ bed: IngestionBed) async throws -> Int64 {
        try await bed.database.execute("create table bench_ranges (like upload including all)")
        try await bed.database.execute(
            """
            insert into bench_ranges (person, source, first, upload, received_at)
            select person, source, min(upload), max(upload), max(received_at) from upload group by person, source
            """)
        return try await bed.database.queryOne(
            """
            select coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            where n.nspname::text = any(\(bed.schemas)) and c.relkind = 'r'
              and c.relname !~ '^(feed|arrival|upload|import_data)'
            """, as: Int64.self) ?? 0
    }
}
