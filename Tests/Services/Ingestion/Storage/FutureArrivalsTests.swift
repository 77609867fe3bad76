import Contracts
import Domain
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

/// After the database's clock was ahead by ten days.
@Suite struct FutureArrivalsTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func upload(_ number: Int64, _ test: IngestionTest, of other: UUID? = nil) async throws {
        let answer = try await test.upload(
            number, [heartRates([60 + Double(number)])], device: device, of: other ?? account)
        #expect(answer.stored == 1)
    }

    private func putAhead(_ test: IngestionTest) async throws {
        try await test.database.batch([
            "select add_arrival_days((now() at time zone 'UTC')::date + 10, (now() at time zone 'UTC')::date + 10)",
            "update arrival set stored_at = stored_at + interval '10 days'",
        ])
    }

    /// Of the person, in the order of their times.
    private func numbers(_ test: IngestionTest) async throws -> [Int32] {
        try await test.database.query(
            """
            select arrival from arrival where person = (select number from person where account_id = \(account))
              and stored_at <= clock_timestamp()
            order by stored_at, arrival
            """, as: Int32.self)
    }

    @Test(
        "SOS-02 ING-02: who goes on sending has arrivals of the present, and who was late for the live feed reads them")
    func sending() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            for number in 1...2 as ClosedRange<Int64> { try await upload(number, test) }
            try await putAhead(test)
            try await upload(3, test)
            try await upload(4, test)
            #expect(try await numbers(test) == [1, 2, 3, 4])
            let gap = try await test.service.rpc(as: "dispatcher").call(
                Ingestion.ReadGap.self,
                .init(
                    accountID: account, types: [.heartRate], receivedFrom: IngestionTest.start,
                    receivedTo: .now() + .seconds(60), after: .beginning, limit: 100))
            #expect(gap.uploads.flatMap(\.samples.series).map(\.values) == [[61], [62], [63], [64]])
        }
    }

    @Test("ING-02 NFR-03: who sends nothing more does not keep a day to come, and the numbers go on")
    func silent() async throws {
        try await IngestionTest.with { test in
            let other = UUID.random()
            for number in 1...2 as ClosedRange<Int64> {
                try await upload(number, test)
                try await upload(number, test, of: other)
            }
            try await putAhead(test)
            #expect(try await numbers(test) == [])
            try await FutureArrivals.bringBack(in: test.database)
            #expect(try await numbers(test) == [1, 2])
            #expect(
                try await test.database.queryOne(
                    "select count(*) from arrival where stored_at > clock_timestamp()", as: Int.self) == 0)
            try await upload(3, test)
            #expect(try await numbers(test) == [1, 2, 3])
            #expect(try await test.read(account).series.flatMap { $0.values ?? [] } == [61, 62, 63])
        }
    }
}
