import Domain
import Postgres
import Primitives
import Testing

@testable import Ingestion

@Suite struct PageTests {
    private let account = UUID.random()
    private let day = Timestamp("2026-11-18T00:00:00Z")!

    /// Five uploads as large as they get, the later ones measured earlier.
    private func fill(_ test: IngestionTest) async throws {
        try await test.database.batch([
            "insert into person (account_id, subject) values (\(account), 4)",
            """
            insert into arrival (id, account_id, device_id, upload, content, received_at, sent_at, earliest, latest, types,
              sample_count, sealed)
            select gen_random_uuid(), \(account), gen_random_uuid(), n, '\\x00', \(day), \(day),
              \(day) - n * interval '1 minute', \(day), \(DataType.heartRate.bit), 100000,
              convert_to(repeat('x', 2 << 20), 'UTF8')
            from generate_series(1, 5) n order by n
            """,
        ])
    }

    @Test("NFR-01: a page of arrivals has a limit in bytes, and the pages together have them all")
    func bytes() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let all = try await test.database.query("select arrival from arrival order by 1", as: Int64.self)
            let (from, to) = (day - .seconds(86_400), day + .seconds(86_400))
            var seen: [Int64] = []
            var last = (earliest: ArrivalStore.beginning, arrival: Int64(0))
            for count in [2, 2, 1, 0] {
                let rows = try await test.database.rows(
                    ArrivalStore.inTime(
                        after: last, of: account, types: DataType.heartRate.bit, from: from, to: to, rowsMax: 10))
                #expect(rows.count == count)
                for row in rows {
                    #expect(try row.decode("found", as: Int.self) == 5 - seen.count)
                    last = (try row["earliest"], try row["arrival"])
                }
                seen += try rows.map { try $0["arrival"] }
            }
            #expect(seen == all.reversed())
            var place = RollupStore.Place()
            seen = []
            for count in [2, 2, 1, 0] {
                let page = try ArrivalPage<RollupStore.Row>(
                    await test.database.run(
                        RollupStore.samples(
                            after: place, types: PersonDays.mask, from: from.dateUTC, through: to.dateUTC,
                            rowsMax: 10)), rowsMax: 10)
                #expect(page.rows.count == count)
                seen += page.rows.map(\.stored.arrival)
                if let row = page.rows.last { place = row.place }
            }
            #expect(seen == all.reversed())
        }
    }

    @Test("NFR-01: who asks for few samples costs no more arrivals than those are in")
    func samples() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            func page(_ types: DataType, samplesMax: Int) async throws -> [[UInt8]?] {
                try await test.database.query(
                    ArrivalStore.after(
                        0, of: account, types: types.bit, from: day - .seconds(60), to: day + .seconds(60),
                        samplesMax: samplesMax, rowsMax: 200)
                ) { row throws(PostgresError) in try row["sealed"] }
            }
            #expect(try await page(.heartRate, samplesMax: 1).map { $0?.count } == [2 << 20])
            #expect(try await page(.heartRate, samplesMax: 100_001).count == 2)
            #expect(try await page(.steps, samplesMax: 1) == [nil, nil, nil, nil, nil])
        }
    }
}
