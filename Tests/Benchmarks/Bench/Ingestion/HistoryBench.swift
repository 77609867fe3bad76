import LoadGenerator
import Postgres
import Primitives
import Reactor

/// A history in uploads of 1,000 samples: durable samples per second over HTTP, and bytes on disk. The baseline is
/// `COPY` of the same number of samples as plain rows with a primary key.
enum HistoryBench {
    private static let people = 200
    private static let connections = 16
    private static let turns = 200
    private static let warmRequests = 1000
    private static let measuredSeconds = 12.0
    private static let plainRows = 1_000_000
    private static let chunkRows = 10_000

    static func run(_ report: inout Report) async throws {
        let result = try await IngestionBed.with { (bed) -> Outcome in
            let before = try await bed.bytesOnDisk()
            let (samplesEach, count, figures) = try await bed.load { (bed) -> (Int, Int, LoadFigures) in
                let source = UploadSource(
                    .history(turns: turns, from: .now() - .seconds(400 * 86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                let runner = try bed.runner(source, connections: connections)
                let warm = try bed.measured(runner, .closed, for: .requests(warmRequests))
                let figures = try bed.measured(runner, .closed, for: .seconds(measuredSeconds))
                return (source.samplesEach, warm.result.good + figures.result.good, figures)
            }
            let bytes = Double(try await bed.bytesOnDisk() - before) / Double(count * samplesEach)
            let plain = try await copyPlain(bed)
            return Outcome(samplesEach: samplesEach, figures: figures, bytes: bytes, plain: plain)
        }
        let (samplesEach, figures, plain) = (result.samplesEach, result.figures, result.plain)
        report.note("uploads of \(samplesEach) samples: \(figures.text)")
        report.note(
            "processor time per sample: ingestion \(rounded(1000 * figures.ingestion / Double(samplesEach))) ns, PostgreSQL "
                + "\(rounded(1000 * figures.postgres / Double(samplesEach))) ns")
        report.add(
            "durable samples of a history", figures.result.rate * Double(samplesEach), against: "COPY of plain rows",
            plain.rate, "/s", .atLeast(2))
        report.add(
            "bytes on disk of a sample before sealing, uploads of \(samplesEach)", result.bytes, against: "plain rows",
            plain.bytes, "bytes", .atMost(0.1))
    }

    private struct Outcome: Sendable {
        let samplesEach: Int
        let figures: LoadFigures
        /// On disk, of a sample.
        let bytes: Double
        let plain: Plain
    }

    private struct Plain: Sendable {
        let rate: Double
        let bytes: Double
    }

    /// One row for each sample.
    private static func copyPlain(_ bed: IngestionBed) async throws -> Plain {
        let database = bed.database
        try await database.execute(
            """
            create table bench_plain (account uuid, type int2, time timestamptz, value float8,
              primary key (account, type, time))
            """)
        var rows = CopyRows()
        var chunks: [[UInt8]] = []
        let begin = Timestamp(milliseconds: 1_760_000_000_000)
        for number in 0..<plainRows {
            let (moment, type) = (number / 5 / people, Int16(number % 5 + 2))
            rows.append(
                DeviceTokens.account(number / 5 % people, seed: LoadBed.seed), type,
                begin + .milliseconds(Int64(moment) * 30_000 + Int64(number % 97)), Double(60 + number % 40))
            if (number + 1).isMultiple(of: chunkRows) { chunks.append(rows.takeChunk()) }
        }
        rows.finish()
        chunks.append(rows.takeChunk())
        let made = chunks
        let start = Deadline.now()
        try await database.withConnection { connection in
            var left = Array(made.reversed())
            try await connection.copyIn("copy bench_plain (account, type, time, value) from stdin (format binary)") {
                left.popLast()
            }
        }
        let time = seconds(since: start)
        let bytes = try await database.queryOne("select pg_total_relation_size('bench_plain')", as: Int64.self) ?? 0
        try await database.execute("drop table bench_plain")
        return Plain(rate: Double(plainRows) / time, bytes: Double(bytes) / Double(plainRows))
    }
}
