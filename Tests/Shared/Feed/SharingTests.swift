@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Synchronization
import Testing

/// A feed that the replicas of a consumer share in parts.
@Suite struct SharingTests {
    private static let count = 8

    /// Notes who has applied what; a second time violates the key.
    private struct Handler: FeedHandler {
        let name: String

        init(_ name: String) { self.name = name }

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
            .statements(records.map { "insert into work (entity, replica) values (\($0.entity), \(name))" })
        }
        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }
        func endSnapshot(of parts: FeedParts) async throws -> FeedEffect {
            .statements(parts.numbers.map { "insert into lost (part, replica) values (\(Int32($0)), \(name))" })
        }
    }

    private static func consumer(
        _ feed: TestFeed, _ name: String, from caller: (any RPCCaller)? = nil
    ) -> FeedConsumer {
        feed.consumer(handler: Handler(name), from: caller) {
            $0.parts = count
            $0.batchMax = 7
        }
    }

    private static func with(
        durable: Set<String> = ["query"], settings: FeedSettings = FeedSettings(), retention: FeedRetention? = nil,
        _ body: @escaping @Sendable (TestFeed) async throws -> Void
    ) async throws {
        try await TestFeed.with(
            connections: 12, upkeep: true, durable: durable, retention: retention, settings: settings
        ) { feed in
            try await feed.database.batch([
                "create table work (entity uuid primary key, replica text not null)",
                "create table lost (part integer, replica text)",
            ])
            try await body(feed)
        }
    }

    /// Publishes events of entities of all parts; returns them.
    @discardableResult
    private static func publish(_ feed: TestFeed, _ count: Int) async throws -> [UUID] {
        let events = try (0..<count).map { _ in try TestFeed.event() }
        for event in events {
            try await feed.producer.execute(["insert into sent values (\(event.entity))"], publishing: [event])
        }
        return events.map(\.entity)
    }

    private static let everything: SQL = """
        select not exists (select from sent s full join work w using (entity) where s is null or w is null)
        """

    /// Whether so many replicas have equal shares of all parts.
    private static func isShared(_ replicas: Int) -> SQL {
        """
        select count(*) = \(replicas) and sum(parts) = \(count) and max(parts) - min(parts) <= 1
        from (select count(*) as parts from feed_cursor where holder is not null and epoch <> '' group by holder) h
        """
    }

    @Test("NFR-02: two replicas take half of the parts each, and each event takes effect once, by whoever has its part")
    func halves() async throws {
        try await Self.with { feed in
            try await beside([Self.consumer(feed, "one").run]) {
                try await feed.until(Self.isShared(1))
                try await Self.publish(feed, 50)
                try await feed.until(Self.everything)
                try await beside([Self.consumer(feed, "other").run]) {
                    // While parts are handed over.
                    try await Self.publish(feed, 200)
                    try await feed.until(Self.isShared(2))
                    try await Self.publish(feed, 50)
                    try await feed.until(Self.everything)
                }
                // The other has left: what it had is taken over.
                try await feed.until(Self.isShared(1))
                try await Self.publish(feed, 50)
                try await feed.until(Self.everything)
            }
            let shares = try await feed.database.query(
                "select replica, count(*) from work group by replica order by replica", as: String.self, Int.self)
            #expect(shares.map(\.0) == ["one", "other"] && shares[1].1 >= 10)
            #expect(feed.incidents.count { $0.isParked || $0.isApplyFailed || $0.isGone } == 0)
        }
    }

    @Test("NFR-02: what a replica has that is gone without a word is taken over within 2 s; nothing is lost or doubled")
    func killed() async throws {
        try await Self.with { feed in
            // Somebody who has half of the parts and says nothing any more.
            let gone = PartLeases(feed: TestFeed.name, replica: .random(), database: feed.database)
            try await beside([Self.consumer(feed, "one").run]) { try await feed.until(Self.isShared(1)) }
            let lastSign = Deadline.now()
            _ = try await gone.renew()
            try await gone.claim(Array(0..<Self.count / 2))
            try await Self.publish(feed, 60)
            let waiting = Deadline.now()
            try await beside([Self.consumer(feed, "one").run]) {
                try await feed.until(Self.everything)
            }
            let end = Deadline.now()
            // Not before the lease has run out; what was published in between takes its own time.
            #expect(end.since(lastSign) >= .milliseconds(800) && end.since(waiting) < .seconds(2))
        }
    }

    @Test("NFR-03: where all were silent, as while the database is away, each goes on with what it had")
    func allSilent() async throws {
        try await Self.with { feed in
            try await beside([Self.consumer(feed, "one").run, Self.consumer(feed, "other").run]) {
                try await feed.until(Self.isShared(2))
                let fences: SQL = "select array_agg(fence order by part) from feed_cursor"
                let before = try await feed.database.queryOne(fences, as: [Int64].self)
                try await feed.database.transaction { transaction in
                    try await transaction.execute("lock table feed_replica in access exclusive mode")
                    let isLapsed: SQL =
                        "select max(alive_until) < clock_timestamp() - interval '100 ms' from feed_replica"
                    while try await transaction.queryOne(isLapsed, as: Bool.self) != true {
                        try await transaction.execute("select pg_sleep(0.05)")
                    }
                }
                let now = try await feed.database.queryOne("select clock_timestamp()", as: Timestamp.self) ?? .now()
                // Both have been heard for longer than who is silent stays without a say.
                try await feed.until(
                    """
                    select count(*) = 2 from feed_replica
                    where alive_until > clock_timestamp() and clock_timestamp() > \(now + PartLeases.time * 2)
                    """)
                #expect(try await feed.database.queryOne(fences, as: [Int64].self) == before)
                try await Self.publish(feed, 50)
                try await feed.until(Self.everything)
            }
        }
    }

    @Test("A replica that was silent for too long, and goes on, can commit nothing of what it had")
    func late() async throws {
        try await Self.with { feed in
            let (entered, release) = (EventCounter(), EventCounter())
            struct Slow: FeedHandler {
                let entered: EventCounter
                let release: EventCounter
                func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
                    .transaction { transaction in
                        entered.raise()
                        _ = await release.wait(after: 0)
                        try await transaction.batch(
                            records.map { "insert into work (entity, replica) values (\($0.entity), 'slow')" })
                    }
                }
                func beginSnapshot() async throws -> FeedEffect { .none }
                func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
                func endSnapshot() async throws -> FeedEffect { .none }
            }
            let slow = feed.consumer(handler: Slow(entered: entered, release: release)) { $0.parts = Self.count }
            try await beside([slow.run]) {
                try await feed.until(Self.isShared(1))
                try await Self.publish(feed, 20)
                _ = await entered.wait(after: 0)
                // As if it had slept: another one has everything now.
                try await feed.database.execute(
                    "update feed_cursor set holder = \(UUID.random()), fence = fence + 1")
                release.raise()
                try await feed.loop.sleep(for: .milliseconds(50))
                #expect(try await feed.database.queryOne("select count(*) from work", as: Int.self) == 0)
                // Nobody has them, and it takes them again.
                try await feed.until(Self.everything)
            }
        }
    }

    @Test("Parts that were applied to different places are read together, and nothing of them twice")
    func apart() async throws {
        try await Self.with { feed in
            try await beside([Self.consumer(feed, "one").run]) { try await feed.until(Self.isShared(1)) }
            // Each part's events are applied by a consumer that has that part only, up to a place of its own.
            try await Self.publish(feed, 40)
            for part in 0..<Self.count {
                let leases = PartLeases(feed: TestFeed.name, replica: .random(), database: feed.database)
                try await feed.database.execute("delete from feed_replica")
                _ = try await leases.renew()
                try await leases.claim([part])
                let share = FeedParts(count: Self.count, numbers: [part])
                let store = CursorStore(feed: TestFeed.name, replica: .random(), database: feed.database)
                let cursor = try #require(
                    try await feed.database.queryOne(
                        "select epoch, positions from feed_cursor where part = \(Int16(part))",
                        as: String.self, [Int64].self))
                let start = FeedCursor(epoch: cursor.0, positions: cursor.1)
                let answer = try await feed.caller().call(
                    FeedRead.self,
                    .init(
                        feed: TestFeed.name, cursor: start, acknowledged: nil, limit: part, waitMilliseconds: 0,
                        parts: share), deadline: .after(.seconds(5)))
                #expect(answer.events.allSatisfy { share.contains($0.entity) })
                var following = Following(count: Self.count)
                let fence = try await feed.database.queryOne(
                    "select fence from feed_cursor where part = \(Int16(part))", as: Int64.self)
                following.parts[part] = .init(fence: try #require(fence), cursor: start, isSnapshot: false)
                try await feed.database.batch(
                    store.move([part], of: following, to: answer.cursor)
                        + answer.events.map { "insert into work (entity, replica) values (\($0.entity), 'before')" })
            }
            try await feed.database.execute("delete from feed_replica")
            try await beside([Self.consumer(feed, "one").run]) {
                try await feed.until(Self.everything)
                try await Self.publish(feed, 10)
                try await feed.until(Self.everything)
            }
            #expect(feed.incidents.count { $0.isParked || $0.isApplyFailed } == 0)
        }
    }

    @Test("What all parts have passed is trimmed; a part whose piece was trimmed is told so, and of no other part")
    func trimmed() async throws {
        var settings = FeedSettings()
        settings.segmentBytesMax = 1
        settings.trimGrace = .zero
        settings.upkeepInterval = .milliseconds(50)
        try await Self.with(settings: settings) { feed in
            try await beside([Self.consumer(feed, "one").run]) {
                try await feed.until(Self.isShared(1))
                try await Self.publish(feed, 50)
                try await feed.until(Self.everything)
                // Acknowledged, though most parts had no event of the last ones.
                try await feed.until("select count(*) = 0 from feed_event")
            }
            // While nobody follows, nothing goes …
            try await Self.publish(feed, 50)
            try await feed.loop.sleep(for: .milliseconds(300))
            #expect(try await feed.database.queryOne("select count(*) from feed_event", as: Int.self) == 50)
            // … but one part has lost something: it begins anew, with what was lost told.
            try await feed.database.batch([
                "delete from lost", "update feed_cursor set epoch = 'other' where part = 3",
            ])
            try await beside([Self.consumer(feed, "one").run]) {
                try await feed.until("select count(*) >= 1 from lost")
                try await feed.until("select count(*) = 0 from feed_cursor where epoch = 'other' or is_snapshot")
            }
        }
    }

    @Test("A snapshot that was begun of one part is taken of that part; the others go on from where they are")
    func partialSnapshot() async throws {
        try await Self.with { feed in
            try await beside([Self.consumer(feed, "one").run]) { try await feed.until(Self.isShared(1)) }
            try await feed.database.batch([
                "delete from lost", "update feed_cursor set epoch = '', is_snapshot = true where part = 3",
            ])
            let sent = try await Self.publish(feed, 50)
            try await beside([Self.consumer(feed, "one").run]) {
                let rest = sent.count { FeedParts.number(of: $0, count: Self.count) != 3 }
                try await feed.until("select count(*) = \(rest) from work")
            }
            let lost = try await feed.database.query("select part from lost", as: Int.self)
            #expect(lost == [3])
        }
    }

    @Test("An event that fails is parked with its part; the replica that has the part tries it again")
    func parked() async throws {
        try await Self.with { feed in
            let bad = try TestFeed.event()
            try await feed.database.execute(
                "alter table work add constraint not_this check (entity <> '\(raw: bad.entity.description)')")
            try await beside([
                feed.consumer(handler: Handler("one")) {
                    $0.parts = Self.count
                    $0.attemptsMax = 2
                }.run
            ]) {
                try await feed.until(Self.isShared(1))
                let good = try (0..<20).map { _ in try TestFeed.event() }
                try await feed.producer.execute([], publishing: good[..<9] + [bad] + good[9...])
                try await feed.incidents.wait { $0.isParked }
                try await feed.until("select count(*) = 20 from work")
            }
            try await feed.database.execute("alter table work drop constraint not_this")
            try await beside([Self.consumer(feed, "one").run, Self.consumer(feed, "other").run]) {
                try await feed.incidents.wait { $0.isUnparked }
                try await feed.until("select count(*) = 21 from work")
                try await feed.until("select count(*) = 0 from feed_parked")
            }
        }
    }

    @Test("Progress is that of the part that is least far, and unknown while one is unknown")
    func progress() async throws {
        var settings = FeedSettings()
        settings.upkeepInterval = .milliseconds(20)
        try await Self.with(settings: settings) { feed in
            let consumer = feed.consumer(handler: Handler("one")) {
                $0.parts = Self.count
                $0.wait = .milliseconds(50)
            }
            #expect(try await consumer.progress() == .unknown)
            try await beside([consumer.run]) {
                try await feed.until(
                    "select count(*) = \(Self.count) from feed_cursor where settled_until is not null")
            }
            let all = try await consumer.progress()
            try await feed.database.execute(
                """
                update feed_cursor set settled_until = settled_until - interval '1 minute',
                  settled_at = settled_at - interval '1 hour' where part = 5
                """)
            let least = try await consumer.progress()
            #expect(least.appliedUntil == all.appliedUntil.map { $0 - .seconds(60) })
            #expect(try #require(least.age) > .seconds(3599))
            try await feed.database.execute("update feed_cursor set settled_until = null where part = 2")
            #expect(try await consumer.progress().appliedUntil == nil)
        }
    }

    /// A way to the producer that can be cut.
    private struct Cable: RPCCaller {
        let caller: LocalCaller
        let isCut: EventCounter

        func call<M: RPCMethod>(
            _ method: M.Type, _ params: M.Params, deadline: Deadline?
        ) async throws(RPCError) -> M.Result {
            guard isCut.value % 2 == 0 else { throw RPCError(.unavailable) }
            return try await caller.call(method, params, deadline: deadline)
        }
    }

    @Test("NFR-03: a replica that cannot reach the producer leaves its parts to those who can, and comes back")
    func cutOff() async throws {
        try await Self.with { feed in
            let isCut = EventCounter()
            let cable = Cable(caller: feed.caller(), isCut: isCut)
            try await beside([Self.consumer(feed, "one").run, Self.consumer(feed, "cut", from: cable).run]) {
                try await feed.until(Self.isShared(2))
                isCut.raise()
                try await Self.publish(feed, 40)
                try await feed.until(Self.everything)
                try await feed.until(Self.isShared(1))
                isCut.raise()
                try await feed.until(Self.isShared(2))
                try await Self.publish(feed, 40)
                try await feed.until(Self.everything)
            }
        }
    }

    // MARK: Shards

    /// Both feeds, as one service's that has two shards.
    private static func caller(_ one: FeedProducer, _ other: FeedProducer) -> LocalCaller {
        var router = RPCRouter()
        FeedProducer.register([one, other], in: &router)
        return LocalCaller(router: router, as: "query")
    }

    /// A second shard, in a schema of its own on the same server.
    private static func withShard(
        _ feed: TestFeed, _ body: @escaping @Sendable (Database, FeedProducer) async throws -> Void
    ) async throws {
        let schema = "\(feed.test.schema)_1"
        let database = feed.test.another { configuration in
            configuration.searchPath = [schema]
            configuration.applicationName = schema
        }
        try await database.execute("create schema \(identifier: schema)")
        try await Migrations(schema: schema, [FeedSchema.producer(1, feeds: [TestFeed.name])]).run(on: database)
        let producer = TestFeed.producer(on: database, incidents: feed.incidents)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await beside([producer.run]) { try await body(database, producer) }) } catch {
            outcome = .failure(error)
        }
        try await database.execute("drop schema \(identifier: schema) cascade")
        await database.close()
        try outcome.get()
    }

    @Test("Each shard of a producer is followed by itself, with its own parts; one that is away holds up no other")
    func shards() async throws {
        try await Self.with { feed in
            try await Self.withShard(feed) { database, producer in
                let caller = Self.caller(feed.producer, producer)
                let (one, two) = (Self.consumer(feed, "one", from: caller), Self.consumer(feed, "two", from: caller))
                try await beside([one.run, two.run]) {
                    // The second one is heard of from the first.
                    try await feed.until(
                        """
                        select count(*) = 2 * \(Self.count) and count(distinct holder) = 2 and bool_and(epoch <> '')
                        from feed_cursor
                        """)
                    for round in 0..<40 {
                        let event = try TestFeed.event()
                        try await feed.database.execute("insert into sent values (\(event.entity))")
                        try await (round % 2 == 0 ? feed.producer : producer).execute([], publishing: [event])
                    }
                    try await feed.until(Self.everything)
                    // Without its tables the second shard cannot be read.
                    try await database.execute("alter table feed_ring rename to away")
                    let before = try await feed.database.queryOne("select count(*) from work", as: Int.self) ?? 0
                    try await Self.publish(feed, 20)
                    try await feed.until("select count(*) = \(Int64(before + 20)) from work")
                    try await database.execute("alter table away rename to feed_ring")
                    for _ in 0..<10 { try await producer.execute([], publishing: [try TestFeed.event()]) }
                    try await feed.until("select count(*) = \(Int64(before + 30)) from work")
                }
                let held = try await feed.database.query(
                    "select distinct feed from feed_cursor order by feed", as: String.self)
                #expect(held == [TestFeed.name, "\(TestFeed.name)/1"])
            }
        }
    }

    @Test("A reader in memory follows every shard, each from a snapshot of its own, and is told which is anew")
    func reader() async throws {
        try await TestFeed.with(connections: 12, upkeep: true) { feed in
            try await Self.withShard(feed) { database, producer in
                let log = Mutex<[Int: [String]]>([:])
                let news = EventCounter()
                let reader = FeedReader(
                    feed: TestFeed.name, from: Self.caller(feed.producer, producer), observer: feed.incidents.observer
                ) { update, shard in
                    let word =
                        switch update {
                        case .snapshotBegan: "began"
                        case .entities: "entities"
                        case .snapshotEnded: "ended"
                        case .changes(let records): records.map(\.kind).joined(separator: ",")
                        }
                    log.withLock { $0[shard, default: []].append(word) }
                    news.raise()
                }
                func reached(_ expected: [Int: [String]]) async {
                    let patience = Deadline.after(.patience)
                    while log.withLock({ $0 != expected }), !patience.hasPassed {
                        let seen = news.value
                        if log.withLock({ $0 == expected }) { break }
                        _ = await news.wait(after: seen, deadline: patience)
                    }
                    #expect(log.withLock { $0 } == expected)
                }
                try await beside([reader.run]) {
                    await reached([0: ["began", "ended"], 1: ["began", "ended"]])
                    for (number, one) in [feed.producer, producer].enumerated() {
                        try await one.execute([], publishing: [try TestFeed.event(kind: "of \(number)")])
                    }
                    await reached([0: ["began", "ended", "of 0"], 1: ["began", "ended", "of 1"]])
                    try await database.execute("update feed_state set generation = generation + 1")
                    producer.news[TestFeed.name]?.lookEverywhere()
                    await reached([
                        0: ["began", "ended", "of 0"], 1: ["began", "ended", "of 1", "began", "ended"],
                    ])
                }
            }
        }
    }

    @Test("A feed that only the first shard has is followed there alone; a shard that is not there is refused")
    func oneOfTwo() async throws {
        try await TestFeed.with(connections: 8) { feed in
            let empty = FeedProducer(database: feed.database, feeds: [], observer: feed.incidents.observer)
            let caller = Self.caller(feed.producer, empty)
            let start = try await feed.end()
            func read(_ shard: Int?) async throws -> FeedRead.Result {
                try await caller.call(
                    FeedRead.self,
                    .init(
                        feed: TestFeed.name, shard: shard, cursor: start, acknowledged: nil, limit: 5,
                        waitMilliseconds: 0),
                    deadline: .after(.seconds(5)))
            }
            #expect(try await read(nil).shards == nil)
            for shard in [-1, 1, 2] {
                let error = await #expect(throws: RPCError.self) { try await read(shard) }
                #expect(error?.code == .notFound)
            }
        }
    }
}
