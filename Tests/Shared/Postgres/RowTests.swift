import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

@Suite struct RowTests {
    private struct Person: PostgresRowDecodable, Equatable {
        var id: Int
        var name: String?
        var isAdult: Bool

        init(id: Int, name: String?, isAdult: Bool) {
            (self.id, self.name, self.isAdult) = (id, name, isAdult)
        }

        init(row: PostgresRow) throws(PostgresError) {
            // In another order than the statement's.
            self.init(id: try row["id"], name: try row["name"], isAdult: try row["is_adult"])
        }
    }

    private static let people: SQL = """
        select true as is_adult, 1 as id, 'Ada' as name union all select false, 2, null order by 2
        """
    private static let expected = [
        Person(id: 1, name: "Ada", isAdult: true), Person(id: 2, name: nil, isAdult: false),
    ]

    @Test("Rows are read by the names of their columns, by a type, a closure or a loop")
    func names() async throws {
        try await TestDatabase.with { test in
            #expect(try await test.database.query(Self.people, as: Person.self) == Self.expected)
            let ids = try await test.database.query(Self.people) { row throws(PostgresError) in
                (try row["id"] as Int, try row.decode("name", as: String?.self))
            }
            #expect(ids.map(\.0) == [1, 2] && ids.map(\.1) == ["Ada", nil])
            var names: [String] = []
            for row in try await test.database.rows(Self.people) {
                if let name: String = try row["name"] { names.append(name) }
                let isAdult: Bool = try row["is_adult"]
                names.append(isAdult ? "adult" : "child")
            }
            #expect(names == ["Ada", "adult", "child"])
            let one = try await test.database.queryOne(
                "select 3 as id, null::text as name, true as is_adult", as: Person.self)
            #expect(one == Person(id: 3, name: nil, isAdult: true))
            #expect(try await test.database.queryOne("select 1 as id where false", as: Person.self) == nil)
        }
    }

    @Test("What is wrong with a column is said with its name and row")
    func errors() async throws {
        try await TestDatabase.with { test in
            func fails(_ sql: SQL, _ reason: PostgresDecodingError.Reason, _ column: String, row: Int = 0) async {
                await #expect(throws: PostgresError.decoding(.init(reason: reason, column: column, row: row))) {
                    try await test.database.query(sql, as: Person.self)
                }
            }
            await fails("select 1 as id, 'x' as name", .noColumn, "is_adult")
            await fails("select 1 as id, 2 as id, 'x' as name, true as is_adult", .ambiguousColumn, "id")
            await fails("select null::int as id", .null, "id")
            await fails(
                "select g as id, 'x' as name, g > 1 or null as is_adult from generate_series(2, 0, -1) g", .null,
                "is_adult", row: 1)
            await fails("select 1 as id, 7 as name", .type(found: .int4, expected: .text), "name")
            let words = PostgresDecodingError(reason: .noColumn, column: "born", row: 0).description
            #expect(words == "the result has no column \"born\"")
            await #expect(throws: PostgresError.decoding(.init(reason: .rows(2), column: "", row: 0))) {
                try await test.database.queryOne(Self.people, as: Person.self)
            }
        }
    }
}
