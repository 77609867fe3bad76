@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Testing

@Suite struct ConsumerTests {
    @Test("A crash between applying and committing leaves no trace: each event takes effect once")
    func crash() async throws {
        try await TestFeed.with { feed in
            let crashes = Countdown(3)
            let handler = TransactionHandler { transaction in
                if crashes.take() >= 0 {
                    try await transaction.execute("select pg_terminate_backend(pg_backend_pid())")
                }
            }
            try await beside([feed.consumer(handler: handler).run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                for _ in 0..<20 { try await feed.producer.execute([], publishing: [try TestFeed.event()]) }
                try await feed.until("select count(*) = 20 from applied")
            }
            #expect(crashes.isOver)
            #expect(feed.incidents.count { $0.isParked || $0.isApplyFailed } == 0)
        }
    }

    @Test("A commit of unknown outcome is settled by the stored cursor")
    func unknownOutcome() async throws {
        try await TestFeed.with { feed in
            // A deferred trigger runs within the COMMIT: it ends the session once, after all was sent.
            try await feed.database.execute("create sequence commits")
            try await feed.database.execute(
                """
                create function end_session() returns trigger language plpgsql as $$
                begin
                  if nextval('commits') <= 2 then perform pg_terminate_backend(pg_backend_pid()); end if;
                  return null;
                end $$
                """)
            try await feed.database.execute(
                """
                create constraint trigger ends after insert on applied deferrable initially deferred
                for each row execute function end_session()
                """)
            try await beside([feed.consumer().run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                for _ in 0..<10 { try await feed.producer.execute([], publishing: [try TestFeed.event()]) }
                try await feed.until("select count(*) = 10 from applied")
            }
            #expect(feed.incidents.count { $0.isParked } == 0)
        }
    }

    @Test("Two replicas of a consumer: each event takes effect once, and either goes on when the other ends")
    func twoReplicas() async throws {
        try await TestFeed.with(connections: 8) { feed in
            let (one, other) = (feed.consumer { $0.batchMax = 7 }, feed.consumer { $0.batchMax = 7 })
            let first = feed.loop.task { await one.run() }
            try await beside([other.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                for number in 0..<200 {
                    try await feed.producer.execute([], publishing: [try TestFeed.event()])
                    if number == 100 { first.cancel() }
                }
                try await feed.until("select count(*) = 200 from applied")
            }
            await first.value
            #expect(feed.incidents.count { $0.isParked || $0.isApplyFailed } == 0)
        }
    }

    @Test("Connections are killed in the middle of work, ten times: of 1000 events none is lost and none doubled")
    func kills() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            let remaining = Countdown(1000)
            try await beside([feed.consumer().run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while true {
                                let number = remaining.take()
                                guard number >= 0 else { return }
                                try await Self.sendOnce(feed)
                                if number % 100 == 50 { try await feed.test.killConnections() }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await feed.until("select count(*) >= 1000 from applied")
            }
            let difference = try await feed.database.queryOne(
                "select count(*) from sent full join applied using (entity) where sent is null or applied is null",
                as: Int.self)
            #expect(difference == 0)
            #expect(try await feed.database.queryOne("select count(*) from sent", as: Int.self) == 1000)
            #expect(feed.incidents.count { $0.isParked } == 0)
        }
    }

    /// Publishes one event with a row beside it, again and again until it is known to be there.
    private static func sendOnce(_ feed: TestFeed) async throws {
        let event = try TestFeed.event()
        for _ in 0..<100 {
            do {
                if try await feed.database.queryOne(
                    "select count(*) from sent where entity = \(event.entity)", as: Int.self) == 1
                {
                    return
                }
                try await feed.producer.execute(["insert into sent values (\(event.entity))"], publishing: [event])
                return
            } catch let error as PostgresError {
                switch error {
                case .connection, .outcomeUnknown: continue
                case .server(let failure) where failure.sqlState == .adminShutdown: continue
                // It was there after all: the session died after the commit.
                case .server(let failure) where failure.sqlState == .uniqueViolation: return
                default: throw error
                }
            }
        }
        throw TestFeed.TimedOut()
    }

    @Test("An event that fails again and again is parked and reported; the others go on")
    func parked() async throws {
        try await TestFeed.with { feed in
            let bad = try TestFeed.event()
            try await feed.database.execute(
                "alter table applied add constraint not_this check (entity <> '\(raw: bad.entity.description)')")
            try await beside([feed.consumer { $0.attemptsMax = 3 }.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let good = try (0..<5).map { _ in try TestFeed.event() }
                try await feed.producer.execute([], publishing: good[..<3] + [bad] + good[3...])
                try await feed.incidents.wait { $0.isParked }
                try await feed.until("select count(*) = 5 from applied")
            }
            // Once in the batch, and but for the last time alone.
            #expect(feed.incidents.count { $0.isApplyFailed } == 3)
            let parked = try await feed.database.query(
                "select entity, error from feed_parked", as: UUID.self, String.self)
            #expect(parked.map(\.0) == [bad.entity])
            #expect(parked.first?.1.contains("not_this") == true)
        }
    }

    @Test("NFR-05d: a parked payload is sealed, what is said of its error shows no row, and the next start applies it")
    func parkedAgain() async throws {
        try await TestFeed.with { feed in
            let bad = try TestFeed.event(version: 7_654_321)
            try await feed.database.execute(
                "alter table applied add constraint not_this check (entity <> '\(raw: bad.entity.description)')")
            let consumer = feed.consumer {
                $0.attemptsMax = 1
                $0.parkedPayloads = .init(
                    seal: { payload, entity in entity.bytes + payload.reversed() },
                    open: { sealed, entity in
                        guard sealed.starts(with: entity.bytes) else { throw PostgresError.usage("not sealed for it") }
                        return sealed.dropFirst(16).reversed()
                    })
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [bad, try TestFeed.event()])
                try await feed.incidents.wait { $0.isParked }
            }
            let parked = try #require(
                try await feed.database.queryOne(
                    "select payload, error from feed_parked", as: [UInt8].self, String.self))
            #expect(!String(decoding: parked.0, as: UTF8.self).contains("7654321"))
            #expect(parked.1 == "database error 23514 (not_this)")

            // Beside it, one that can no longer be opened: it stays, and holds up nothing.
            try await feed.database.execute(
                """
                insert into feed_parked (feed, epoch, lane, position, entity, version, kind, payload, recorded_at, age_ms,
                  error, next_at)
                select feed, epoch, lane, 1, gen_random_uuid(), 1, kind, '\\x00', recorded_at, age_ms, '', next_at
                from feed_parked
                """)
            // Still failing, it stays; mended, it is applied once.
            try await beside([consumer.run]) { try await feed.incidents.wait(3) { $0.isApplyFailed } }
            try await feed.database.execute("alter table applied drop constraint not_this")
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isUnparked }
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                try await feed.until("select count(*) = 3 from applied")
            }
            #expect(try await feed.database.query("select position from feed_parked", as: Int64.self) == [1])
        }
    }

