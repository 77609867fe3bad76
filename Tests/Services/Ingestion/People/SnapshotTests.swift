import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct SnapshotTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func event(_ version: Int64, _ change: Accounts.AccountChange) throws -> FeedEvent {
        try FeedEvent(feed: "", entity: change.accountID, version: version, kind: "account", encoding: change)
    }

    private func event(_ version: Int64, _ change: Accounts.DeviceChange) throws -> FeedEvent {
        try FeedEvent(feed: "", entity: change.accountID, version: version, kind: "device", encoding: change)
    }

    private func person(paused: [String] = []) -> Accounts.AccountChange {
        .init(accountID: account, kind: .individual, subject: 4, paused: paused)
    }

    @Test("ING-14: after a snapshot of a restored accounts service its versions count, though they are lower")
    func pauses() async throws {
        try await IngestionTest.with { test in
            try await test.change(7, person())
            try await test.snapshot([try event(6, person())], of: test.accountChanges())
            try await test.change(7, person(paused: ["health"]))
            #expect(try await test.upload(1, [heartRates([61])], device: device, of: account).paused == ["health"])
            try await test.snapshot([try event(3, person())], of: test.accountChanges())
            #expect(try await test.upload(2, [heartRates([61])], device: device, of: account).stored == 1)
        }
    }

    @Test("ING-14a: an event that says nothing of pauses ends none, as those of an accounts service that knows of none")
    func silentOnPauses() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, person(paused: ["health"]))
            let silent = Accounts.AccountChange(accountID: account, kind: .individual, subject: 4)
            #expect(!String(decoding: try JSONEncoder().encode(silent), as: UTF8.self).contains("paused"))
            try await test.change(2, silent)
            try await test.snapshot([try event(3, silent)], of: test.accountChanges())
            #expect(try await test.upload(1, [heartRates([61])], device: device, of: account).paused == ["health"])
            try await test.change(4, person(paused: []))
            #expect(try await test.upload(2, [heartRates([61])], device: device, of: account).stored == 1)
        }
    }

    @Test("ACC-14: the same for devices, their data types and their removal")
    func devices() async throws {
        try await IngestionTest.with { test in
            func change(_ types: [DataType], isRemoved: Bool = false) -> Accounts.DeviceChange {
                .init(deviceID: device, accountID: account, dataTypes: types, isRemoved: isRemoved)
            }
            try await test.change(7, change([], isRemoved: true))
            try await test.snapshot(
                [try event(6, person()), try event(6, change([.heartRate]))], of: test.accountChanges())
            let steps = single(.steps, 9, at: IngestionTest.start)
            let answer = try await test.upload(1, [heartRates([61]), steps], device: device, of: account)
            #expect(answer.stored == 1 && answer.withheld == ["steps"])
            try await test.change(7, change([.steps]))
            #expect(try await test.upload(2, [heartRates([61])], device: device, of: account).stored == 0)
        }
    }

    @Test("ACC-14: a device that a complete snapshot does not name was removed, until accounts tells of it again")
    func missing() async throws {
        try await IngestionTest.with { test in
            let (other, new, neighbour) = (UUID.random(), UUID.random(), UUID.random())
            func change(_ device: UUID, of owner: UUID? = nil) -> Accounts.DeviceChange {
                .init(deviceID: device, accountID: owner ?? account, dataTypes: [.heartRate], isRemoved: false)
            }
            for device in [device, other] {
                try await test.change(7, change(device))
                _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            }
            try await test.change(7, change(neighbour, of: .random()))
            let changes = test.accountChanges()
            let named = [try event(6, person()), try event(6, change(other))]
            try await test.settle(changes.beginSnapshot())
            try await test.settle(
                try await changes.apply(
                    snapshot: named.map {
                        FeedEntity(entity: $0.entity, version: $0.version, kind: $0.kind, payload: $0.payload)
                    }))
            // Until it is complete it says nothing of those that it has not named.
            #expect(try await test.upload(2, [heartRates([62])], device: device, of: account).stored == 1)
            try await test.settle(try await changes.endSnapshot())
            #expect(try await test.send(3, [heartRates([63])], device: device, of: account).status == .forbidden)
            #expect(try await test.upload(3, [heartRates([63])], device: other, of: account).stored == 1)
            // Accounts has not told of this one yet.
            #expect(try await test.upload(1, [heartRates([64])], device: new, of: account).stored == 1)
            let removed = try await test.database.query(
                "select device_id from device where is_removed", as: UUID.self)
            #expect(Set(removed) == [device, neighbour])
            try await test.change(8, change(device))
            #expect(try await test.upload(4, [heartRates([65])], device: device, of: account).stored == 1)
        }
    }

    @Test("ACC-12: who is missing in a snapshot keeps the samples: only the news of an erasure erases")
    func missingPerson() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, person())
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.snapshot([], of: test.accountChanges())
            #expect(try await test.readAll(account).series.first?.values == [61])
            let erasure = try IngestionTest.erasure(of: account)
            try await test.snapshot([erasure], of: test.erasures())
            try await test.erasures().report(at: test.service.clock.now())
            #expect(try await test.keyStore.keys(of: [account], adding: [:]) == [account: .destroyed])
        }
    }

    @Test("ACC-12b: no snapshot brings an erased person back")
    func erased() async throws {
        try await IngestionTest.with { test in
            try await test.erase(account)
            try await test.snapshot(
                [
                    try event(9, person()),
                    try event(
                        9, .init(deviceID: device, accountID: account, dataTypes: [.heartRate], isRemoved: false)),
                ], of: test.accountChanges())
            let row = try await test.database.queryOne(
                "select subject, erased_at is not null from person", as: Int32?.self, Bool.self)
            #expect(row! == (nil, true))
            #expect(try await test.database.queryOne("select count(*) from device", as: Int.self) == 0)
        }
    }

    @Test("Changes of accounts and uploads that come together do not wait for each other in a circle")
    func order() async throws {
        try await IngestionTest.with { test in
            let other = UUID.random()
            let handler = test.accountChanges()
            // The news inserts `other` and then `account`; the writer has locked both and then inserts `other`.
            let news = [
                try event(1, .init(accountID: other, kind: .individual, subject: 5)),
                try event(2, .init(accountID: account, kind: .individual, subject: 6)),
            ]
            let locked = EventCounter()
            let consumer = test.service.loops.next().task {
                _ = await locked.wait(after: 0)
                do {
                    try await test.settle(try await handler.apply(news.map { IngestionTest.record($0) }))
                    return true
                } catch { return false }
            }
            try await test.database.transaction(retriesMax: 0) { transaction in
                try await transaction.batch([ArrivalStore.lock([account, other])])
                locked.raise()
                let end = Deadline.after(.patience)
                while !end.hasPassed, try await transaction.queryOne(Self.isWaitedFor, as: Bool.self) != true {}
                try await transaction.batch([ArrivalStore.addPeople([account, other])])
            }
            #expect(await consumer.value)
            let people = try await test.database.query(
                "select account_id from person where erased_at is null", as: UUID.self)
            #expect(Set(people) == [account, other])
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
}
