@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import Reactor
import ReactorTesting
import Synchronization
import Testing

/// Handlers that keep in memory what they apply.
@Suite struct SavingTests {
    /// Keeps entities, and saves them; may be told to fail.
    private final class Keeper: FeedHandler {
        struct State {
            var kept: [UUID] = []
            var unsaved: [UUID] = []
            var saves = 0
            var fails = false
            /// Another replica takes the parts over in the middle of the next transaction.
            var isOvertaken = false
            var transactions = 0
        }

        let database: Database
        /// Has its own effect in a transaction.
        let aside: UUID?
        let state = Mutex(State())

        init(_ database: Database, aside: UUID? = nil) {
            (self.database, self.aside) = (database, aside)
        }

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
            let entities = records.map(\.entity)
            state.withLock { state in
                state.kept += entities
                state.unsaved += entities.filter { $0 != aside }
            }
            guard let aside, entities.contains(aside) else { return .kept }
            return .keptBut { transaction in
                let isOvertaken = self.state.withLock { state in
                    defer { state.isOvertaken = false }
                    state.transactions += 1
                    return state.isOvertaken
                }
                try await transaction.batch([Self.insert([aside])])
                if isOvertaken { try await self.database.execute("update feed_cursor set fence = fence + 1") }
            }
        }

        func save(ofShard shard: Int) async throws {
            let (entities, fails) = state.withLock { state in
                state.saves += 1
                return (state.unsaved, state.fails)
            }
            if fails { throw PostgresError.usage("not now") }
            try await database.batch([Self.insert(entities)])
            state.withLock { $0.unsaved.removeAll(where: entities.contains) }
        }

        private static func insert(_ entities: [UUID]) -> SQL {
            "insert into applied (entity) select distinct e from unnest(\(entities)) e on conflict do nothing"
        }

        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }
    }

    private static func publish(_ feed: TestFeed, _ count: Int) async throws -> [UUID] {
        let events = try (0..<count).map { _ in try TestFeed.event() }
        for event in events { try await feed.producer.execute([], publishing: [event]) }
        return events.map(\.entity)
    }

    private func wait(until holds: () async throws -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while try await !holds() {
            guard !deadline.hasPassed else { throw TestFeed.TimedOut() }
            try await EventLoop.current?.sleep(for: .milliseconds(10))
        }
    }

    @Test(
        "NFR-03: what a handler keeps is saved after the interval, and the cursor follows",
        arguments: [nil, 4] as [Int?])
    func saved(_ parts: Int?) async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let handler = Keeper(feed.database)
            let consumer = feed.consumer(handler: handler) {
                $0.saveInterval = .milliseconds(50)
                $0.wait = .milliseconds(200)
                $0.parts = parts
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                _ = try await Self.publish(feed, 20)
                try await feed.until("select count(*) = 20 from applied")
                try await wait { try await consumer.progress().age.map { $0 < .seconds(2) } ?? false }
            }
            // Nothing comes again.
            let again = Keeper(feed.database)
            let next = feed.consumer(handler: again) {
                $0.wait = .milliseconds(200)
                $0.parts = parts
            }
            try await beside([next.run]) {
                let late = try await Self.publish(feed, 1)
                try await wait { again.state.withLock { !$0.kept.isEmpty } }
                #expect(again.state.withLock { $0.kept } == late)
            }
        }
    }

    @Test(
        "NFR-03b: what was kept and not saved comes again to whoever goes on, and a transaction beside it was committed at once"
    )
    func crash() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let aside = try TestFeed.event()
            let handler = Keeper(feed.database, aside: aside.entity)
            handler.state.withLock { $0.fails = true }
            let consumer = feed.consumer(handler: handler) {
                $0.saveInterval = .seconds(60)
                $0.wait = .milliseconds(200)
            }
            var published: [UUID] = []
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                published = try await Self.publish(feed, 5)
                try await feed.producer.execute([], publishing: [aside])
                published.append(aside.entity)
                published += try await Self.publish(feed, 5)
                try await wait { handler.state.withLock { $0.kept.count == 11 } }
                #expect(try await feed.database.query("select entity from applied", as: UUID.self) == [aside.entity])
            }
            // It was asked to save when it ended, and did not.
            #expect(handler.state.withLock { $0.saves } > 0)
            let again = Keeper(feed.database, aside: aside.entity)
            let next = feed.consumer(handler: again) {
                $0.saveInterval = .milliseconds(50)
                $0.wait = .milliseconds(200)
            }
            try await beside([next.run]) {
                try await feed.until("select count(*) = 11 from applied")
                #expect(again.state.withLock { $0.kept } == published)
            }
        }
    }

    @Test(
        "NFR-03: who has lost its parts commits nothing more, also of what moves no cursor",
        arguments: [nil, 4] as [Int?])
    func overtaken(_ parts: Int?) async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let aside = try TestFeed.event()
            let handler = Keeper(feed.database, aside: aside.entity)
            handler.state.withLock { $0.isOvertaken = true }
            let consumer = feed.consumer(handler: handler) {
                $0.saveInterval = .milliseconds(50)
                $0.wait = .milliseconds(200)
                $0.parts = parts
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [aside])
                try await feed.until("select count(*) = 1 from applied")
                // The first time it was rolled back.
                #expect(handler.state.withLock { $0.transactions } == 2)
            }
        }
    }

    @Test("NFR-03b: a handler that cannot save gets everything again from what is stored, until it can")
    func failing() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let handler = Keeper(feed.database)
            handler.state.withLock { $0.fails = true }
            let consumer = feed.consumer(handler: handler) {
                $0.saveInterval = .milliseconds(20)
                $0.wait = .milliseconds(100)
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let published = try await Self.publish(feed, 3)
                try await wait { handler.state.withLock { $0.saves > 2 && $0.kept.count > 3 } }
                #expect(try await feed.database.queryOne("select count(*) from applied", as: Int.self) == 0)
                handler.state.withLock { $0.fails = false }
                try await feed.until("select count(*) = 3 from applied")
                #expect(Set(handler.state.withLock { $0.kept }) == Set(published))
            }
        }
    }

    @Test("NFR-03: who ends saves what is kept, so that whoever comes has nothing to read again")
    func ending() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let handler = Keeper(feed.database)
            let consumer = feed.consumer(handler: handler) {
                $0.saveInterval = .seconds(60)
                $0.wait = .milliseconds(200)
                $0.parts = 4
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                _ = try await Self.publish(feed, 5)
                try await wait { handler.state.withLock { $0.kept.count == 5 } }
            }
            #expect(try await feed.database.queryOne("select count(*) from applied", as: Int.self) == 5)
        }
    }
}
