import Postgres
import PostgresTesting
import Primitives
import Reactor
import Telemetry
import Testing

@Suite struct StatementTests {
    @Test("execute counts rows, query returns tuples, a batch is one transaction")
    func basics() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            try await database.execute("create table item (id int8 primary key, name text)")
            #expect(try await database.execute("insert into item select n, 'n' || n from generate_series(1, 5) n") == 5)
            let rows = try await database.query(
                "select id, name from item where id > \(3) order by id", as: Int.self, String.self)
            #expect(rows.map(\.0) == [4, 5] && rows.map(\.1) == ["n4", "n5"])
            let counts = try await database.batch([
                "delete from item where id = \(1)", "update item set name = null",
                "insert into item values (\(9), \("x"))",
            ])
            #expect(counts == [1, 4, 1])
            let results = try await database.runBatch(["select 1", "select 'a'::text, true"], deadline: nil)
            #expect(try results[0].decode(as: Int.self) == [1])
            #expect(try results[1].decode(as: String.self, Bool.self).first?.0 == "a")
            #expect(try await database.batch([]) == [])
        }
    }

    @Test("A batch that fails leaves nothing behind, and the connection goes on")
    func batchIsAtomic() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            try await database.execute("create table item (id int8 constraint item_key primary key)")
            let error = await #expect(throws: PostgresError.self) {
                try await database.batch([
                    "insert into item values (\(1))", "insert into item values (\(1))",
                    "insert into item values (\(2))",
                ])
            }
            #expect(error?.sqlState == .uniqueViolation && error?.constraint == "item_key")
            #expect(try await database.queryOne("select count(*) from item", as: Int.self) == 0)
            #expect(await database.connectionCount == 1)
        }
    }

    @Test("A constraint that is checked at the end fails the statement although its rows were counted")
    func deferredConstraint() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute(
                "create table item (id int8 constraint item_key unique deferrable initially deferred)")
            for _ in 0..<2 {
                let error = await #expect(throws: PostgresError.self) {
                    try await test.database.execute("insert into item select \(1) from generate_series(1, 2)")
                }
                #expect(error?.constraint == "item_key")
            }
            #expect(await test.database.connectionCount == 1)
        }
    }

    @Test("Errors name the constraint and the state, and show nothing of the row to the public")
    func errors() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute(
                "create table item (id int8 not null, size int4 constraint size_positive check (size > 0))")
            let check = await #expect(throws: PostgresError.self) {
                try await test.database.execute("insert into item values (1, \(-77))")
            }
            #expect(check?.constraint == "size_positive" && check?.sqlState == .checkViolation)
            #expect(check?.description == "database error 23514")
            #expect(check?.debugDescription.contains("-77") == true)
            let null = await #expect(throws: PostgresError.self) {
                try await test.database.execute("insert into item values (\(Int?.none), 1)")
            }
            guard case .server(let detail) = null else {
                Issue.record("not the server's error")
                return
            }
            #expect(detail.column == "id" && detail.table == "item" && detail.schema == test.schema)
            let syntax = await #expect(throws: PostgresError.self) { try await test.database.execute("selekt 1") }
            #expect(syntax?.sqlState == .syntaxError)
            let zero = await #expect(throws: PostgresError.self) {
                try await test.database.execute("select \(raw: "'\0'")")
            }
            guard case .usage = zero else {
                Issue.record("a zero byte must not cut the statement")
                return
            }
        }
    }

    @Test("More statements than the cache holds are prepared and given up in turn")
    func eviction() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
            $0.statementsMax = 4
        } _: { test in
            for round in 0..<3 {
                for number in 0..<10 {
                    let value = try await test.database.queryOne("select \(round) + \(raw: "\(number)")", as: Int.self)
                    #expect(value == round + number)
                }
            }
            // The last eviction's DEALLOCATE goes out with the next preparation; this query is itself prepared.
            let kept = try await test.database.queryOne("select count(*) from pg_prepared_statements", as: Int.self)
            #expect(try #require(kept) <= 4)
        }
    }

    @Test("A changed result type and a lost prepared statement are prepared anew without the caller's noticing")
    func preparesAgain() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let database = test.database
            try await database.execute("create table item (id int4)")
            try await database.execute("insert into item values (1)")
            #expect(try await database.queryOne("select * from item", as: Int.self) == 1)
            try await database.execute("alter table item alter id type int8, add name text default 'x'")
            let row = try await database.queryOne("select * from item", as: Int.self, String.self)
            #expect(try #require(row) == (1, "x"))
            try await database.execute("deallocate all")
            #expect(try await database.queryOne("select * from item", as: Int.self, String.self)?.0 == 1)
            // Inside a transaction the failure ends it: it is run again as a whole.
            try await database.execute("alter table item drop name")
            let again = try await database.transaction { try await $0.queryOne("select * from item", as: Int.self) }
            #expect(again == 1)
        }
    }

    @Test("The same text with other parameter types is another statement")
    func parameterTypes() async throws {
        try await TestDatabase.with { test in
            for _ in 0..<2 {
                let number = try await test.database.queryOne("select pg_typeof(\(1))::text", as: String.self)
                let text = try await test.database.queryOne("select pg_typeof(\("1"))::text", as: String.self)
                #expect(number == "bigint" && text == "text")
            }
        }
    }

    @Test("A batch whose questions and answers both exceed the socket's buffers does not stall")
    func largeBatch() async throws {
        try await TestDatabase.with { test in
            let text = String(repeating: "x", count: 20_000)
            let results = try await test.database.runBatch(
                (0..<500).map { "select \(text) || \($0)" as SQL }, deadline: .after(.seconds(20)))
            #expect(results.count == 500)
            #expect(try results[499].decode(as: String.self) == [text + "499"])
        }
    }

    @Test(
        "The log has the words of a warning and not its detail; unqualified names outside the test's schema are not found"
    )
    func noticesAndSearchPath() async throws {
        let sink = MemoryLogSink()
        try await TestDatabase.with {
            $0.observer = Observer(log: Log(service: "test", sink: sink))
        } _: { test in
            try await test.database.execute(
                "do $$ begin raise notice 'quiet'; raise warning 'hello' using detail = 'Key (email)=(ada@example.org)'; end $$"
            )
            #expect(sink.lines.count == 1)
            #expect(sink.has("database warning") && sink.lines[0].contains(#""code":"01000","message":"hello""#))
            #expect(!sink.lines[0].contains("example.org"))
            #expect(
                try await test.database.queryOne("select current_schemas(false)::text[]", as: [String].self) == [
                    test.schema
                ])
            let empty = test.another { $0.searchPath = [] }
            #expect(try await empty.queryOne("select current_schemas(false)::text[]", as: [String].self) == [])
            await empty.close()
        }
    }
}