    @Test("Events that can no longer be read are passed over, and the cursor with them")
    func passedOver() async throws {
        let unreadable = 300
        try await TestFeed.with(reveal: { $0.filter { $0.kind != "lost" } }) { feed in
            try await beside([feed.consumer { $0.batchMax = 50 }.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                for _ in 0..<unreadable / 100 {
                    try await feed.producer.execute(
                        [], publishing: try (0..<100).map { _ in try TestFeed.event(kind: "lost") })
                }
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                try await feed.until("select count(*) = 1 from applied")
            }
            #expect(feed.incidents.count { $0.isInterrupted || $0.isApplyFailed } == 0)
        }
    }

    @Test("An effect that cannot succeed for the time being is tried after longer and longer pauses")
    func backOff() async throws {
        struct Away: FeedHandler {
            func apply(_ records: [FeedRecord]) async throws -> FeedEffect { throw RPCError(.unavailable, "away") }
            func beginSnapshot() async throws -> FeedEffect { .none }
            func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
            func endSnapshot() async throws -> FeedEffect { .none }
        }
        try await TestFeed.with { feed in
            let consumer = feed.consumer(handler: Away()) {
                $0.backOff = BackOff(base: .milliseconds(10), max: .seconds(1))
            }
            try await beside([consumer.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                let began = Deadline.now()
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                try await feed.incidents.wait(6) { $0.isInterrupted }
                // Five pauses of at least half of 10, 20, 40, 80 and 160 ms.
                #expect(Deadline.now().since(began) >= .milliseconds(155))
            }
        }
    }

    @Test("An effect is cancelled together with its consumer, and the cursor stays")
    func cancellation() async throws {
        try await TestFeed.with { feed in
            let (entered, release) = (EventCounter(), EventCounter())
            let handler = TransactionHandler { _ in
                entered.raise()
                _ = await release.wait(after: 0)
                try Task.checkCancellation()
            }
            try await beside([feed.consumer(handler: handler).run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [try TestFeed.event()])
                _ = await entered.wait(after: 0)
            }
            #expect(try await feed.database.queryOne("select count(*) from applied", as: Int.self) == 0)
            try await beside([feed.consumer().run]) {
                try await feed.until("select count(*) = 1 from applied")
            }
        }
    }
}
