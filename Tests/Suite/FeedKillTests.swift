import Feed
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import Testing

extension BadDays {
    @Suite struct FeedKillTests {
        private static let feed = "accounts.changes"
        private static let eventCount = 1000
        private static let killCount = 10

        @Test(
            "NFR-03 NFR-04a: PostgreSQL killed ten times under 8 writers: the acknowledged arrives, and nothing twice",
            .timeLimit(.minutes(5)))
        func tenKills() async throws {
            try await EventLoopGroup.withLoops(1) { loops in
                try await PrivateCluster.with(loops) { source in
                    try await PrivateCluster.with(loops) { target in
                        try await source.start()
                        try await target.start()
                        let (producing, consuming) = (source.database { $0.queryTime = .seconds(5) }, target.database())
                        try await run(source, target, producing, consuming)
                        await producing.close()
                        await consuming.close()
                    }
                }
            }
        }

        private func run(
            _ source: PrivateCluster, _ target: PrivateCluster, _ producing: Database, _ consuming: Database
        ) async throws {
            try await Migrations(
                schema: "public",
                [
                    FeedSchema.producer(1, feeds: [Self.feed]),
                    Migration(2, "sent", Array("create table sent (entity uuid primary key)".utf8)),
                ]
            ).run(on: producing)
            try await Migrations(
                schema: "public",
                [
                    FeedSchema.consumer(1),
                    // Without a key, so that nothing but the cursor keeps an event from being applied twice.
                    Migration(2, "applied", Array("create table applied (entity uuid not null)".utf8)),
                ]
            ).run(on: consuming)
            let notes = FeedNotes()
            let producer = FeedProducer(
                database: producing, feeds: [FeedDefinition(name: Self.feed, durable: ["query"])],
                observer: notes.observer)
            var router = RPCRouter()
            producer.register(in: &router)
            var settings = FeedConsumerSettings()
            settings.backOff = BackOff(base: .milliseconds(5), max: .milliseconds(100))
            let consumer = FeedConsumer(
                feed: Self.feed, from: LocalCaller(router: router, as: "query"), into: consuming,
                handler: AppliedEvents(),
                settings: settings, observer: notes.observer)
            let ledger = Ledger<UUID>()
            try await beside([producer.run, consumer.run]) {
                try await eventually("the consumer follows") { notes.snapshots > 0 }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { try await write(ledger, through: producer) } }
                    for kill in 1...Self.killCount {
                        try await ledger.reached(kill * Self.eventCount / (Self.killCount + 1))
                        if kill % 3 == 0 { try await target.killAndStart() }
                        try await source.killAndStart()
                    }
                    try await group.waitForAll()
                }
                let sent = Set(try await producing.query("select entity from sent", as: UUID.self))
                try await eventually("all that was sent is applied") {
                    try await consuming.queryOne("select count(distinct entity) from applied", as: Int.self) ?? 0
                        >= sent.count
                }
                let last = try await publishLast(through: producer, to: consuming)
                check(
                    ledger.books, sent: sent,
                    applied: try await consuming.query(
                        "select entity from applied where entity <> \(last)", as: UUID.self))
            }
            #expect(notes.blamed == 0 && notes.gone == 0 && notes.snapshots == 1)
        }

        /// One event more, and waits until it is applied: what comes twice has come by then. Returns its entity.
        private func publishLast(through producer: FeedProducer, to consuming: Database) async throws -> UUID {
            let last = UUID.random()
            let event = try FeedEvent(feed: Self.feed, entity: last, version: 1, kind: "account", encoding: 1)
            try await producer.execute([], publishing: [event])
            try await eventually("the last event is applied") {
                try await consuming.queryOne(
                    "select exists (select from applied where entity = \(last))", as: Bool.self)
                    == true
            }
            return last
        }

        private func check(_ books: Ledger<UUID>.Books, sent: Set<UUID>, applied: [UUID]) {
            #expect(books.acknowledged.count >= Self.eventCount)
            #expect(Set(applied).count == applied.count, "doubled")
            #expect(Set(applied) == sent, "lost, or made up")
            #expect(books.acknowledged.isSubset(of: sent), "acknowledged and lost")
            #expect(books.refused.isDisjoint(with: sent), "called failed, and yet took effect")
            #expect(sent.isSubset(of: books.acknowledged.union(books.unknown)))
        }

        /// Writes until enough is acknowledged. What failed is not tried again: each event is told one outcome.
        private func write(_ ledger: Ledger<UUID>, through producer: FeedProducer) async throws {
            while ledger.count < Self.eventCount {
                try Task.checkCancellation()
                let entity = UUID.random()
                let event = try FeedEvent(feed: Self.feed, entity: entity, version: 1, kind: "account", encoding: 1)
                do {
                    try await producer.execute(["insert into sent values (\(entity))"], publishing: [event])
                    ledger.change { $0.acknowledged.insert(entity) }
                } catch PostgresError.outcomeUnknown {
                    ledger.change { $0.unknown.insert(entity) }
                } catch {
                    ledger.change { $0.refused.insert(entity) }
                }
            }
        }
    }
}
