@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Testing

@Suite struct ProgressTests {
    private static func clock(_ feed: TestFeed) async throws -> Timestamp {
        try #require(try await feed.database.queryOne("select clock_timestamp()", as: Timestamp.self))
    }

    /// Waits for the progress that `matches`, and looks again after a moment.
    private static func wait(
        _ feed: TestFeed, _ consumer: FeedConsumer, _ location: SourceLocation = #_sourceLocation,
        for matches: (FeedProgress) -> Bool
    ) async throws -> FeedProgress {
        let deadline = Deadline.after(.patience)
        while true {
            let progress = try await consumer.progress()
            if matches(progress) { return progress }
            guard !deadline.hasPassed else {
                Issue.record("progress stays at \(progress)", sourceLocation: location)
                throw TestFeed.TimedOut()
            }
            try await feed.loop.sleep(for: .milliseconds(10))
        }
    }

    /// Upkeep and polls in quick succession.
    private static var quick: FeedSettings {
        var settings = FeedSettings()
        settings.upkeepInterval = .milliseconds(20)
        return settings
    }

    private static func consumer(_ feed: TestFeed) -> FeedConsumer { feed.consumer { $0.wait = .milliseconds(50) } }

    @Test(
        "A consumer of a quiet feed knows up to when it has applied everything, and so do other replicas and a restart")
    func quiet() async throws {
        try await TestFeed.with(upkeep: true, settings: Self.quick) { feed in
            let (consumer, other) = (Self.consumer(feed), Self.consumer(feed))
            #expect(try await consumer.progress() == .unknown)
            let begun = try await Self.clock(feed)
            try await beside([consumer.run]) {
                let progress = try await Self.wait(feed, consumer) { $0.appliedUntil ?? begun > begun }
                let now = try await Self.clock(feed)
                #expect(try #require(progress.appliedUntil) < now)
                #expect(try #require(progress.age) < .seconds(10))
            }
            // Nobody follows any more: what was reached stays, and grows old.
            let stopped = try await other.progress()
            try await feed.loop.sleep(for: .milliseconds(30))
            let later = try await other.progress()
            #expect(stopped.appliedUntil != nil && later.appliedUntil == stopped.appliedUntil)
            #expect(try #require(later.age) >= (try #require(stopped.age)) + .milliseconds(25))
            // As if the database's clock had been set back by an hour: nobody takes it for fresh.
            try await feed.database.execute("update feed_cursor set settled_at = settled_at + interval '1 hour'")
            #expect(try await other.progress() == FeedProgress(appliedUntil: stopped.appliedUntil, age: nil))
        }
    }

    @Test("SOS-02: where one shard of a producer stands still, how far the furthest is stays known")
    func furthest() {
        let times = [10, 70].map { Timestamp(milliseconds: $0 * 1000) }
        let both = FeedProgress(least: times.map { FeedProgress(appliedUntil: $0, age: .seconds(1)) })
        #expect(both.appliedUntil == times[0] && both.furthestUntil == times[1])
        let one = FeedProgress(least: [.unknown, FeedProgress(appliedUntil: times[1], age: .zero)])
        #expect(one.appliedUntil == nil && one.age == nil && one.furthestUntil == times[1])
        #expect(one.furthestAge == .zero && FeedProgress.unknown.furthestAge == nil)
        #expect(FeedProgress(least: []).furthestUntil == nil)
    }

