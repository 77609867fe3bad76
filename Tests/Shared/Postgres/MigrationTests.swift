import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

@Suite struct MigrationTests {
    private let first = Migration(1, "items", Array("create table item (id int8);\ninsert into item values (1);".utf8))
    private let second = Migration(2, "names", Array("alter table item add name text".utf8))

    @Test("Migrations are applied once, in order, and recorded")
    func applies() async throws {
        try await TestDatabase.with { test in
            let one = Migrations(schema: test.schema, [first])
            await #expect(throws: MigrationError.pending([1])) { try await one.check(on: test.database) }
            #expect(try await one.run(on: test.database) == [1])
            try await one.check(on: test.database)
            let both = Migrations(schema: test.schema, [first, second])
            await #expect(throws: MigrationError.pending([2])) { try await both.check(on: test.database) }
            #expect(try await both.run(on: test.database) == [2])
            #expect(try await both.run(on: test.database) == [])
            let rows = try await test.database.query(
                "select number, name, applied_at > now() - interval '1 minute' from schema_version order by number",
                as: Int.self, String.self, Bool.self)
            #expect(rows.map(\.0) == [1, 2] && rows.map(\.1) == ["items", "names"] && rows.allSatisfy(\.2))
            #expect(try await test.database.queryOne("select count(*) from item", as: Int.self) == 1)
        }
    }

    @Test("A schema that is too new, or was migrated by something else, is refused in words")
    func refuses() async throws {
        try await TestDatabase.with { test in
            try await Migrations(schema: test.schema, [first, second]).run(on: test.database)
            let older = Migrations(schema: test.schema, [first])
            let tooNew = MigrationError.tooNew(schema: test.schema, found: 2, known: 1)
            await #expect(throws: tooNew) { try await older.run(on: test.database) }
            await #expect(throws: tooNew) { try await older.check(on: test.database) }
            #expect(tooNew.description.contains("version 2") && tooNew.description.contains("up to 1"))
            try await Migrations(schema: test.schema, [first], newerMax: 1).check(on: test.database)
            let changed = Migrations(schema: test.schema, [first, Migration(2, "names", Array("select 1".utf8))])
            await #expect(throws: MigrationError.changed(2, "names")) { try await changed.run(on: test.database) }
            await #expect(throws: MigrationError.numbering) {
                try await Migrations(schema: test.schema, [second]).run(on: test.database)
            }
            await #expect(throws: MigrationError.noSchema("nowhere")) {
                try await Migrations(schema: "nowhere", [first]).run(on: test.database)
            }
        }
    }

    @Test("A migration that fails leaves nothing behind, those before it stay")
    func fails() async throws {
        try await TestDatabase.with { test in
            let bad = Migration(2, "bad", Array("create table half (id int8); create table item (id int8);".utf8))
            let error = await #expect(throws: MigrationError.self) {
                try await Migrations(schema: test.schema, [first, bad]).run(on: test.database)
            }
            guard case .failed(2, "bad", let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.sqlState == SQLState(rawValue: "42P07"))
            let isGone = try await test.database.queryOne("select to_regclass('half') is null", as: Bool.self)
            let version = try await test.database.queryOne("select max(number) from schema_version", as: Int.self)
            #expect(isGone == true && version == 1)
            let ending = Migration(2, "ending", Array("commit".utf8))
            await #expect(throws: MigrationError.self) {
                try await Migrations(schema: test.schema, [first, ending]).run(on: test.database)
            }
        }
    }

    @Test("Of several processes one migrates and the others wait, but not for ever")
    func race() async throws {
        try await TestDatabase.with { test in
            let migrations = Migrations(schema: test.schema, [first, second])
            let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<3 { group.addTask { try await migrations.run(on: test.database) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied == [1, 2])
            try await test.database.withConnection { connection in
                try await connection.execute(
                    "select pg_advisory_lock(hashtextextended(\("schema_version " + test.schema), 0))")
                await #expect(throws: MigrationError.locked) {
                    try await migrations.run(on: test.database, wait: .milliseconds(50))
                }
                try await connection.execute("select pg_advisory_unlock_all()")
            }
        }
    }
}
