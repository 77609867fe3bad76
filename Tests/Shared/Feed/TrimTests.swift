@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Telemetry
import ReactorTesting
import Testing

@Suite struct TrimTests {
    /// Segments of one page: every round of upkeep turns the ring.
    private static var small: FeedSettings {
        var settings = FeedSettings()
        settings.segmentBytesMax = 1
        settings.trimGrace = .zero
        return settings
    }

    private static func stored(_ feed: TestFeed) async throws -> Int {
        try await feed.database.queryOne("select count(*) from feed_event", as: Int.self) ?? -1
    }

    private static func publish(_ feed: TestFeed, _ count: Int = 1) async throws {
        try await feed.producer.execute([], publishing: try (0..<count).map { _ in try TestFeed.event() })
    }

    @Test("What a durable consumer has not committed stays; what all have passed goes, and older cursors are gone")
    func rule() async throws {
        try await TestFeed.with(settings: Self.small) { feed in
            var rings = feed.producer.rings()
            let start = try await feed.end()
            for _ in 0..<6 {
                try await Self.publish(feed)
                try await feed.producer.maintain(&rings)
            }
            #expect(try await Self.stored(feed) == 6)
            // An ephemeral reader has no say: its reading changes nothing.
            #expect(try await feed.read(after: start, as: "track4run").events.count == 6)
            try await feed.producer.maintain(&rings)
            #expect(try await Self.stored(feed) == 6)
            // Reading is not committing.
            let answer = try await feed.read(after: start, committed: start)
            try await feed.producer.maintain(&rings)
            #expect(try await Self.stored(feed) == 6)
            _ = try await feed.read(after: answer.cursor, committed: answer.cursor)
            for _ in 0..<6 { try await feed.producer.maintain(&rings) }
            #expect(try await Self.stored(feed) < 6)
            let gone = await #expect(throws: RPCError.self) { try await feed.read(after: start, as: "track4run") }
            #expect(gone?.domain == "feed.gone")
            #expect(try await feed.read(after: answer.cursor).events.isEmpty)
            // A snapshot's cursor is past what was trimmed.
            #expect(try await feed.read(after: try await feed.end()).events.isEmpty)
        }
    }

    @Test("How many events a consumer has not committed is a metric")
    func lag() async throws {
        try await TestFeed.with { feed in
            var rings = feed.producer.rings()
            func lag() async throws -> Substring? {
                try await feed.producer.maintain(&rings)
                let text = String(decoding: await feed.incidents.metrics.text(), as: UTF8.self)
                return text.split(separator: "\n").first { $0.hasPrefix("trackme_feed_lag_events{") }
            }
            try await Self.publish(feed, 3)
            let seen = try await feed.end()
            _ = try await feed.read(after: seen, committed: seen)
            try await Self.publish(feed, 5)
            let series = #"trackme_feed_lag_events{feed="\#(TestFeed.name)",consumer="query"}"#
            #expect(try await lag() ?? "" == "\(series) 5")
            let end = try await feed.end()
            _ = try await feed.read(after: end, committed: end)
            #expect(try await lag() ?? "" == "\(series) 0")
        }
    }

