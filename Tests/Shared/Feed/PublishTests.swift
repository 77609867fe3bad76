@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Testing

@Suite struct PublishTests {
    @Test("32 writers, some of whom roll back or take their time: everything committed comes once and in order")
    func writers() async throws {
        try await TestFeed.with(connections: 36) { feed in
            let start = try await feed.end()
            let (release, slow) = (EventCounter(), try TestFeed.event())
            let holder = feed.loop.throwingTask {
                try await feed.database.transaction { transaction in
                    try await feed.producer.publish([slow], in: transaction)
                    try await transaction.execute("insert into sent values (\(slow.entity))")
                    _ = await release.wait(after: 0)
                }
            }
            let committed = try await withThrowingTaskGroup(of: [UUID].self) { group in
                for writer in 0..<32 {
                    group.addTask { try await write(20, number: writer, to: feed) }
                }
                return try await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
            }
            #expect(committed.count == 32 * 15)
            // The slow one is still open, with a position below others' in no lane but its own.
            var (seen, cursor) = try await follow(feed, from: start)
            #expect(Set(seen) == committed && seen.count == committed.count)
            release.raise()
            try await holder.value
            (seen, cursor) = try await follow(feed, from: cursor)
            #expect(seen == [slow.entity])
        }
    }

    /// Every fourth transaction is rolled back. Returns what was committed.
    private func write(_ count: Int, number: Int, to feed: TestFeed) async throws -> [UUID] {
        struct Undone: Error {}
        var committed: [UUID] = []
        for round in 0..<count {
            let event = try TestFeed.event(version: Int64(round))
            if round % 4 == 0 {
                await #expect(throws: TransactionError.self) {
                    try await feed.database.transaction { transaction in
                        try await feed.producer.publish([event], in: transaction)
                        try await transaction.execute("insert into sent values (\(event.entity))")
                        throw Undone()
                    }
                }
                continue
            }
            if round % 4 == 1 {
                try await feed.producer.execute(
                    ["insert into sent values (\(event.entity))"], publishing: [event])
            } else {
                try await feed.database.transaction { transaction in
                    try await transaction.execute("insert into sent values (\(event.entity))")
                    try await feed.producer.publish([event], in: transaction)
                }
            }
            committed.append(event.entity)
        }
        return committed
    }

    /// Reads to the end in small steps, and checks the order within lanes.
    private func follow(_ feed: TestFeed, from start: FeedCursor) async throws -> ([UUID], FeedCursor) {
        var (seen, cursor) = ([UUID](), start)
        while true {
            let answer = try await feed.read(after: cursor, limit: 37)
            guard !answer.events.isEmpty else { return (seen, cursor) }
            for record in answer.events {
                #expect(record.position > cursor[record.lane])
                cursor.advance(lane: record.lane, to: record.position)
                seen.append(record.entity)
            }
            #expect(cursor == answer.cursor)
        }
    }

    @Test("Connections without a lane of their own share one, in order; a lane outlives its connection")
    func sharedLane() async throws {
        var settings = FeedSettings()
        settings.lanesMax = 1
        try await TestFeed.with(connections: 6, settings: settings) { feed in
            let start = try await feed.end()
            // Its connection has the only lane, and is busy for as long as the others publish.
            try await feed.database.transaction { transaction in
                try await feed.producer.publish([try TestFeed.event()], in: transaction)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<5 {
                        group.addTask {
                            for _ in 0..<12 {
                                try await feed.producer.execute(
                                    [], publishing: [try TestFeed.event(), try TestFeed.event()])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let (seen, cursor) = try await follow(feed, from: start)
            #expect(Set(seen).count == 121 && seen.count == 121)
            #expect(cursor[0] > 0 && cursor[64] > 0 && cursor.positions.filter { $0 > 0 }.count == 2)
            // The lane's owner goes; whoever gets the lane next writes above it.
            try await feed.test.killConnections()
            try await feed.producer.execute([], publishing: [try TestFeed.event()])
            #expect(try await follow(feed, from: cursor).0.count == 1)
        }
    }

    @Test("A transaction with an old snapshot publishes above what was published after its snapshot was taken")
    func oldSnapshot() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            let other = feed.test.another { $0.connectionsPerLoopMax = 1 }
            let first = TestFeed.producer(on: other, incidents: feed.incidents)
            try await feed.database.transaction(isolation: .repeatableRead) { transaction in
                try await transaction.execute("select count(*) from feed_event")
                // Lane 0 is another connection's, which publishes and is gone.
                try await first.execute([], publishing: [try TestFeed.event()])
                await other.close()
                try await feed.until("select pg_try_advisory_lock(hashtext('feed lane ' || current_schema()), 0)")
                try await feed.test.killConnections(except: transaction)
                try await feed.producer.publish([try TestFeed.event()], in: transaction)
            }
            let (seen, cursor) = try await follow(feed, from: start)
            #expect(seen.count == 2 && cursor.positions.filter { $0 > 0 }.count == 1)
        }
    }

    @Test("An event for an unknown feed, or one that is too large, is refused before anything is written")
    func refusals() async throws {
        try await TestFeed.with { feed in
            let large = try FeedEvent(
                feed: TestFeed.name, entity: .random(), version: 1, kind: "x",
                encoding: String(repeating: "a", count: FeedEvent.payloadBytesMax))
            let unknown = try FeedEvent(feed: "no.such", entity: .random(), version: 1, kind: "x", encoding: 1)
            for event in [large, unknown] {
                await #expect(throws: PostgresError.self) {
                    try await feed.producer.execute(
                        ["insert into sent values (\(event.entity))"], publishing: [event])
                }
            }
            #expect(try await feed.database.queryOne("select count(*) from sent", as: Int.self) == 0)
        }
    }
}

extension TestDatabase {
    /// Ends the sessions of this test, and waits until they are gone.
    func killConnections(except transaction: Transaction? = nil) async throws {
        let own = try await transaction?.queryOne("select pg_backend_pid()", as: Int32.self)
        let killer = another {
            $0.applicationName = "\(schema)_killer"
            $0.connectionsPerLoopMax = 1
        }
        try await killer.execute(
            """
            select pg_terminate_backend(pid, 5000) from pg_stat_activity
            where application_name = \(schema) and pid <> coalesce(\(own), 0)
            """)
        await killer.close()
    }
}
