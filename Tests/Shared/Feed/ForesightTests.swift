@testable import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Synchronization
import Testing

/// What a consumer is told of while its own database takes nothing.
@Suite struct ForesightTests {
    /// Notes what was foreseen, and applies as ever.
    private final class Handler: FeedHandler {
        struct Seen {
            var foreseen: [UUID] = []
            var ended = 0
        }

        let seen = Mutex(Seen())
        let changes = EventCounter()

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect { try await AppliedHandler().apply(records) }
        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }

        func foresee(_ records: [FeedRecord], ofShard shard: Int) async {
            seen.withLock { $0.foreseen += records.map(\.entity) }
            changes.raise()
        }

        func foresightEnded(ofShard shard: Int) async {
            seen.withLock { $0.ended += 1 }
            changes.raise()
        }

        var foreseen: [UUID] { seen.withLock { $0.foreseen } }

        func wait(until holds: (Seen) -> Bool, _ location: SourceLocation = #_sourceLocation) async throws {
            let deadline = Deadline.after(.patience)
            while true {
                let before = changes.value
                if seen.withLock({ holds($0) }) { return }
                guard !deadline.hasPassed else {
                    Issue.record("not foreseen", sourceLocation: location)
                    throw TestFeed.TimedOut()
                }
                _ = await changes.wait(after: before, deadline: deadline)
            }
        }
    }

    private static func publish(_ feed: TestFeed, _ count: Int) async throws -> [UUID] {
        let events = try (0..<count).map { _ in try TestFeed.event() }
        for event in events { try await feed.producer.execute([], publishing: [event]) }
        return events.map(\.entity)
    }

    @Test(
        "NFR-03b: while the consumer's database is away, the handler is told of all that is read; afterwards each event is applied once",
        arguments: [nil, 4] as [Int?])
    func away(_ parts: Int?) async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let (own, handler) = (feed.test.another(), Handler())
            let consumer = feed.consumer(handler: handler, into: own) {
                $0.foresight = .milliseconds(100)
                $0.parts = parts
                $0.wait = .milliseconds(200)
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let before = try await Self.publish(feed, 3)
                try await feed.until("select count(*) = 3 from applied")
                let there = own.configuration.connectionInfo
                await own.lead(to: "host=/nonexistent dbname=nothing")
                var during = try await Self.publish(feed, 3)
                try await handler.wait { Set(during).isSubset(of: $0.foreseen) }
                // Also what comes long after it went.
                during += try await Self.publish(feed, 5)
                try await handler.wait { Set(during).isSubset(of: $0.foreseen) }
                #expect(handler.foreseen.filter(during.contains) == during)
                #expect(try await feed.database.queryOne("select count(*) from applied", as: Int.self) == 3)
                await own.lead(to: there)
                try await feed.until("select count(*) = 11 from applied")
                try await handler.wait { $0.ended > 0 }
                let after = try await Self.publish(feed, 4)
                try await feed.until("select count(*) = 15 from applied")
                #expect(Set(handler.foreseen).isDisjoint(with: before + after))
            }
            await own.close()
        }
    }

    @Test("A database that takes what it is given, but too late, is not waited for either")
    func late() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let handler = Handler()
            let consumer = feed.consumer(handler: handler) {
                $0.foresight = .milliseconds(50)
                $0.wait = .milliseconds(200)
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let own = feed.test.another()
                let events = try await own.transaction { transaction in
                    try await transaction.execute("lock table applied in access exclusive mode")
                    let events = try await Self.publish(feed, 2)
                    try await handler.wait { Set(events).isSubset(of: $0.foreseen) }
                    return events
                }
                try await feed.until("select count(*) = 2 from applied")
                try await handler.wait { $0.ended == 1 }
                #expect(Set(events).isSubset(of: handler.foreseen))
                await own.close()
            }
        }
    }

    @Test("NFR-03b: a consumer that waits in a statement of its own, with nothing to apply, is told of what comes")
    func quiet() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let handler = Handler()
            let consumer = feed.consumer(handler: handler) {
                $0.foresight = .milliseconds(50)
                $0.wait = .milliseconds(200)
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                _ = try await Self.publish(feed, 1)
                try await feed.until("select count(*) = 1 from applied")
                let own = feed.test.another()
                try await own.transaction { transaction in
                    // It stores now and then how far a quiet feed is.
                    try await transaction.execute("lock table feed_cursor in access exclusive mode")
                    try await feed.until(
                        "select exists (select from pg_locks where relation = 'feed_cursor'::regclass and not granted)")
                    let events = try await Self.publish(feed, 2)
                    try await handler.wait { Set(events).isSubset(of: $0.foreseen) }
                }
                try await feed.until("select count(*) = 3 from applied")
                await own.close()
            }
        }
    }

    @Test("Of what is committed in time nothing is foreseen")
    func inTime() async throws {
        try await TestFeed.with { feed in
            let handler = Handler()
            let consumer = feed.consumer(handler: handler) { $0.foresight = .seconds(30) }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                for count in 1...5 {
                    _ = try await Self.publish(feed, 4)
                    try await feed.until("select count(*) = \(Int64(count * 4)) from applied")
                }
            }
            #expect(handler.foreseen.isEmpty)
        }
    }

    // MARK: The state alone

    private func foresight(_ time: Duration = .milliseconds(500)) -> Foresight {
        Foresight(after: time, shard: 0, handler: Handler()) { cursor, _ throws(RPCError) in
            FeedRead.Result(events: [], cursor: cursor, more: false)
        }
    }

    private func cursor(_ position: Int64, epoch: String = "one") -> FeedCursor {
        FeedCursor(epoch: epoch, positions: [position])
    }

    private func record(_ position: Int64) -> FeedRecord {
        FeedRecord(
            lane: 0, position: position, entity: .random(), version: 1, kind: "changed",
            payload: JSONRaw(unchecked: Array("{}".utf8)), recordedAt: .now())
    }

    @Test("What fails again and again waits since it was read first, not since the last try")
    func waitsSince() {
        let (foresight, begun) = (foresight(), Deadline.now())
        foresight.reached(cursor(1), .all, at: begun)
        foresight.waits(for: [record(2)], to: cursor(2), .all, at: begun)
        foresight.interrupted(at: begun.advanced(by: .milliseconds(200)))
        // The cursor can be read, and the commit fails again.
        foresight.reached(cursor(1), .all, at: begun.advanced(by: .milliseconds(300)))
        foresight.waits(for: [record(2)], to: cursor(2), .all, at: begun.advanced(by: .milliseconds(300)))
        #expect(foresight.waitingSince == begun)
        foresight.reached(cursor(2), .all, at: begun.advanced(by: .milliseconds(400)))
        #expect(foresight.waitingSince == nil)
    }

    @Test("A neighbour's failure alone, with the own database there, begins nothing")
    func interrupted() {
        let (foresight, begun) = (foresight(), Deadline.now())
        foresight.reached(cursor(5), .all, at: begun)
        foresight.interrupted(at: begun)
        #expect(foresight.waitingSince == begun)
        // The stored cursor may be behind what was read: positions of others are stored now and then.
        foresight.reached(cursor(4), .all, at: begun.advanced(by: .milliseconds(100)))
        #expect(foresight.waitingSince == nil)
    }
}

