import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Synchronization
import ReactorTesting
import Testing

/// A producer in a schema of its own, whose tables are also those of the consumers.
struct TestFeed: Sendable {
    static let name = "accounts.changes"

    let test: TestDatabase
    let producer: FeedProducer
    let incidents: Incidents
    /// What the snapshot shows, in pages of two.
    let entities: Entities

    var database: Database { test.database }
    var loop: EventLoop { test.loops.loops[0] }

    /// Runs `body` on a loop, with the tables made, and `background` work of the producer when `upkeep` says so.
    static func with(
        connections: Int = TestDatabase.connectionsMax, loops: Int = 1, upkeep: Bool = false,
        durable: Set<String> = ["query"], retention: FeedRetention? = nil, settings: FeedSettings = FeedSettings(),
        reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])? = nil,
        _ body: @escaping @Sendable (TestFeed) async throws -> Void
    ) async throws {
        try await TestDatabase.with(loops: loops) {
            $0.connectionsPerLoopMax = connections
        } _: { test in
            let tables = Migration(
                3, "effects",
                Array(
                    """
                    create table sent (entity uuid primary key);
                    create table applied (entity uuid primary key);
                    create table known (entity uuid primary key, version bigint not null, is_seen boolean not null);
                    """.utf8))
            try await Migrations(
                schema: test.schema, [FeedSchema.producer(1, feeds: [name]), FeedSchema.consumer(2), tables]
            )
            .run(on: test.database)
            let (incidents, entities) = (Incidents(), Entities())
            let feed = TestFeed(
                test: test,
                producer: producer(
                    on: test.database, durable: durable, retention: retention, settings: settings, entities: entities,
                    incidents: incidents, reveal: reveal),
                incidents: incidents, entities: entities)
            try await beside(upkeep ? [feed.producer.run] : []) { try await body(feed) }
        }
    }

    static func producer(
        on database: Database, durable: Set<String> = ["query"], retention: FeedRetention? = nil,
        settings: FeedSettings = FeedSettings(), entities: Entities = Entities(), incidents: Incidents,
        reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])? = nil
    ) -> FeedProducer {
        let definition = FeedDefinition(
            name: name, durable: durable, ephemeral: ["track4run"], snapshot: { entities.page($0) }, reveal: reveal)
        return FeedProducer(
            database: database, feeds: [definition], retention: retention.map { [name: $0] } ?? [:],
            settings: settings, observer: incidents.observer)
    }

    // MARK: Calls

    /// Calls this feed's producer, or another one.
    func caller(as name: String = "query", of other: FeedProducer? = nil) -> LocalCaller {
        var router = RPCRouter()
        (other ?? producer).register(in: &router)
        return LocalCaller(router: router, as: name)
    }

    func read(
        after cursor: FeedCursor, committed: FeedCursor? = nil, as name: String = "query", limit: Int = 500,
        waitMilliseconds: Int = 0, freshMilliseconds: Int? = nil
    ) async throws(RPCError) -> FeedRead.Result {
        try await caller(as: name).call(
            FeedRead.self,
            FeedRead.Params(
                feed: Self.name, cursor: cursor, acknowledged: committed, limit: limit,
                waitMilliseconds: waitMilliseconds, freshMilliseconds: freshMilliseconds),
            deadline: .after(.seconds(40)))
    }

    /// The cursor behind everything that is there.
    func end(as name: String = "query") async throws -> FeedCursor {
        let page = try await caller(as: name).call(FeedSnapshot.self, .init(feed: Self.name, page: nil), deadline: nil)
        return try #require(page.cursor)
    }

    static func event(_ entity: UUID = .random(), version: Int64 = 1, kind: String = "changed") throws -> FeedEvent {
        try FeedEvent(feed: name, entity: entity, version: version, kind: kind, encoding: ["n": version])
    }

    // MARK: Consuming

    func consumer(
        handler: any FeedHandler = AppliedHandler(), from caller: (any RPCCaller)? = nil, into other: Database? = nil,
        change: (inout FeedConsumerSettings) -> Void = { _ in }
    ) -> FeedConsumer {
        var settings = FeedConsumerSettings()
        settings.backOff = BackOff(base: .milliseconds(2), max: .milliseconds(20))
        change(&settings)
        return FeedConsumer(
            feed: Self.name, from: caller ?? self.caller(), into: other ?? database, handler: handler,
            settings: settings, observer: incidents.observer)
    }

    /// Waits until the statement says true; asks again after every change that incidents or signals cannot tell.
    func until(_ sql: SQL, _ location: SourceLocation = #_sourceLocation) async throws {
        let deadline = Deadline.after(.patience)
        while true {
            do throws(PostgresError) {
                if try await database.queryOne(sql, as: Bool.self) == true { return }
            } catch {
                // The test may be killing connections.
                guard case .connection = error else { throw error }
            }
            guard !deadline.hasPassed else {
                Issue.record("never true: \(sql.text)", sourceLocation: location)
                throw TimedOut()
            }
            try await loop.sleep(for: .milliseconds(2))
        }
    }

    struct TimedOut: Error {}
}

/// What a snapshot shows.
final class Entities: Sendable {
    private let all = Mutex<[FeedEntity]>([])

    func set(_ entities: [FeedEntity]) { all.withLock { $0 = entities } }

    func page(_ page: String?) -> FeedDefinition.Page {
        let start = page.flatMap { Int($0) } ?? 0
        let entities = all.withLock { Array($0.dropFirst(start).prefix(2)) }
        let isLast = all.withLock { start + 2 >= $0.count }
        return FeedDefinition.Page(entities: entities, next: isLast ? nil : String(start + 2))
    }

    static func entity(_ id: UUID, version: Int64 = 1) throws -> FeedEntity {
        FeedEntity(entity: id, version: version, kind: "changed", payload: try JSONRaw(encoding: ["n": version]))
    }
}
