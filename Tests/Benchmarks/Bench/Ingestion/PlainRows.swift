import LoadGenerator
import Postgres
import Primitives
import Reactor

/// What storage is compared with: samples as plain rows with a primary key, one row for each, by binary `COPY`.
struct PlainRows: Sendable {
    private static let count = 1_000_000
    private static let chunkRows = 10_000

    /// Rows per second.
    let rate: Double
    /// On disk, of a row.
    let bytes: Double

    /// Five types of `people` in turn, every 30 s.
    static func copied(_ bed: IngestionBed, people: Int) async throws -> PlainRows {
        let database = bed.database
        try await database.execute(
            """
            create table bench_plain (account uuid, type int2, time timestamptz, value float8,
              primary key (account, type, time))
            """)
        var rows = CopyRows()
        var chunks: [[UInt8]] = []
        let begin = Timestamp(milliseconds: 1_760_000_000_000)
        for number in 0..<count {
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
        return PlainRows(rate: Double(count) / time, bytes: Double(bytes) / Double(count))
    }
}
