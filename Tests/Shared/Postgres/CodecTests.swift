import Postgres
import PostgresTesting
import Primitives
import Testing

private enum Mood: String, PostgresArrayElement { case happy, sad }
private enum Level: Int32, PostgresCodable { case low = 1, high = 2 }

@Suite struct CodecTests {
    @Test("Numbers and truth make the round trip, extremes included")
    func numbers() async throws {
        try await TestDatabase.with { test in
            let row = try await test.database.queryOne(
                """
                select \(true), \(Int16.min), \(Int32.max), \(Int64.min), \(Int.max), \(Float(1.5)), \(-0.1),
                  \(Double.infinity)
                """,
                as: Bool.self, Int16.self, Int32.self, Int64.self, Int.self, Float.self, Double.self, Double.self)
            let (truth, small, medium, large, int, float, double, infinite) = try #require(row)
            #expect(truth && small == .min && medium == .max && large == .min && int == .max)
            #expect(float == 1.5 && double == -0.1 && infinite == .infinity)
            let widened = try await test.database.queryOne(
                "select 7::int2, 8::int4, -9::int4, 2.5::float4", as: Int.self, Int64.self, Int.self, Double.self)
            #expect(try #require(widened) == (7, 8, -9, 2.5))
        }
    }

    @Test("Text, bytes, identifiers and JSON make the round trip")
    func texts() async throws {
        try await TestDatabase.with { test in
            let id = UUID.random()
            let bytes: [UInt8] = [0, 255, 1, 0]
            let row = try await test.database.queryOne(
                "select \("perché 🏃"), \(""), \(bytes), \([UInt8]()), \(id), \(id)::text, 'x'::varchar(3)",
                as: String.self, String.self, [UInt8].self, [UInt8].self, UUID.self, String.self, String.self)
            let (text, empty, data, noData, uuid, spelled, short) = try #require(row)
            #expect(text == "perché 🏃" && empty == "" && data == bytes && noData == [] && short == "x")
            #expect(uuid == id && spelled == id.description)
            let json = PostgresJSON(Array(#"{"a": [1, null]}"#.utf8))
            let read = try await test.database.queryOne(
                "select \(json), \(json)->'a'->>0, '[ 2 ]'::json", as: PostgresJSON.self, String.self, PostgresJSON.self
            )
            #expect(try #require(read) == (json, "1", PostgresJSON(Array("[ 2 ]".utf8))))
        }
    }

    @Test("Times and days make the round trip and are what the server takes them for")
    func times() async throws {
        try await TestDatabase.with { test in
            for text in [
                "2026-03-29T01:30:00.123456Z", "1969-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z",
                "9999-12-31T00:00:00Z",
            ] {
                let time = try #require(Timestamp(text))
                let row = try await test.database.queryOne(
                    "select \(time), \(time) = \(text)::timestamptz, \(time.dateUTC), \(time.dateUTC) = \(time.dateUTC.description)::date",
                    as: Timestamp.self, Bool.self, CalendarDate.self, Bool.self)
                #expect(try #require(row) == (time, true, time.dateUTC, true))
            }
            await #expect(throws: PostgresError.self) {
                try await test.database.queryOne("select \(Timestamp(microseconds: .min))", as: Timestamp.self)
            }
            await #expect(throws: PostgresError.decoding(.init(reason: .infinite, column: "t", row: 0))) {
                try await test.database.queryOne("select 'infinity'::timestamptz as t", as: Timestamp.self)
            }
        }
    }

