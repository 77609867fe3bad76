import LoadGenerator
import Postgres
import Reactor

/// A baseline: the rows that uploads have left, put into empty copies of the same tables with `COPY`, so many uploads in each
/// commit as the service groups.
enum GroupedCopy {
    struct Figures: Sendable {
        /// Uploads.
        let count: Int
        let seconds: Double
        /// Processor time of an upload's rows, in µs.
        let postgres: Double

        var text: String {
            "\(rounded(Double(count) / seconds)) /s; processor time: PostgreSQL \(rounded(postgres)) µs"
        }
    }

    /// As `ArrivalWriter.groupMax`.
    private static let group = 64
    private static let rowsMax: Int32 = 60_000
    /// What an upload leaves a row in.
    private static let tables = ["arrival", "upload"]

    static func measure(_ bed: IngestionBed) async throws -> Figures {
        let target = "\(bed.schema)_copy"
        try await bed.database.execute("create schema \(identifier: target)")
        var rows: [(table: String, lines: [[UInt8]])] = []
        for table in tables where try await exists(table, bed) {
            try await clone(table, to: target, bed)
            rows.append((table, try await lines(of: table, bed)))
        }
        let count = rows.map(\.lines.count).min() ?? 0
        guard count > group else { throw BenchError.failed("the uploads left no rows") }
        let before = try ProcessorTime(of: bed.postgres)
        let start = Deadline.now()
        let copied = rows
        for first in stride(from: 0, to: count, by: group) {
            try await bed.database.transaction { transaction in
                for (table, lines) in copied {
                    var chunks = [Array(lines[first..<min(count, first + group)].joined())]
                    try await transaction.copyIn("copy \(identifier: target).\(identifier: table) from stdin") {
                        chunks.popLast()
                    }
                }
            }
        }
        let seconds = seconds(since: start)
        let used = try ProcessorTime(of: bed.postgres) - before
        try await bed.database.execute("drop schema \(identifier: target) cascade")
        return Figures(count: count, seconds: seconds, postgres: used * 1e6 / Double(count))
    }

    private static func exists(_ table: String, _ bed: IngestionBed) async throws -> Bool {
        try await bed.database.queryOne("select to_regclass(\(table)) is not null", as: Bool.self) ?? false
    }

    /// With indexes, and partitions as they are.
    private static func clone(_ table: String, to target: String, _ bed: IngestionBed) async throws {
        let key = try await bed.database.queryOne(
            """
            select coalesce((select pg_get_partkeydef(partrelid) from pg_partitioned_table
              where partrelid = to_regclass(\(table))), '')
            """, as: String.self)
        let suffix = key.map { $0.isEmpty ? "" : "partition by \($0)" } ?? ""
        try await bed.database.execute(
            "create table \(identifier: target).\(identifier: table) (like \(identifier: table) including all) \(raw: suffix)"
        )
        let parts = try await bed.database.query(
            """
            select c.relname::text, pg_get_expr(c.relpartbound, c.oid) from pg_class c join pg_inherits i on i.inhrelid = c.oid
            where i.inhparent = to_regclass(\(table))
            """, as: String.self, String.self)
        for (name, bound) in parts {
            // Partitions may have indexes that the whole has not.
            try await bed.database.execute(
                "create table \(identifier: target).\(identifier: name) (like \(identifier: name) including all)")
            try await bed.database.execute(
                """
                alter table \(identifier: target).\(identifier: table)
                attach partition \(identifier: target).\(identifier: name) \(raw: bound)
                """)
        }
    }

    private static func lines(of table: String, _ bed: IngestionBed) async throws -> [[UInt8]] {
        try await bed.database.withConnection { connection in
            var lines: [[UInt8]] = []
            try await connection.copyOut(
                "copy (select * from \(identifier: table) limit \(raw: "\(rowsMax)")) to stdout"
            ) {
                lines += $0.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
            }
            return lines
        }
    }
}