/// Readers that are told of whom, and not what.
@Suite struct BareReaderTests {
    @Test(
        "GRP-09 NFR-06: a bare reader gets entities without payloads, nothing is revealed for it, and its snapshot is empty"
    )
    func bare() async throws {
        try await TestFeed.with { feed in
            let revealed = Mutex(0)
            let entities = feed.entities
            entities.set([try Entities.entity(.random())])
            let producer = FeedProducer(
                database: feed.database,
                feeds: [
                    FeedDefinition(
                        name: TestFeed.name, durable: ["query", "dispatcher"], bare: ["dispatcher"],
                        snapshot: { entities.page($0) },
                        reveal: { records in
                            revealed.withLock { $0 += records.count }
                            return records
                        })
                ], observer: feed.incidents.observer)
            let page = try await feed.caller(as: "dispatcher", of: producer).call(
                FeedSnapshot.self, .init(feed: TestFeed.name, page: nil), deadline: nil)
            let cursor = try #require(page.cursor)
            #expect(page.entities.isEmpty && page.next == nil)
            let event = try TestFeed.event()
            try await producer.execute([], publishing: [event])
            for (reader, payload) in [("dispatcher", "{}"), ("query", #"{"n":1}"#)] {
                let answer = try await feed.caller(as: reader, of: producer).call(
                    FeedRead.self,
                    FeedRead.Params(
                        feed: TestFeed.name, cursor: cursor, acknowledged: nil, limit: 10, waitMilliseconds: 1000),
                    deadline: .after(.seconds(20)))
                #expect(answer.events.map(\.entity) == [event.entity] && answer.events.map(\.kind) == ["changed"])
                #expect(answer.events.map { String(decoding: $0.payload.bytes, as: UTF8.self) } == [payload])
            }
            #expect(revealed.withLock { $0 } == 1)
        }
    }
}
