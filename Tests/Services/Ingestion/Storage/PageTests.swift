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
            insert into arrival (id, account_id, device_id, upload, received_at, sent_at, earliest, latest, types,
              sample_count, sealed)
            select gen_random_uuid(), \(account), gen_random_uuid(), n, \(day), \(day),
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
                let rows = try await test.database.query(
                    ArrivalStore.inTime(
                        after: last, of: account, types: DataType.heartRate.bit, from: from, to: to, rowsMax: 10),
                    as: Int64.self, UUID.self, UUID?.self, Timestamp.self, [UInt8].self, Int.self)
                #expect(rows.count == count && rows.last.map { $0.5 == 5 - seen.count } ?? true)
                seen += rows.map(\.0)
                if let row = rows.last { last = (row.3, row.0) }
            }
            #expect(seen == all.reversed())
            var place = RollupStore.Place()
            seen = []
            for count in [2, 2, 1, 0] {
                let rows = try await test.database.query(
                    RollupStore.samples(
                        after: place, types: PersonDays.mask, from: from.dateUTC, through: to.dateUTC, rowsMax: 10),
                    as: UUID.self, Timestamp.self, Int64.self, UUID.self, UUID?.self, Int32.self, [UInt8].self, Int.self
                )
                #expect(rows.count == count)
                seen += rows.map(\.2)
                if let row = rows.last { place = .init(account: row.0, earliest: row.1, arrival: row.2) }
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
                        samplesMax: samplesMax, rowsMax: 200),
                    as: Int64.self, UUID.self, UUID?.self, [UInt8]?.self, Int.self
                ).map(\.3)
            }
            #expect(try await page(.heartRate, samplesMax: 1).map { $0?.count } == [2 << 20])
            #expect(try await page(.heartRate, samplesMax: 100_001).count == 2)
            #expect(try await page(.steps, samplesMax: 1) == [nil, nil, nil, nil, nil])
        }
    }
}