    @Test("The lag counts this feed's events only, whatever the positions; a consumer that never came has one, too")
    func trueLag() async throws {
        try await TestFeed.with(durable: ["query", "dispatcher"]) { feed in
            var rings = feed.producer.rings()
            func lags() async throws -> [Substring] {
                try await feed.producer.maintain(&rings)
                let text = String(decoding: await feed.incidents.metrics.text(), as: UTF8.self)
                return text.split(separator: "\n").filter { $0.hasPrefix("trackme_feed_lag_") }
            }
            try await Self.publish(feed, 2)
            let seen = try await feed.end()
            _ = try await feed.read(after: seen, committed: seen)
            // Each connection's positions begin anew, far ahead.
            for _ in 0..<3 {
                let other = feed.test.another()
                let producer = TestFeed.producer(on: other, incidents: feed.incidents)
                try await producer.execute([], publishing: [try TestFeed.event()])
                await other.close()
            }
            try await feed.database.execute("update feed_changes_0 set recorded_at = recorded_at - interval '1 hour'")
            let text = try await lags()
            func series(_ consumer: String) -> String { #"{feed="\#(TestFeed.name)",consumer="\#(consumer)"}"# }
            #expect(text.contains { $0 == "trackme_feed_lag_events\(series("query")) 3" })
            #expect(text.contains { $0 == "trackme_feed_lag_events\(series("dispatcher")) 5" })
            #expect(text.contains { $0.hasPrefix("trackme_feed_lag_seconds\(series("dispatcher")) 36") })
        }
    }

    @Test("A consumer that never comes is passed over at the cap by size; the others go on, and trimming with them")
    func capBySize() async throws {
        let cap = 1 << 20
        let retention = FeedRetention(consumers: ["query", "dispatcher"], bytesMax: cap)
        try await TestFeed.with(
            durable: ["query", "dispatcher"], retention: retention, settings: Self.small
        ) { feed in
            var rings = feed.producer.rings()
            let start = try await feed.end()
            var cursor = start
            var largest = 0
            for _ in 0..<40 {
                try await Self.publish(feed, 500)
                let answer = try await feed.read(after: cursor, committed: cursor)
                cursor = answer.cursor
                #expect(answer.events.count == 500)
                try await feed.producer.maintain(&rings)
                let size = try await feed.database.queryOne(
                    "select sum(pg_total_relation_size('feed_changes_' || n))::int8 from generate_series(0, 3) n",
                    as: Int64.self)
                largest = max(largest, Int(try #require(size)))
            }
            // A round adds to it, and empty tables have their first pages.
            #expect(largest < cap + 400_000)
            #expect(feed.incidents.count { $0.isPassedOver } >= 1)
            // Once it has lost something it is not waited for any more.
            let before = feed.incidents.count { $0.isPassedOver }
            _ = try await feed.read(after: cursor, committed: cursor)
            for _ in 0..<6 {
                try await Self.publish(feed)
                cursor = try await feed.read(after: cursor, committed: cursor).cursor
                _ = try await feed.read(after: cursor, committed: cursor)
                try await feed.producer.maintain(&rings)
            }
            #expect(feed.incidents.count { $0.isPassedOver } == before)
            #expect(try await Self.stored(feed) < 100)
            // When it comes, it needs a snapshot; from there on it is waited for again.
            let gone = await #expect(throws: RPCError.self) { try await feed.read(after: start, as: "dispatcher") }
            #expect(gone?.domain == "feed.gone")
            let late = try await feed.end(as: "dispatcher")
            for _ in 0..<6 {
                try await Self.publish(feed)
                cursor = try await feed.read(after: cursor, committed: cursor).cursor
                _ = try await feed.read(after: cursor, committed: cursor)
                try await feed.producer.maintain(&rings)
            }
            #expect(try await feed.read(after: late, as: "dispatcher").events.count == 6)
        }
    }

    @Test("A consumer that is away is passed over at the cap by age")
    func capByAge() async throws {
        try await TestFeed.with(retention: FeedRetention(ageMaxSeconds: 3600), settings: Self.small) { feed in
            var rings = feed.producer.rings()
            try await Self.publish(feed)
            for _ in 0..<3 { try await feed.producer.maintain(&rings) }
            #expect(try await Self.stored(feed) == 1)
            try await feed.database.execute("update feed_changes_0 set recorded_at = now() - interval '61 minutes'")
            try await feed.producer.maintain(&rings)
            #expect(try await Self.stored(feed) == 0)
            #expect(feed.incidents.count { $0.isPassedOver } == 1)
        }
    }

    @Test("A consumer that the configuration no longer names is not waited for; one that may not follow is said")
    func configured() async throws {
        try await TestFeed.with(durable: ["query", "dispatcher"], settings: Self.small) { feed in
            try await Self.publish(feed)
            var all = feed.producer.rings()
            for _ in 0..<3 { try await feed.producer.maintain(&all) }
            #expect(try await Self.stored(feed) == 1)
            // The same tables, by a replica with another configuration.
            let replica = TestFeed.producer(
                on: feed.database, durable: ["query", "dispatcher"],
                retention: FeedRetention(consumers: ["query", "nobody"]), settings: Self.small,
                incidents: feed.incidents)
            var rings = replica.rings()
            #expect(feed.incidents.count { $0.message.contains("may not follow") } == 1)
            let start = try await feed.end()
            try await Self.publish(feed)
            let answer = try await feed.read(after: start, committed: start)
            _ = try await feed.read(after: answer.cursor, committed: answer.cursor)
            try await feed.producer.acknowledgements.write(to: feed.database)
            for _ in 0..<4 { try await replica.maintain(&rings) }
            #expect(try await Self.stored(feed) < 2)
        }
    }

    @Test("A reader that is only a moment behind is not sent into a snapshot by an ordinary trim")
    func grace() async throws {
        var settings = Self.small
        settings.trimGrace = .seconds(60)
        try await TestFeed.with(durable: [], settings: settings) { feed in
            var rings = feed.producer.rings()
            let start = try await feed.end(as: "track4run")
            for _ in 0..<3 {
                try await Self.publish(feed)
                for _ in 0..<2 { try await feed.producer.maintain(&rings) }
            }
            #expect(try await feed.read(after: start, as: "track4run").events.count == 3)
            for segment in 0..<4 {
                try await feed.database.execute(
                    "update feed_changes_\(raw: "\(segment)") set recorded_at = now() - interval '2 minutes'")
            }
            for _ in 0..<3 { try await feed.producer.maintain(&rings) }
            let gone = await #expect(throws: RPCError.self) { try await feed.read(after: start, as: "track4run") }
            #expect(gone?.domain == "feed.gone")
        }
    }

    @Test("A segment that an open transaction has written to is left alone; the others are emptied meanwhile")
    func openTransaction() async throws {
        try await TestFeed.with(durable: [], settings: Self.small) { feed in
            var rings = feed.producer.rings()
            let (release, opened) = (EventCounter(), EventCounter())
            let holder = feed.loop.throwingTask {
                try await feed.database.transaction { transaction in
                    try await transaction.execute(
                        """
                        insert into feed_changes_0 (lane, position, event)
                        values (63, 1, \(PackedEvent.pack(try TestFeed.event(kind: "late"))))
                        """)
                    opened.raise()
                    _ = await release.wait(after: 0)
                }
            }
            _ = await opened.wait(after: 0)
            var cursor = try await feed.end(as: "track4run")
            for _ in 0..<12 {
                try await Self.publish(feed)
                let answer = try await feed.read(after: cursor, as: "track4run")
                #expect(answer.events.count == 1)
                cursor = answer.cursor
                try await feed.producer.maintain(&rings)
            }
            // Segment 0 has one event and the open transaction's; what went through the others is trimmed.
            #expect(try await feed.database.queryOne("select count(*) from feed_changes_0", as: Int.self) == 1)
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
            try await beside([consumer.run]) {
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
                        var rings = feed.producer.rings()
                        for _ in 0..<60 { try await feed.producer.maintain(&rings) }
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
