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
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

@Suite struct ShardsTests {
    /// Somebody new people like whom go to a shard.
    static func person(of shard: Int, among count: Int) -> UUID {
        while true {
            let account = UUID.random()
            if Directory.shard(for: account, count) == shard { return account }
        }
    }

    private func people(_ database: Database) async throws -> [UUID] {
        try await database.query("select account_id from person order by account_id", as: UUID.self)
    }

    @Test(
        "ING-06a: people are spread over shards: each one's samples are in one schema, and are read from there")
    func spread() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let accounts = (0..<3).map { Self.person(of: $0, among: 3) }
            for (number, account) in accounts.enumerated() {
                let answer = try await test.upload(
                    1, [heartRates([60 + Double(number)])], device: .random(), of: account)
                #expect(answer.stored == 1)
            }
            for (number, account) in accounts.enumerated() {
                let found = try await test.with(shard: number) { try await people($0) }
                #expect(found == [account])
                let read = try await test.read(account)
                #expect(read.series.map(\.values) == [[60 + Double(number)]])
                let latest = try await test.get("latest", of: account)
                #expect(latest.status == .ok)
                #expect(try await latest.collectedBody().text.contains("\"value\":\(60 + number)"))
            }
            let directory = try await test.database.query(
                "select account_id, shard from directory", as: UUID.self, Int.self)
            #expect(
                Dictionary(uniqueKeysWithValues: directory.map { ($0.0, $0.1) })
                    == Dictionary(uniqueKeysWithValues: accounts.enumerated().map { ($0.1, $0.0) }))
        }
    }

    @Test("With one shard nobody is in the directory, and no schema is made")
    func one() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([60])], device: .random(), of: .random())
            let rows = try await test.database.queryOne(
                "select (select count(*) from directory) + (select count(*) from shard)", as: Int.self)
            #expect(rows == 0)
            let schemas = try await test.database.queryOne(
                "select count(*) from pg_namespace where nspname ~ \("^\(test.schema(ofShard: 0))_[0-9]+$")",
                as: Int.self
            )
            #expect(schemas == 0)
        }
    }

    @Test("A closed day holds the values of all shards, in one publication")
    func closing() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let noon = Timestamp("2026-11-17T12:00:00Z")!
            for number in 0..<3 {
                let account = Self.person(of: number, among: 3)
                try await test.with(shard: number) { database in
                    try await test.change(
                        1,
                        Accounts.AccountChange(
                            accountID: account, kind: .individual, subject: Int32(number + 10)),
                        in: database)
                }
                _ = try await test.upload(
                    1, [heartRates([60 + Double(number)], from: noon)], device: .random(), of: account)
            }
            #expect(try await test.close(through: "2026-11-17") == 3)
            let events = try await test.events(Ingestion.rollupsFeed, as: "query")
            let rollups = try events.filter { $0.kind == "day" }.map { try $0.decode(Ingestion.DayRollups.self) }
            let values = rollups.flatMap { zip($0.subjects, $0.values) }.sorted { $0.0 < $1.0 }
            #expect(values.map(\.0) == [10, 11, 12] && values.map(\.1) == [60, 61, 62])
            #expect(Set(rollups.map(\.publication)).count == 1)
        }
    }

    @Test("NFR-03: closing that was broken off goes on in each shard where it was there")
    func closingGoesOn() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let noon = Timestamp("2026-11-17T12:00:00Z")!
            let people = (0..<6).map { (account: Self.person(of: $0 / 2, among: 3), device: UUID.random()) }
            func upload(_ number: Int64, _ value: Double) async throws {
                for person in people {
                    let series = heartRates([value], from: noon + .seconds(600 * number))
                    _ = try await test.upload(number, [series], device: person.device, of: person.account)
                }
            }
            try await upload(1, 60)
            for (index, person) in people.enumerated() {
                try await test.with(shard: index / 2) { database in
                    try await test.change(
                        1,
                        Accounts.AccountChange(
                            accountID: person.account, kind: .individual, subject: Int32(index)),
                        in: database)
                }
            }
            #expect(try await test.close(through: "2026-11-17") == 6)
            let before = try await test.publications()
            // All of shard 0 were counted, of shard 1 the first, of shard 2 nobody.
            try await test.database.batch([
                "update rollup_state set closed_through = null", "delete from closed_day",
            ])
            for (number, through) in [(1, "(select min(number) from person)"), (2, "0")] {
                try await test.with(shard: number) {
                    _ = try await $0.execute("update counting set through = \(raw: through)")
                }
            }
            try await upload(2, 80)
            #expect(try await test.close(through: "2026-11-17") == 6)
            let again = try await test.rollups(beside: before).sorted { $0.subject < $1.subject }
            #expect(again.map(\.value) == [60, 60, 60, 70, 70, 70])
        }
    }

    @Test("SOS-02a: each shard publishes the live samples of its people in a feed of its own")
    func live() async throws {
        try await IngestionTest.with(shards: 3) { test in
            for number in 0..<3 {
                let account = Self.person(of: number, among: 3)
                let watch = try FeedEvent(
                    feed: "", entity: account, version: 1, kind: "watch",
                    encoding: Ingestion.Watch(accountID: account, isWatched: true))
                try await test.with(shard: number) { database in
                    try await test.settle(
                        try test.watchChanges(.dispatcher, in: database).apply([IngestionTest.record(watch)]),
                        in: database)
                }
                _ = try await test.upload(1, [heartRates([60])], device: .random(), of: account)
                let events = try await test.events(Ingestion.liveFeed, shard: number, as: "dispatcher")
                #expect(events.map(\.entity) == [account])
            }
            await #expect(throws: RPCError.self) {
                try await test.events(Ingestion.liveFeed, shard: 3, as: "dispatcher")
            }
            await #expect(throws: RPCError.self) { try await test.events(Ingestion.rollupsFeed, shard: 1, as: "query") }
        }
    }

    private final class Seen: FeedHandler {
        let people = Mutex<Set<UUID>>([])

        func apply(_ records: [FeedRecord]) -> FeedEffect {
            people.withLock { $0.formUnion(records.map(\.entity)) }
            return .none
        }
        func beginSnapshot() -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) -> FeedEffect { .none }
        func endSnapshot() -> FeedEffect { .none }
    }

    @Test("SOS-02a: who follows the live feed gets the samples of people in all shards")
    func followed() async throws {
        try await IngestionTest.with(shards: 3) { test in
            test.service.start()
            let people = (0..<3).map { (account: Self.person(of: $0, among: 3), device: UUID.random()) }
            for (number, person) in people.enumerated() {
                let watch = try FeedEvent(
                    feed: "", entity: person.account, version: 1, kind: "watch",
                    encoding: Ingestion.Watch(accountID: person.account, isWatched: true))
                try await test.with(shard: number) { database in
                    try await test.settle(
                        try test.watchChanges(.dispatcher, in: database).apply([IngestionTest.record(watch)]),
                        in: database)
                }
            }
            let seen = Seen()
            let consumer = FeedConsumer(
                feed: Ingestion.liveFeed, from: test.service.rpc(as: "dispatcher"), into: test.database, handler: seen,
                observer: .silent)
            let following = try #require(EventLoop.current).task { await consumer.run() }
            // What comes before the first look at a feed is not for it.
            let patience = Deadline.after(.patience)
            var number: Int64 = 0
            while seen.people.withLock({ $0.count }) < 3, !patience.hasPassed {
                number += 1
                for person in people {
                    _ = try await test.upload(
                        number, [heartRates([60], from: IngestionTest.start - .seconds(1000 - number))],
                        device: person.device, of: person.account)
                }
                try await EventLoop.current?.sleep(for: .milliseconds(50))
            }
            following.cancel()
            await following.value
            #expect(seen.people.withLock { $0 } == Set(people.map(\.account)))
        }
    }

    @Test(
        "SUB-01a: who reads the live feed in memory hears of arrivals of people in all shards, and reads all of them at once"
    )
    func heard() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let people = (0..<3).map { Self.person(of: $0, among: 3) }
            for (number, account) in people.enumerated() {
                let watch = try FeedEvent(
                    feed: "", entity: account, version: 1, kind: "watch",
                    encoding: Ingestion.Watch(accountID: account, isWatched: true, tells: .arrivals))
                try await test.with(shard: number) { database in
                    try await test.settle(
                        try test.watchChanges(.query, in: database).apply([IngestionTest.record(watch)]), in: database)
                }
            }
            let begun = Mutex<Set<Int>>([])
            let heard = Mutex<Set<UUID>>([])
            let news = EventCounter()
            let reader = FeedReader(
                feed: Ingestion.liveFeed, from: test.service.rpc(as: "query"), wait: .milliseconds(50),
                observer: .silent
            ) { update, shard in
                switch update {
                case .snapshotEnded: begun.withLock { _ = $0.insert(shard) }
                case .changes(let records): heard.withLock { $0.formUnion(records.map(\.entity)) }
                case .snapshotBegan, .entities: break
                }
                news.raise()
            }
            let patience = Deadline.after(.patience)
            func reached(_ condition: () -> Bool) async {
                while !patience.hasPassed {
                    let seen = news.value
                    if condition() { return }
                    _ = await news.wait(after: seen, deadline: patience)
                }
            }
            let reading = try #require(EventLoop.current).task { await reader.run() }
            await reached { begun.withLock { $0.count == 3 } }
            for (number, account) in people.enumerated() {
                _ = try await test.upload(1, [heartRates([60 + Double(number)])], device: .random(), of: account)
            }
            await reached { heard.withLock { $0.count == 3 } }
            reading.cancel()
            await reading.value
            #expect(heard.withLock { $0 } == Set(people))
            let many = try await test.readMany(people.reversed().map { test.item($0) })
            #expect(many.map(\.outcome) == [.read, .read, .read])
            #expect(many.map { $0.series.map(\.values) } == [[[62]], [[61]], [[60]]])
        }
    }

    @Test("Who was there before there were several shards stays in the first, and is not split")
    func growth() async throws {
        try await IngestionTest.with { test in
            let old = Self.person(of: 2, among: 3)
            let new = Self.person(of: 2, among: 3)
            _ = try await test.upload(1, [heartRates([60])], device: .random(), of: old)
            let directory = Directory(count: 3, in: test.database, peopleMax: 100)
            #expect(try await directory.shard(of: old) == 0)
            #expect(try await directory.shards(of: [old, new]) == [old: 0, new: 2])
            #expect(try await Directory(count: 5, in: test.database, peopleMax: 100).shard(of: new) == 2)
            // This process has been told of one shard only.
            #expect(try await test.upload(2, [heartRates([61])], device: .random(), of: old).stored == 1)
            let refused = try await test.send(1, [heartRates([60])], device: .random(), of: new)
            #expect(refused.status == .serviceUnavailable)
            try await test.change(
                1, Accounts.AccountChange(accountID: new, kind: .individual, subject: 7))
            #expect(try await people(test.database) == [old])
        }
    }

    @Test("The number of shards only grows, and is within its limits")
    func number() async throws {
        try await IngestionTest.with(shards: 3) { test in
            let places = ShardPlaces(database: test.database)
            let rows = try await places.rows(count: 3)
            #expect(rows.map(\.isMade) == [true, true])
            await #expect(throws: ConfigurationError.self) { try await places.rows(count: 2) }
            await #expect(throws: ConfigurationError.self) { try await places.rows(count: 1) }
        }
    }

    @Test("A shard takes of a feed what concerns its people, and all of a snapshot's beginning and end")
    func following() async throws {
        try await IngestionTest.with(shards: 2) { test in
            let directory = Directory(count: 2, in: test.database, peopleMax: 100)
            let accounts = (0..<2).map { Self.person(of: $0, among: 2) }
            let events = try accounts.map { account in
                try FeedEvent(
                    feed: "", entity: account, version: 1, kind: "watch",
                    encoding: Ingestion.Watch(accountID: account, isWatched: true))
            }
            for number in 0..<2 {
                let handler = ShardHandler(
                    handler: test.watchChanges(.dispatcher), shard: number, directory: directory)
                try await test.with(shard: number) { database in
                    try await test.settle(
                        try await handler.apply(events.map { IngestionTest.record($0) }), in: database)
                    let watched: SQL = "select account_id from watch"
                    #expect(try await database.query(watched, as: UUID.self) == [accounts[number]])
                    try await test.settle(try await handler.beginSnapshot(), in: database)
                    try await test.settle(
                        try await handler.apply(snapshot: [
                            FeedEntity(
                                entity: accounts[0], version: 1, kind: "watch", payload: events[0].payload)
                        ]), in: database)
                    try await test.settle(try await handler.endSnapshot(), in: database)
                    #expect(try await database.query(watched, as: UUID.self) == (number == 0 ? [accounts[0]] : []))
                }
            }
        }
    }

    @Test("NFR-04a: the producer of a feed is told what all shards have committed")
    func acknowledgement() {
        let common = CommonAcknowledgement(of: 3)
        func cursor(_ positions: Int64...) -> FeedCursor { FeedCursor(epoch: "a", positions: positions) }
        #expect(common.note(cursor(5, 5), of: 0) == nil)
        #expect(common.note(cursor(7, 3), of: 1) == nil)
        #expect(common.note(nil, of: 2) == nil)
        #expect(common.note(cursor(6, 9, 4), of: 2) == cursor(5, 3))
        #expect(common.note(cursor(8, 8), of: 1) == cursor(5, 5))
        #expect(common.note(FeedCursor(epoch: "b", positions: [9]), of: 1) == nil)
    }

    @Test(
        "NFR-04a: a shard's snapshot tells a feed's producer nothing of the other shards, for which events are kept on")
    func snapshotOfOne() async throws {
        try await IngestionTest.with { test in
            let account = UUID.random()
            for watcher in [ServiceName.dispatcher, .track4run] { try await test.watch(account, by: watcher) }
            _ = try await test.upload(1, [heartRates([60])], device: .random(), of: account)
            let common = CommonAcknowledgement(of: 2)
            func caller(_ shard: Int) -> CommonAcknowledgement.Caller {
                .init(caller: test.service.rpc(as: "dispatcher"), shard: shard, common: common)
            }
            let snapshot = FeedSnapshot.Params(feed: Ingestion.liveFeed, page: nil)
            let cursor = try #require(try await caller(1).call(FeedSnapshot.self, snapshot).cursor)
            _ = try await test.service.rpc(as: "track4run").call(FeedSnapshot.self, snapshot)
            test.service.start()
            // What is known is written together.
            try await committed(["track4run"], test)
            _ = try await caller(0).call(
                FeedRead.self,
                .init(
                    feed: Ingestion.liveFeed, cursor: cursor, acknowledged: cursor, limit: 1, waitMilliseconds: 0))
            try await committed(["dispatcher", "track4run"], test)
        }
    }

    /// Waits until the producer of the live feed has written what some consumer has committed: it is what these have.
    private func committed(_ consumers: [String], _ test: IngestionTest) async throws {
        let end = Deadline.after(.patience)
        while true {
            let found = try await test.database.query(
                "select distinct consumer from feed_consumer order by consumer", as: String.self)
            if found.count >= consumers.count || end.hasPassed {
                #expect(found == consumers)
                return
            }
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }

    @Test("Each table has a key, by which logical replication finds the rows of a shard that is being moved")
    func keys() async throws {
        try await IngestionTest.with { test in
            let without = try await test.database.query(
                """
                select c.relname::text from pg_class c
                where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relreplident <> 'f'
                  and not exists (select from pg_index where indrelid = c.oid and indisprimary)
                """, as: String.self)
            #expect(without.isEmpty)
            let days = try await test.database.query(
                """
                select distinct c.relreplident::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'arrival'::regclass
                """, as: String.self)
            #expect(days == ["f"])
        }
    }

    @Test("An operator sees where the shards are, and moves in progress")
    func list() async throws {
        try await IngestionTest.with(shards: 3) { test in
            try await test.database.execute("update shard set moving_to = '' where number = 2")
            let lines = Mutex<[String]>([])
            try await ShardCommand.run(test.service.context, ["list"]) { line in lines.withLock { $0.append(line) } }
            let schema = test.schema(ofShard: 0)
            #expect(
                lines.withLock { $0 } == [
                    "0: \(schema) in the service's own database",
                    "1: \(schema)_1 in the service's own database",
                    "2: \(schema)_2 in the service's own database, moving to the service's own database",
                ])
            await #expect(throws: ShardError.self) { try await ShardCommand.run(test.service.context, ["lists"]) }
        }
    }

    @Test("NFR-03b: readiness shows each shard's database")
    func readiness() async throws {
        try await IngestionTest.with(shards: 3) { test in
            test.service.start()
            // On a busy machine a database may not answer in time.
            let end = Deadline.after(.patience)
            var report: String
            repeat {
                report = try await test.service.ask("/readyz").collectedBody().text
            } while report.contains("failing") && !end.hasPassed
            #expect(report.contains(#""name":"shard 1","status":"ok","required":false"#))
            #expect(report.contains(#""name":"shard 2","status":"ok","required":false"#))
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
