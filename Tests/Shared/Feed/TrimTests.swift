@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Testing

@Suite struct TrimTests {
    /// Segments of one page: every round of upkeep turns the ring.
    private static var small: FeedSettings {
        var settings = FeedSettings()
        settings.segmentBytesMax = 1
        return settings
    }

    private static func ring(_ feed: TestFeed, durable: Set<String> = ["query"]) -> SegmentRing {
        SegmentRing(
            database: feed.database, settings: small, feeds: [FeedDefinition(name: TestFeed.name, durable: durable)])
    }

    private static func stored(_ feed: TestFeed) async throws -> Int {
        try await feed.database.queryOne("select count(*) from feed_event", as: Int.self) ?? -1
    }

    @Test("What a durable consumer has not committed stays; what all have passed goes, and older cursors are gone")
    func rule() async throws {
        try await TestFeed.with(settings: Self.small) { feed in
            var ring = Self.ring(feed)
            let start = try await feed.end()
            for _ in 0..<6 {
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                try await feed.producer.maintain(&ring)
            }
            #expect(try await Self.stored(feed) == 6)
            // An ephemeral reader has no say: its reading changes nothing.
            #expect(try await feed.read(after: start, as: "track4run").events.count == 6)
            try await feed.producer.maintain(&ring)
            #expect(try await Self.stored(feed) == 6)
            // Reading is not committing.
            let answer = try await feed.read(after: start, committed: start)
            try await feed.producer.maintain(&ring)
            #expect(try await Self.stored(feed) == 6)
            _ = try await feed.read(after: answer.cursor, committed: answer.cursor)
            for _ in 0..<6 { try await feed.producer.maintain(&ring) }
            #expect(try await Self.stored(feed) < 6)
            let gone = await #expect(throws: RPCError.self) { try await feed.read(after: start, as: "track4run") }
            #expect(gone?.domain == "feed.gone")
            #expect(try await feed.read(after: answer.cursor).events.isEmpty)
            // A snapshot's cursor is past what was trimmed.
            #expect(try await feed.read(after: try await feed.end()).events.isEmpty)
        }
    }

    @Test("A segment that an open transaction has written to is left alone; the others are emptied meanwhile")
    func openTransaction() async throws {
        try await TestFeed.with(durable: [], settings: Self.small) { feed in
            var ring = Self.ring(feed, durable: [])
            let (release, opened) = (EventCounter(), EventCounter())
            let holder = feed.loop.throwingTask {
                try await feed.database.transaction { transaction in
                    try await transaction.execute(
                        """
                        insert into feed_event_0 (stream, position, event)
                        values (feed_base(\(TestFeed.name)) + 63, 1, \(PackedEvent.pack(try TestFeed.event(kind: "late"))))
                        """)
                    opened.raise()
                    _ = await release.wait(after: 0)
                }
            }
            _ = await opened.wait(after: 0)
            var cursor = try await feed.end(as: "track4run")
            for _ in 0..<12 {
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                let answer = try await feed.read(after: cursor, as: "track4run")
                #expect(answer.events.count == 1)
                cursor = answer.cursor
                try await feed.producer.maintain(&ring)
            }
            // Segment 0 has one event and the open transaction's; what went through the others is trimmed.
            #expect(try await feed.database.queryOne("select count(*) from feed_event_0", as: Int.self) == 1)
            #expect(try await feed.database.queryOne("select count(*) > 0 from feed_floor", as: Bool.self) == true)
            release.raise()
            try await holder.value
            let late = try await feed.database.queryOne(
                "select count(*) from feed_event where lane = 63", as: Int.self)
            #expect(late == 1)
        }
    }

    @Test("Trimming under load: nothing is lost, nothing doubled, and the tables stay small")
    func underLoad() async throws {
        try await TestFeed.with(connections: 12, settings: Self.small) { feed in
            let consumer = feed.consumer()
            try await feed.running([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<100 {
                                let event = try TestFeed.event()
                                try await feed.producer.execute(
                                    ["insert into sent values (\(event.entity))"], publishing: [event])
                            }
                        }
                    }
                    group.addTask {
                        var ring = Self.ring(feed)
                        for _ in 0..<60 { try await feed.producer.maintain(&ring) }
                    }
                    try await group.waitForAll()
                }
                try await feed.until("select count(*) = 400 from applied")
            }
            #expect(feed.incidents.count { $0.isGone } == 0)
            #expect(try await feed.database.queryOne("select count(*) > 0 from feed_floor", as: Bool.self) == true)
            #expect(try await Self.stored(feed) < 400)
            let missing = try await feed.database.queryOne(
                "select count(*) from sent full join applied using (entity) where sent is null or applied is null",
                as: Int.self)
            #expect(missing == 0)
        }
    }
}
