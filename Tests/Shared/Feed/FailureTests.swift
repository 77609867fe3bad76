@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Testing

/// What becomes of events that cannot be applied.
@Suite struct FailureTests {
    /// Notes every event, as `effect` has it.
    private struct Handler: FeedHandler {
        var effect: @Sendable (FeedRecord) throws -> SQL

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect { .statements(try records.map(effect)) }
        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }

        static func insert(_ record: FeedRecord) -> SQL { "insert into applied (entity) values (\(record.entity))" }
    }

    private static func count(_ feed: TestFeed, _ table: String) async throws -> Int? {
        try await feed.database.queryOne("select count(*) from \(identifier: table)", as: Int.self)
    }

    @Test("A neighbour that fails, in whatever way, parks nothing: it is asked again until it answers")
    func neighbour() async throws {
        try await TestFeed.with { feed in
            let codes: [RPCError.Code] = [.internal, .deadline, .gone, .notAllowed, .methodNotFound, .unavailable]
            let left = Countdown(codes.count)
            let handler = Handler { record in
                let index = left.take()
                if index >= 0 { throw RPCError(codes[index]) }
                return Handler.insert(record)
            }
            try await beside([feed.consumer(handler: handler) { $0.attemptsMax = 1 }.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: try (0..<3).map { _ in try TestFeed.event() })
                try await feed.until("select count(*) = 3 from applied")
            }
            #expect(feed.incidents.count { $0.isInterrupted } == codes.count)
            #expect(feed.incidents.count { $0.isParked || $0.isApplyFailed || $0.isGone } == 0)
        }
    }

    @Test("A batch that keeps running out of time is divided down to the event that does it; the others are applied")
    func timeOut() async throws {
        try await TestFeed.with { feed in
            let bad = try TestFeed.event()
            let database = feed.test.another { $0.statementTime = .milliseconds(200) }
            let handler = Handler { $0.entity == bad.entity ? "select pg_sleep(60)" : Handler.insert($0) }
            let consumer = feed.consumer(handler: handler, into: database) { $0.attemptsMax = 2 }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let good = try (0..<6).map { _ in try TestFeed.event() }
                try await feed.producer.execute([], publishing: good[..<2] + [bad] + good[2...])
                try await feed.until("select count(*) = 6 from applied")
                try await feed.incidents.wait { $0.isParked }
            }
            #expect(try await feed.database.query("select entity from feed_parked", as: UUID.self) == [bad.entity])
            await database.close()
        }
    }

    @Test("While nothing can be applied nothing is parked; once the fault is mended everything is applied")
    func systematic() async throws {
        try await TestFeed.with { feed in
            try await feed.database.execute("alter table applied rename to elsewhere")
            try await beside([feed.consumer { $0.attemptsMax = 1 }.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: try (0..<30).map { _ in try TestFeed.event() })
                try await feed.incidents.wait(3) { $0.isInterrupted }
                #expect(try await Self.count(feed, "feed_parked") == 0)
                try await feed.database.execute("alter table elsewhere rename to applied")
                try await feed.until("select count(*) = 30 from applied")
            }
            #expect(feed.incidents.count { $0.isParked } == 0)
        }
    }

    @Test("An event that fails with nothing beside it waits for another one that does not")
    func alone() async throws {
        try await TestFeed.with { feed in
            let bad = try TestFeed.event()
            try await feed.database.execute(
                "alter table applied add constraint not_this check (entity <> '\(raw: bad.entity.description)')")
            try await beside([feed.consumer { $0.attemptsMax = 1 }.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [bad])
                try await feed.incidents.wait(2) { $0.isInterrupted }
                #expect(try await Self.count(feed, "feed_parked") == 0)
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                try await feed.until("select count(*) = 1 from applied")
            }
            #expect(try await feed.database.query("select entity from feed_parked", as: UUID.self) == [bad.entity])
        }
    }

    @Test(
        "NFR-03: parked events are tried again while the consumer runs, after longer and longer pauses, whatever clocks do"
    )
    func parkedLater() async throws {
        try await TestFeed.with { feed in
            let bad = try TestFeed.event()
            try await feed.database.execute(
                "alter table applied add constraint not_this check (entity <> '\(raw: bad.entity.description)')")
            let consumer = feed.consumer {
                $0.attemptsMax = 1
                $0.wait = .milliseconds(10)
                $0.parkedInterval = .milliseconds(10)
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [bad, try TestFeed.event()])
                try await feed.incidents.wait { $0.isParked }
                // Not before its time.
                #expect(
                    try await feed.database.queryOne(
                        "select attempts = 0 and next_at > now() + interval '50 seconds' from feed_parked",
                        as: Bool.self)
                        == true)
                try await feed.database.execute("update feed_parked set next_at = now()")
                try await feed.until("select attempts = 1 and next_at > now() + interval '50 seconds' from feed_parked")
                try await feed.database.execute("alter table applied drop constraint not_this")
                // As if the database's clock had been set back by an hour since.
                try await feed.database.execute("update feed_parked set next_at = next_at + interval '1 hour'")
                try await feed.incidents.wait { $0.isUnparked }
            }
            #expect(try await Self.count(feed, "applied") == 2)
            #expect(try await Self.count(feed, "feed_parked") == 0)
        }
    }

    @Test(
        "NFR-03: a method whose database is away is unavailable to its callers, one that is wrong is an internal error")
    func database() async throws {
        #expect(PostgresError.connection(detail: "refused").rpcError?.code == .unavailable)
        #expect(PostgresError.overloaded.rpcError?.code == .overloaded)
        #expect(PostgresError.usage("wrong").rpcError == nil)
        try await TestFeed.with { feed in
            await #expect {
                try await feed.database.transaction { transaction in
                    try await transaction.execute("select pg_terminate_backend(pg_backend_pid())")
                }
            } throws: {
                ($0 as? any RPCErrorConvertible)?.rpcError?.code == .unavailable
            }
        }
    }

    @Test("A producer that stays away is said eight times, and then once a minute")
    func repeated() async throws {
        try await TestFeed.with { feed in
            let left = Countdown(40)
            let caller = SnapshotTests.UnreliableCaller(caller: feed.caller()) { _ in left.take() >= 0 }
            try await beside([feed.consumer(from: caller).run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
            }
            #expect((8...9).contains(feed.incidents.count { $0.isInterrupted }))
        }
    }

    @Test("A feed that carries alarms is tried again every 200 ms at the latest")
    func alarms() async throws {
        var settings = FeedConsumerSettings()
        #expect(settings.pauses.delay(afterFailures: 20, random: 1) == .seconds(5))
        settings.carriesAlarms = true
        #expect(settings.pauses.delay(afterFailures: 20, random: 1) == .milliseconds(200))
    }
}
