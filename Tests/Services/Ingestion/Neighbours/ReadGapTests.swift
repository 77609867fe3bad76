import Contracts
import Domain
import Feed
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ReadGapTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func read(
        _ test: IngestionTest, as caller: String = "dispatcher", types: [DataType] = DataType.allCases,
        from: Timestamp? = nil, to: Timestamp? = nil, after: Ingestion.ReadCursor = .beginning, limit: Int = 20_000
    ) async throws -> Ingestion.ReadGap.Result {
        try await test.service.rpc(as: caller).call(
            Ingestion.ReadGap.self,
            .init(
                accountID: account, types: types, receivedFrom: from ?? IngestionTest.start - .seconds(3600),
                receivedTo: to ?? IngestionTest.start + .seconds(3600), after: after, limit: limit))
    }

    /// Uploads number 1 to `count`, a minute apart by the database's clock, from `IngestionTest.start`.
    private func fill(_ test: IngestionTest, _ count: Int) async throws {
        for number in 1...count {
            _ = try await test.upload(
                Int64(number), [heartRates([60 + Double(number)]), single(.steps, 7, at: IngestionTest.start)],
                device: device, of: account)
        }
        try await test.database.batch([
            "select add_arrival_days('2026-11-20', '2026-11-20')",
            "update arrival set stored_at = \(IngestionTest.start) + (arrival - 1) * interval '1 minute'",
            "update watch set since = \(IngestionTest.start)",
        ])
    }

    @Test(
        "SOS-02 RUN-09: who was too late for the live feed reads what came in the gap, of types and people it watches")
    func gap() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            try await fill(test, 6)
            let (from, to) = (IngestionTest.start + .seconds(60), IngestionTest.start + .seconds(240))
            let result = try await read(test, types: [.heartRate], from: from, to: to)
            #expect(!result.hasMore)
            #expect(result.uploads.flatMap(\.samples.series).map(\.values) == [[62], [63], [64]])
            let live = try await test.events(Ingestion.liveFeed, as: "dispatcher")
                .map { try $0.decode(Ingestion.LiveSamples.self) }
            // What the feed would have told, but for the types that were not asked for.
            for (upload, told) in zip(result.uploads, live.dropFirst()) {
                #expect(upload.samples.accountID == account && upload.samples.deviceID == told.deviceID)
                #expect(upload.samples.receivedAt == told.receivedAt && upload.samples.sentAt == told.sentAt)
                #expect(upload.samples.series == told.series.filter { $0.type == .heartRate })
            }
            // Entries and imports are in no live feed.
            let entry =
                #"{"series": [{"type": "weight", "start": "2026-11-20T07:00:00Z", "offsets_ms": [0], "values": [70]}]}"#
            _ = try await test.post("samples", Array(entry.utf8), token: try test.token(of: account))
            #expect(try await read(test, types: [.weight], to: Timestamp("2099-01-01T00:00:00Z")!).uploads.isEmpty)
        }
    }

    @Test("SOS-02: a gap is read in pages, each sample once; its age is that since its reception")
    func pages() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            try await fill(test, 9)
            // Those after it are later.
            try await test.database.batch([
                "select add_arrival_days((now() - interval '1 day')::date, now()::date)",
                "update arrival set stored_at = now() - interval '90 seconds' where arrival >= 3",
            ])
            var (seen, after) = ([Double](), Ingestion.ReadCursor.beginning)
            for page in 0..<10 {
                let result = try await read(
                    test, types: [.heartRate], to: Timestamp("2099-01-01T00:00:00Z")!, after: after, limit: 4)
                seen += result.uploads.flatMap { $0.samples.series.flatMap { $0.values ?? [] } }
                after = result.next
                if page == 1 {
                    let age = try #require(result.uploads.first?.ageMilliseconds)
                    #expect((90_000...150_000).contains(age))
                }
                guard result.hasMore else { break }
            }
            #expect(seen == (61...69).map { Double($0) })
        }
    }

    @Test("SOS-02 RUN-09: nobody reads people that it does not watch, nor beyond the end of the watch, nor far back")
    func refusals() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, until: IngestionTest.start + .seconds(90), by: .track4run)
            try await fill(test, 4)
            let refused = await #expect(throws: RPCError.self) { try await read(test) }
            #expect(refused?.code == .notAllowed)
            let ended = try await read(test, as: "track4run", types: [.heartRate])
            #expect(ended.uploads.flatMap(\.samples.series).map(\.values) == [[61], [62]])
            let query = await #expect(throws: RPCError.self) { try await read(test, as: "query") }
            #expect(query?.code == .notAllowed)
            // What came before the watch began is not told.
            try await test.database.execute("update watch set since = \(IngestionTest.start + .seconds(30))")
            let begun = try await read(test, as: "track4run", types: [.heartRate])
            #expect(begun.uploads.flatMap(\.samples.series).map(\.values) == [[62]])
            try await test.watch(account, false, by: .track4run, version: 2)
            let unwatched = await #expect(throws: RPCError.self) { try await read(test, as: "track4run") }
            #expect(unwatched?.code == .notAllowed)
            try await test.watch(account)
            for limit in [0, 20_001] {
                let wrong = await #expect(throws: RPCError.self) { try await read(test, limit: limit) }
                #expect(wrong?.code == .invalidParams)
            }
            let early = await #expect(throws: RPCError.self) {
                try await read(test, from: IngestionTest.start - .seconds(16 * 86_400))
            }
            #expect(early?.code == .invalidParams)
        }
    }
}
