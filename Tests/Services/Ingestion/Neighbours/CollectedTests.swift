import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Of which data types something may still come, and that query is told when that changes.
@Suite struct CollectedTests {
    private let account = UUID.random()
    private let watch = UUID.random()
    private let scale = UUID.random()

    /// Of some types those of which something may come.
    private func collected(
        _ test: IngestionTest, of types: [DataType] = [.heartRate, .position, .weight]
    ) async throws -> Set<DataType> {
        let caller = test.service.rpc(as: "query")
        let people = try await caller.call(Ingestion.Collected.self, .init(accountIDs: [account])).people
        #expect(people.map(\.accountID) == [account])
        return Set(people.first?.types ?? []).intersection(types)
    }

    private func device(
        _ version: Int64, _ device: UUID, _ types: [DataType], isRemoved: Bool = false, _ test: IngestionTest
    ) async throws {
        try await test.change(
            version,
            .init(deviceID: device, accountID: account, dataTypes: types, isRemoved: isRemoved))
    }

    private func paused(_ version: Int64, _ groups: [String], _ test: IngestionTest) async throws {
        try await test.change(version, .init(accountID: account, kind: .individual, subject: 5, paused: groups))
    }

    /// How often query was told of the person.
    private func told(_ test: IngestionTest) async throws -> Int {
        try await test.events(Ingestion.liveFeed, as: "query").count {
            $0.kind == Ingestion.liveCollectionKind && $0.entity == account
        }
    }

    @Test("SUB-04b: Something may come until it is paused, or the last device that provides it is gone or may not")
    func types() async throws {
        try await IngestionTest.with { test in
            // Nothing is known against it.
            #expect(try await collected(test) == [.heartRate, .position, .weight])
            try await paused(1, [], test)
            try await device(1, watch, [.heartRate, .position], test)
            try await device(1, scale, [.weight, .heartRate], test)
            #expect(try await collected(test) == [.heartRate, .position, .weight])
            try await paused(2, ["health"], test)
            #expect(try await collected(test) == [.position])
            try await paused(3, [], test)
            // Another device provides heart rates still.
            try await device(2, watch, [], isRemoved: true, test)
            #expect(try await collected(test) == [.heartRate, .weight])
            try await device(2, scale, [.weight], test)
            #expect(try await collected(test) == [.weight])
            try await device(3, watch, [.position], test)
            #expect(try await collected(test) == [.position, .weight])
            // What never came from a device may come in other ways.
            #expect(try await collected(test, of: [.glucose]) == [.glucose])
            try await paused(4, ["health", "position"], test)
            #expect(try await collected(test, of: DataType.allCases).isEmpty)
        }
    }

    @Test("SUB-04b: Devices that a snapshot of accounts lacks provide nothing any more")
    func snapshot() async throws {
        try await IngestionTest.with { test in
            try await paused(1, [], test)
            try await device(1, watch, [.position], test)
            try await device(1, scale, [.weight], test)
            try await test.watch(account, by: .query)
            let before = try await told(test)
            let change = Accounts.DeviceChange(
                deviceID: scale, accountID: account, dataTypes: [.weight], isRemoved: false)
            try await test.snapshot(
                [try FeedEvent(feed: "", entity: account, version: 1, kind: "device", encoding: change)],
                of: test.accountChanges())
            #expect(try await collected(test) == [.heartRate, .weight])
            // Of the device that is there, and of the one that is not.
            #expect(try await told(test) == before + 2)
        }
    }

    @Test("SUB-04b: Query is told of whom it watches: when the watch begins, and whenever devices or pauses change")
    func told() async throws {
        try await IngestionTest.with { test in
            try await paused(1, [], test)
            try await device(1, watch, [.heartRate], test)
            #expect(try await told(test) == 0)
            try await test.watch(account, by: .query)
            #expect(try await told(test) == 1)
            try await paused(2, ["health"], test)
            try await device(2, watch, [], isRemoved: true, test)
            #expect(try await told(test) == 3)
            try await test.watch(account, false, by: .query, version: 2)
            try await paused(3, [], test)
            #expect(try await told(test) == 3)
            // Others hear nothing of it, and the event says nothing else.
            try await test.watch(account)
            try await paused(4, ["position"], test)
            #expect(try await test.events(Ingestion.liveFeed, as: "dispatcher").isEmpty)
            let payloads = try await test.database.query(
                "select convert_from(payload, 'utf8') from feed_event where kind = 'collection'", as: String.self)
            #expect(payloads.count == 3 && payloads.allSatisfy { $0 == "{}" })
        }
    }

    @Test("SUB-04b ACC-12: Of who is erased nothing is known, and what devices provided comes back with nobody")
    func erased() async throws {
        try await IngestionTest.with { test in
            try await paused(1, ["health"], test)
            try await device(1, watch, [.position], test)
            try await test.erase(account)
            #expect(try await collected(test) == [.heartRate, .position, .weight])
            #expect(try await test.database.queryOne("select provided_types from person", as: Int64.self) == 0)
        }
    }

    @Test("SUB-04b NFR-02: Many people are asked about at once, in whatever shard, and no more than the limit")
    func many() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let caller = test.service.rpc(as: "query")
            let people = (0..<Ingestion.Collected.peopleMax).map { _ in UUID.random() }
            let answer = try await caller.call(Ingestion.Collected.self, .init(accountIDs: people))
            #expect(Set(answer.people.map(\.accountID)) == Set(people))
            for accounts in [[], people + [account]] {
                let error = await #expect(throws: RPCError.self) {
                    try await caller.call(Ingestion.Collected.self, .init(accountIDs: accounts))
                }
                #expect(error?.code == .invalidParams)
            }
        }
    }
}
