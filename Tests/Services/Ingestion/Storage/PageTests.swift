import Domain
import Postgres
import Primitives
import Testing

@testable import Ingestion

@Suite struct PageTests {
    private let account = UUID.random()

    /// Five arrivals as large as they get.
    private func fill(_ test: IngestionTest) async throws {
        try await test.database.batch([
            "insert into person (account_id, subject) values (\(account), 4)",
            """
            insert into arrival (stored_at, person, arrival, source, sealed)
            select clock_timestamp(), number, n, 0, convert_to(repeat('x', 2 << 20), 'UTF8')
            from person, generate_series(1, 5) n order by n
            """,
        ])
    }

    @Test("NFR-01: a page of arrivals has a limit in bytes, and the pages together have them all")
    func bytes() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            var last: Int64 = 0
            for count in [2, 2, 1, 0] {
                let rows = try await test.database.rows(ArrivalStore.after(last, of: account, rowsMax: 10))
                #expect(rows.count == count)
                for row in rows {
                    #expect(try row.decode("found", as: Int.self) == 5 - Int(last))
                }
                for row in rows {
                    #expect(try row.decode("arrival", as: Int64.self) == last + 1)
                    last += 1
                }
            }
            #expect(last == 5)
        }
    }

    @Test("NFR-01: who asks for few samples costs no more arrivals than those may be in")
    func few() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            func page(_ bytesMax: Int) async throws -> Int {
                try await test.database.run(
                    ArrivalStore.after(0, of: account, rowsMax: 200, bytesMax: bytesMax)
                ).count
            }
            #expect(try await page(64) == 1)
            #expect(try await page(3 << 20) == 2)
        }
    }
}
