import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

@Suite struct CopyTests {
    private struct Refusal: Error {}

    @Test("100,000 rows go in and come out, in binary and in text")
    func bothWays() async throws {
        try await TestDatabase.with { test in
            let table: SQL = "create table item (id int8, name text, at timestamptz, size float8)"
            try await test.database.execute(table)
            try await test.database.withConnection { connection in
                var next = 0
                var rows = CopyRows()
                let copied = try await connection.copyIn("copy item from stdin (format binary)") {
                    if next > 100_000 { return nil }
                    while next < 100_000, rows.count < 100_000 {
                        rows.append(
                            next, next % 2 == 0 ? "row \(next)" : nil as String?, Timestamp(milliseconds: Int64(next)),
                            0.5)
                        next += 1
                    }
                    if next == 100_000 {
                        rows.finish()
                        next += 1
                    }
                    return rows.takeChunk()
                }
                #expect(copied == 100_000)
                let sums = try await connection.queryOne(
                    "select count(*), sum(id)::int8, count(name), max(at), sum(size) from item",
                    as: Int.self, Int.self, Int.self, Timestamp.self, Double.self)
                #expect(try #require(sums) == (100_000, 4_999_950_000, 50_000, Timestamp(milliseconds: 99_999), 50_000))
                var lines = 0
                var largest = 0
                let sent = try await connection.copyOut("copy item to stdout") { chunk in
                    lines += chunk.count { $0 == UInt8(ascii: "\n") }
                    largest = max(largest, chunk.count)
                }
                #expect(sent == 100_000 && lines == 100_000 && largest < 80_000)
                #expect(try await connection.queryOne("select 1", as: Int.self) == 1)
            }
        }
    }

    @Test("A connection lost while a copy commits by itself: the outcome is unknown")
    func lostAtTheEnd() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute("create table item (id int8)")
            try await test.database.execute(
                """
                create function end_session() returns trigger language plpgsql as
                $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$
                """)
            try await test.database.execute(
                """
                create constraint trigger ends after insert on item deferrable initially deferred
                for each row execute function end_session()
                """)
            let error = await #expect(throws: PostgresError.self) {
                try await test.database.withConnection { connection in
                    var chunks = [Array("1\n".utf8)]
                    try await connection.copyIn("copy item from stdin") { chunks.popLast() }
                }
            }
            guard case .outcomeUnknown = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("Within a transaction a copy is part of it")
    func transaction() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute("create table item (id int8)")
            _ = try? await test.database.transaction { transaction in
                var chunks: [[UInt8]] = [Array("1\n2\n".utf8), [], Array("3\n".utf8)]
                let copied = try await transaction.copyIn("copy item from stdin") {
                    chunks.isEmpty ? nil : chunks.removeFirst()
                }
                #expect(copied == 3)
                #expect(try await transaction.queryOne("select count(*) from item", as: Int.self) == 3)
                throw Refusal()
            }
            #expect(try await test.database.queryOne("select count(*) from item", as: Int.self) == 0)
        }
    }

    @Test("A copy that fails, on this side or in the server, leaves nothing and a usable connection")
    func failures() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute("create table item (id int8)")
            try await test.database.withConnection { connection in
                var isFirst = true
                await #expect(throws: Refusal.self) {
                    try await connection.copyIn("copy item from stdin") {
                        guard isFirst else { throw Refusal() }
                        isFirst = false
                        return Array("1\n".utf8)
                    }
                }
                var lines: [[UInt8]] = [Array("not a number\n".utf8)]
                let bad = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("copy item from stdin") { lines.popLast() }
                }
                #expect(bad?.sqlState == .invalidTextRepresentation)
                let unknown = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("copy nothing from stdin") { nil }
                }
                #expect(unknown?.sqlState == .undefinedTable)
                await #expect(throws: PostgresError.self) { try await connection.copyIn("select 1") { nil } }
                await #expect(throws: Refusal.self) {
                    try await connection.copyOut("copy (select generate_series(1, 1000000)) to stdout") { _ in
                        throw Refusal()
                    }
                }
                await #expect(throws: PostgresError.timedOut) {
                    try await connection.copyOut(
                        "copy (select pg_sleep(60)) to stdout", deadline: .after(.milliseconds(30))
                    ) { _ in }
                }
                let count = try await connection.queryOne("select count(*) from item", as: Int.self)
                #expect(count == 0)
            }
            #expect(await test.database.connectionCount == 1)
        }
    }
}