    @Test("Progress stays before the begin of a transaction that has yet to publish, whatever goes through other lanes")
    func longTransaction() async throws {
        try await TestFeed.with(connections: 8, upkeep: true, settings: Self.quick) { feed in
            let consumer = Self.consumer(feed)
            let (begun, release) = (EventCounter(), EventCounter())
            let event = try TestFeed.event()
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                // A lane of its own, and a second one in use meanwhile.
                let writer = feed.loop.throwingTask {
                    try await feed.database.transaction { transaction in
                        let time = try await transaction.queryOne("select now()", as: Timestamp.self)
                        begun.raise()
                        _ = await release.wait(after: 0)
                        try await feed.producer.publish([event], in: transaction)
                        return time
                    }
                }
                _ = await begun.wait(after: 0)
                let opened = try await Self.clock(feed)
                let openedAt = Deadline.now()
                // Others go on, beyond the second that a horizon keeps off.
                for _ in 0..<15 {
                    try await feed.producer.execute([], publishing: [try TestFeed.event()])
                    try await feed.loop.sleep(for: .milliseconds(100))
                }
                try await feed.until("select count(*) = 15 from applied")
                // Of a look so late that without the transaction its horizon would be past the begin.
                _ = try await Self.wait(feed, consumer) { progress in
                    progress.age.map { $0 < Deadline.now().since(openedAt) - .milliseconds(1100) } ?? false
                }
                let held = try await consumer.progress()
                release.raise()
                let recorded = try #require(try await writer.value)
                #expect(try #require(held.appliedUntil) <= recorded)
                let reached = try await Self.wait(feed, consumer) { $0.appliedUntil.map { $0 > opened } ?? false }
                #expect(try #require(reached.appliedUntil) > recorded)
                let applied = try await feed.database.queryOne(
                    "select exists (select from applied where entity = \(event.entity))", as: Bool.self)
                #expect(applied == true)
            }
        }
    }

    @Test(
        "A consumer that is behind is promised nothing beyond what it has applied, and nothing while it takes a snapshot"
    )
    func behind() async throws {
        try await TestFeed.with(settings: Self.quick) { feed in
            let start = try await feed.end()
            var rings = feed.producer.rings()
            #expect(try await feed.read(after: start).settled == nil)
            try await feed.producer.maintain(&rings)
            let empty = try #require(try await feed.read(after: start).settled)
            try await feed.producer.execute([], publishing: try (0..<5).map { _ in try TestFeed.event() })
            // The look that knows nothing of the events promises nothing about them.
            let early = try await feed.read(after: start, limit: 2)
            #expect(early.settled?.until == empty.until)
            try await feed.producer.maintain(&rings)
            let part = try await feed.read(after: start, limit: 2)
            #expect(part.settled?.until == empty.until)
            let rest = try await feed.read(after: part.cursor)
            #expect(rest.events.count == 3)
            #expect(try #require(rest.settled).until > empty.until)
            #expect(try #require(rest.settled).age < .seconds(10))

            try await beside([feed.consumer().run]) {
                try await feed.until("select settled_until is not null from feed_cursor")
            }
            try await feed.database.execute("update feed_cursor set epoch = 'other'")
            let away = feed.consumer(
                from: SnapshotTests.UnreliableCaller(caller: feed.caller()) {
                    ($0 as? FeedSnapshot.Params)?.page != nil
                })
            feed.entities.set(try (0..<3).map { _ in try Entities.entity(.random()) })
            try await beside([away.run]) { try await feed.until("select is_snapshot from feed_cursor") }
            #expect(try await away.progress() == .unknown)
        }
    }

    @Test("A record's age is measured by the producer's database, and grows while the record waits in the consumer")
    func age() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            try await feed.producer.execute([], publishing: [try TestFeed.event(), try TestFeed.event()])
            // The database's clock and this machine's do not meet: one event is an hour old, the other of the future.
            for (index, shift) in ["- interval '1 hour'", "+ interval '1 hour'"].enumerated() {
                try await feed.database.execute(
                    """
                    update feed_changes_0 set recorded_at = recorded_at \(raw: shift)
                    where position = (select min(position) + \(index) from feed_changes_0)
                    """)
            }
            let events = try await feed.read(after: start).events
            let (old, new) = (try #require(events.first), try #require(events.last))
            #expect(old.age >= .seconds(3600) && old.age < .seconds(3660))
            #expect(new.age >= .zero && new.age < .seconds(60))
            let before = old.age
            try await feed.loop.sleep(for: .milliseconds(20))
            #expect(old.age >= before + .milliseconds(20))
            // Another payload does not make it younger.
            #expect(old.with(payload: new.payload).age >= before + .milliseconds(20))
        }
    }
}
