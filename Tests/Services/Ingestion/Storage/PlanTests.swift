import Domain
import Postgres
import Primitives
import Security
import Testing

@testable import Ingestion

/// What PostgreSQL does with the statements of uploads in the first minutes of a database, before it knows its tables.
@Suite struct PlanTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// A person with many uploads, among others, in a table that was never analysed.
    private func fill(_ test: IngestionTest) async throws {
        try await test.database.batch([
            "alter table arrival set (autovacuum_enabled = false)",
            """
            insert into arrival (id, account_id, device_id, upload, content, received_at, sent_at, earliest, latest,
              types, sample_count, sealed)
            select gen_random_uuid(), case when n % 4 = 0 then gen_random_uuid() else \(account) end, \(device), n, '\\x00',
              \(IngestionTest.start), \(IngestionTest.start), \(IngestionTest.start), \(IngestionTest.start), 4, 1,
              convert_to(repeat('x', 200), 'UTF8')
            from generate_series(1, 20000) n
            """,
        ])
        #expect(
            try await test.database.queryOne(
                "select count(*) from pg_stats where schemaname = current_schema() and tablename = 'arrival'",
                as: Int.self) == 0)
    }

    private func plan(_ sql: SQL, _ test: IngestionTest) async throws -> String {
        try await test.database.query("explain \(sql: sql)", as: String.self).joined(separator: "\n")
    }

    @Test("NFR-01: a repeat is found by the index that makes uploads unique, whatever the planner knows")
    func repeats() async throws {
        try await IngestionTest.with { test in
            func insertion(_ source: NewArrival.Source) -> SQL {
                let arrival = NewArrival(
                    id: .random(), account: account, source: source, content: [0], receivedAt: IngestionTest.start,
                    sentAt: IngestionTest.start,
                    batch: SampleBatch(values: [ValueColumn(type: .heartRate, times: [0], values: [600])]),
                    key: .random())
                return ArrivalStore.insert(arrival, sealed: [1])
            }
            // Also as it was planned while the table was empty, for the plan is kept.
            for isFilled in [false, true] {
                if isFilled { try await fill(test) }
                let upload = try await plan(insertion(.device(device, upload: 5)), test)
                #expect(upload.contains("Conflict Arbiter Indexes: arrival_upload") && !upload.contains("Scan"))
                let entry = try await plan(insertion(.person), test)
                #expect(entry.contains("Conflict Arbiter Indexes: arrival_content") && !entry.contains("Scan"))
            }
            let answer = try await test.database.run(insertion(.device(device, upload: 5)))
            let found = try ArrivalStore.decodeInserted(answer, content: [0])
            #expect(found?.isSame == true && found?.earlier.samples == 1)
        }
    }

    @Test("NFR-01: pages of a person's arrivals are read by an index, whatever the planner knows")
    func pages() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let (start, end) = (IngestionTest.start, IngestionTest.start + .seconds(60))
            let statements: [(SQL, String)] = [
                (
                    ArrivalStore.after(
                        10, of: account, types: 4, from: start, to: end, samplesMax: 100, rowsMax: 200), "arrival_key"
                ),
                (
                    ReceivedArrivals.page(
                        after: 10, of: account, types: 4, from: start, to: end, samplesMax: 100, rowsMax: 200),
                    "arrival_key"
                ),
                (ReceivedArrivals.last(of: account, before: start), "arrival_key"),
            ]
            for (statement, index) in statements {
                let plan = try await plan(statement, test)
                #expect(plan.contains(" \(index) ") && !plan.contains("Seq Scan"), "\(plan)")
            }
        }
    }
}
