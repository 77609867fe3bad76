import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// People of whom query is told that something arrived.
@Suite struct ArrivalWatchTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// In the order of their times: what other sessions of the database wrote stands in other lanes.
    private func told(_ test: IngestionTest) async throws -> [Ingestion.LiveArrival] {
        let events = try await test.events(Ingestion.liveFeed, as: "query").sorted { $0.version < $1.version }
        #expect(events.allSatisfy { [Ingestion.liveArrivedKind, Ingestion.liveCollectionKind].contains($0.kind) })
        return try events.filter { $0.kind == Ingestion.liveArrivedKind }.map { try $0.decode() }
    }

    /// Types of what was told of the person.
    private func types(_ test: IngestionTest) async throws -> [[DataType]] {
        let told = try await told(test)
        #expect(told.allSatisfy { $0.accountID == account })
        return told.map(\.types)
    }

    @Test(
        "SUB-01a: that something arrived of somebody whom third parties may read is told once, whatever its age and source; no samples, and of nothing else"
    )
    func arrivals() async throws {
        try await IngestionTest.with { test in
            test.service.start()
            try await test.watch(account, by: .query, types: [.heartRate, .weight])
            let start = IngestionTest.start
            let steps = single(.steps, 12, at: start)
            _ = try await test.upload(1, [heartRates([61]), steps], device: device, of: account)
            #expect(try await types(test) == [[.heartRate]])
            // A repeat, other types alone, and other people's.
            _ = try await test.upload(1, [heartRates([61]), steps], device: device, of: account)
            _ = try await test.upload(2, [steps], device: device, of: account)
            _ = try await test.upload(1, [heartRates([61])], device: .random(), of: .random())
            #expect(try await types(test).count == 1)
            let old = heartRates([50], from: start - .seconds(40 * 86_400))
            _ = try await test.upload(3, [old], device: device, of: account)
            #expect(try await types(test).count == 2)
            let body = """
                {"series": [{"type": "weight", "start": "2026-11-20T07:00:00Z", "offsets_ms": [0], "values": [70]}]}
                """
            let entered = try await test.post("samples", Array(body.utf8), token: try test.token(of: account))
            #expect(entered.status == .ok)
            #expect(try await types(test).dropFirst(2) == [[.weight]])
            let imported = try await ImportTest(test: test, account: account).imported(ImportTest.gpx(5))
            #expect(imported.report.failure == nil)
            let all = try await types(test)
            #expect(all.count > 3 && all.dropFirst(3).allSatisfy { $0 == [.heartRate] })
            for other in ["dispatcher", "track4run"] {
                #expect(try await test.events(Ingestion.liveFeed, as: other).isEmpty)
            }
            let payloads = try await test.database.query(
                "select convert_from(payload, 'utf8') from feed_event where kind = 'arrived'", as: String.self)
            #expect(payloads.count == all.count && payloads.allSatisfy { !$0.contains("values") })
        }
    }

    @Test("NFR-06a: of what the person has paused or does not let a device provide nothing is told")
    func dropped() async throws {
        try await IngestionTest.with { test in
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 5, paused: ["health"]))
            try await test.watch(account, by: .query)
            #expect(try await test.upload(1, [heartRates([61])], device: device, of: account).stored == 0)
            #expect(try await told(test).isEmpty)
        }
    }

    @Test("SUB-01c: who is not watched any more, or not any longer, is told of no more")
    func ends() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, until: IngestionTest.start + .seconds(10), by: .query)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            test.service.clock.advance(by: .seconds(11))
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(try await told(test).count == 1)
            try await test.watch(account, by: .query, version: 2)
            let count = try await told(test).count
            try await test.watch(account, false, by: .query, version: 3)
            _ = try await test.upload(3, [heartRates([63])], device: device, of: account)
            #expect(try await told(test).count == count)
        }
    }

    @Test("SUB-01 SOS-05 ING-02f: a third party's subscription changes nothing in how a device measures and is judged")
    func notWatchedClosely() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, by: .query)
            let answer = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(answer.sampling == "normal")
            let sentAt = IngestionTest.start - .seconds(7200)
            let far = [heartRates([61], from: sentAt - .seconds(10))]
            let behind = try await test.send(2, far, device: device, of: account, sentAt: sentAt)
            #expect(behind.status == .unprocessableContent)
            let ahead = [heartRates([61], from: IngestionTest.start + .seconds(86_400))]
            let refused = try await test.upload(
                3, ahead, device: device, of: account, sentAt: IngestionTest.start + .seconds(86_400))
            #expect(refused.stored == 0 && refused.refusedCount == 1)
            let gap = Ingestion.ReadGap.Params(
                accountID: account, types: [.heartRate], receivedFrom: IngestionTest.start - .seconds(3600),
                receivedTo: Timestamp.now() + .seconds(3600))
            let error = await #expect(throws: RPCError.self) {
                try await test.service.rpc(as: "dispatcher").call(Ingestion.ReadGap.self, gap)
            }
            #expect(error?.code == .notAllowed)
            // Beside it AutomatedSOS gets what it always gets.
            try await test.watch(account)
            let watched = try await test.upload(4, [heartRates([64])], device: device, of: account)
            #expect(watched.sampling == "three-per-second")
            let live = try await test.events(Ingestion.liveFeed, as: "dispatcher")
            #expect(live.map(\.kind) == [Ingestion.liveSamplesKind])
            #expect(try await told(test).count == 2)
        }
    }

    @Test(
        "SUB-01a: what arrived before a watch is told with it; an unchanged one tells nothing, nor one of nothing stored"
    )
    func begins() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, by: .query, types: [.heartRate])
            #expect(try await told(test).isEmpty)
            _ = try await test.upload(
                1, [heartRates([61]), single(.steps, 5, at: IngestionTest.start)], device: device, of: account)
            try await test.watch(account, by: .query, types: [.heartRate], version: 2)
            #expect(try await types(test) == [[.heartRate]])
            try await test.watch(account, by: .query, types: [.heartRate, .steps], version: 3)
            #expect(try await types(test).dropFirst() == [[.heartRate, .steps]])
            // An older one changes nothing.
            try await test.watch(account, by: .query, types: [.heartRate], version: 2)
            try await test.watch(account, by: .query, types: [.weight], version: 4)
            #expect(try await types(test).count == 2)
            try await test.watch(account, false, by: .query, version: 5)
            try await test.watch(account, by: .query, types: [.heartRate], version: 6)
            #expect(try await types(test).dropFirst(2) == [[.heartRate]])
        }
    }

    /// Whether somebody waits for a lock of the transaction that asks.
    private static let isWaitedFor: SQL =
        """
        select exists (select from pg_catalog.pg_locks w join pg_catalog.pg_locks h
          on h.locktype = 'advisory' and h.granted and h.pid = pg_catalog.pg_backend_pid()
            and (w.classid, w.objid) = (h.classid, h.objid)
          where w.locktype = 'advisory' and not w.granted)
        """

    @Test("SUB-01a: of an upload that is being stored while its watch is applied is told")
    func race() async throws {
        try await IngestionTest.with { test in
            let locked = EventCounter()
            let watching = test.service.loops.next().task {
                _ = await locked.wait(after: 0)
                do { try await test.watch(account, by: .query) } catch { Issue.record(error) }
            }
            // As one who stores, and has seen no watch.
            try await test.database.transaction(retriesMax: 0) { transaction in
                try await transaction.batch([ArrivalStore.lock([account])])
                locked.raise()
                let end = Deadline.after(.patience)
                while !end.hasPassed, try await transaction.queryOne(Self.isWaitedFor, as: Bool.self) != true {}
                try await transaction.batch([
                    "insert into person (account_id, types) values (\(account), \(DataType.heartRate.bit))"
                ])
            }
            await watching.value
            #expect(try await types(test) == [[.heartRate]])
        }
    }

    @Test("SUB-01a: a snapshot of who is watched replaces what was known, and tells of who is new or changed alone")
    func snapshot() async throws {
        try await IngestionTest.with { test in
            let people = (0..<3).map { _ in UUID.random() }
            for person in people {
                try await test.watch(person, by: .query, types: [.heartRate], version: 9)
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            let before = try await told(test).count
            func watch(_ person: UUID, _ types: [DataType]) throws -> FeedEvent {
                try FeedEvent(
                    feed: "", entity: person, version: 1, kind: "watch",
                    encoding: Ingestion.Watch(accountID: person, isWatched: true, types: types, tells: .arrivals))
            }
            try await test.snapshot(
                [try watch(people[0], [.heartRate]), try watch(people[1], [.heartRate, .steps])],
                of: test.watchChanges(.query))
            #expect(try await told(test).dropFirst(before).map(\.accountID) == [people[1]])
            let watched = try await test.database.query(
                "select account_id from watch where is_watched", as: UUID.self)
            #expect(Set(watched) == Set(people[..<2]))
        }
    }

    @Test("ACC-12b: of who is erased nothing is told any more, also not what waits in the feed")
    func erased() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, by: .query)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(try await told(test).count == 1)
            try await test.erase(account)
            #expect(try await told(test).isEmpty)
            try await test.watch(account, by: .query, version: 2)
            #expect(try await test.database.queryOne("select count(*) from watch", as: Int.self) == 0)
        }
    }

    @Test("A watch that does not say what is told is of samples; query may not ask for them")
    func form() async throws {
        let old = #"{"account_id": "\#(account)", "is_watched": true, "types": ["heart-rate"]}"#
        let watch = try JSONDecoder().decode(Ingestion.Watch.self, from: Array(old.utf8))
        #expect(watch == Ingestion.Watch(accountID: account, isWatched: true, types: [.heartRate]))
        #expect(watch.tells == .samples)
        try await IngestionTest.with { test in
            let event = try FeedEvent(feed: "", entity: account, version: 1, kind: "watch", encoding: watch)
            await #expect(throws: PostgresError.self) {
                try await test.settle(try test.watchChanges(.query).apply([IngestionTest.record(event)]))
            }
        }
    }
}