    @Test("Arrays make the round trip: empty, with NULLs, of every element type")
    func arrays() async throws {
        try await TestDatabase.with { test in
            let ids = [UUID.random(), UUID.random()]
            let times = [Timestamp(microseconds: 5), Timestamp(microseconds: -5)]
            let first = try await test.database.queryOne(
                "select \([Int32(1), -2]), \([3, 4]), \([0.5]), \(["a", "", "ü"]), \(ids)",
                as: [Int32].self, [Int].self, [Double].self, [String].self, [UUID].self)
            #expect(try #require(first) == ([1, -2], [3, 4], [0.5], ["a", "", "ü"], ids))
            let second = try await test.database.queryOne(
                "select \([[UInt8]]([[1], []])), \(times), \([true, false]), \([String]()), \([1, nil, 3] as [Int?])",
                as: [[UInt8]].self, [Timestamp].self, [Bool].self, [String].self, [Int?].self)
            let (blobs, stamps, truths, none, gaps) = try #require(second)
            #expect(
                blobs == [[1], []] && stamps == times && truths == [true, false] && none == [] && gaps == [1, nil, 3])
            let found = try await test.database.query(
                "select n from unnest(\([5, 6, 7])) as n where n = any(\([6, 7]))", as: Int.self)
            #expect(found == [6, 7])
            await #expect(throws: PostgresError.decoding(.init(reason: .dimensions(2), column: "m", row: 0))) {
                try await test.database.queryOne("select '{{1},{2}}'::int8[] as m", as: [Int].self)
            }
            await #expect(throws: PostgresError.decoding(.init(reason: .null, column: "m", row: 0))) {
                try await test.database.queryOne("select '{1,null}'::int8[] as m", as: [Int].self)
            }
        }
    }

    @Test("Swift enumerations are their raw values; PostgreSQL's are read as text")
    func enumerations() async throws {
        try await TestDatabase.with { test in
            let row = try await test.database.queryOne(
                "select \(Mood.sad), \(Level.high), \([Mood.happy, .sad])", as: Mood.self, Level.self, [Mood].self)
            #expect(try #require(row) == (.sad, .high, [.happy, .sad]))
            try await test.database.execute("create type mood as enum ('happy', 'sad')")
            let read = try await test.database.queryOne("select \(Mood.happy)::mood", as: Mood.self)
            #expect(read == .happy)
            await #expect(throws: PostgresError.decoding(.init(reason: .unknownValue, column: "mood", row: 0))) {
                try await test.database.queryOne("select 'angry'::text as mood", as: Mood.self)
            }
        }
    }

    @Test("NULL is nil for optionals and an error with the column's name otherwise")
    func nulls() async throws {
        try await TestDatabase.with { test in
            let row = try await test.database.queryOne(
                "select \(Int?.none), \(String?.some("x")), null::uuid", as: Int?.self, String?.self, UUID?.self)
            #expect(try #require(row) == (nil, "x", nil))
            await #expect(throws: PostgresError.decoding(.init(reason: .null, column: "name", row: 1))) {
                try await test.database.query(
                    "select name from (values ('a'), (null)) as t (name)", as: String.self)
            }
        }
    }

    @Test("A wrong type, a wrong number of columns and too many rows are typed errors")
    func mismatches() async throws {
        try await TestDatabase.with { test in
            let wrongType = PostgresDecodingError(reason: .type(found: .text, expected: .int8), column: "n", row: 0)
            await #expect(throws: PostgresError.decoding(wrongType)) {
                try await test.database.query("select 'x'::text as n", as: Int.self)
            }
            #expect(wrongType.description == "column \"n\" of row 0 is text, not int8")
            await #expect(
                throws: PostgresError.decoding(.init(reason: .type(found: .int8, expected: .int4), column: "n", row: 0))
            ) {
                try await test.database.query("select 1::int8 as n", as: Int32.self)
            }
            await #expect(throws: PostgresError.decoding(.init(reason: .columns(2), column: "", row: 0))) {
                try await test.database.query("select 1, 2", as: Int.self)
            }
            await #expect(throws: PostgresError.decoding(.init(reason: .rows(2), column: "", row: 0))) {
                try await test.database.queryOne("values (1), (2)", as: Int.self)
            }
            let none = try await test.database.queryOne("select 1 where false", as: Int.self)
            #expect(none == nil)
        }
    }
}
