import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// The service in process, with databases of its own for samples and keys.
struct IngestionTest: Sendable {
    static let start = Timestamp("2026-11-20T10:00:00Z")!

    let service: TestService<IngestionService>
    let keyStore: KeyStore
    /// With the service's own key of fields, and a cache of its own.
    let keys: SubjectKeys

    var database: Database { service.database }

    static func with(
        hold: Bool = false, shards: Int = 1, places: @escaping @Sendable (String) -> [Int: String] = { _ in [:] },
        peers: [String: any RPCCaller] = [:], keys given: ServiceKeys? = nil,
        clock: TestClock = TestClock(start), keyTime: @escaping @Sendable () -> Deadline = { Deadline.now() },
        tokens: TestTokens? = nil, accountsHeard: Duration = .seconds(3600),
        computingOn threads: BlockingPool = .computing,
        _ body: @escaping @Sendable (IngestionTest) async throws -> Void
    ) async throws {
        try await TestDatabase.with { keys in
            let keystore = try DatabaseSettings.given(schema: keys.schema)
            let serviceKeys = try given ?? .random()
            var settings = IngestionSettings(keystore: keystore, rollups: .init(hold: hold))
            if shards > 1 { settings.shards = shards }
            try await TestService<IngestionService>.with(
                settings: settings, peers: peers, databases: [keys.schema: keys.database], clock: clock,
                tokens: tokens, keys: serviceKeys, accountsHeard: accountsHeard,
                building: { try await build($0, places, threads, keyTime) }
            ) { service in
                let store = KeyStore(database: keys.database)
                let keys = SubjectKeys(store: store, cipher: FieldCipher(serviceKeys.fields))
                let test = IngestionTest(service: service, keyStore: store, keys: keys)
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(test)) } catch { outcome = .failure(error) }
                // Its jobs, which make partitions, and the drop would wait for each other's locks.
                await service.assembled.stop()
                for number in 1..<max(1, shards) {
                    try await test.database.execute(
                        "drop schema if exists \(identifier: test.schema(ofShard: number)) cascade")
                }
                try outcome.get()
            }
        }
    }

    /// The service, with shards that are somewhere else from the beginning: `places` gives their connection settings.
    private static func build(
        _ context: ServiceContext<IngestionSettings>, _ places: (String) -> [Int: String], _ threads: BlockingPool,
        _ keyTime: @escaping @Sendable () -> Deadline
    ) async throws -> ServiceParts {
        for (number, place) in places(ShardPlaces.schema(of: 0, in: context.database)) {
            try await context.database.execute(
                "insert into shard (number, place) values (\(Int16(number)), \(place))")
        }
        return try await IngestionService.build(context, computingOn: threads, keyTime: keyTime)
    }

    // MARK: Tokens

    func token(device: UUID, of account: UUID) throws -> String {
        let now = service.clock.now()
        return try TokenSigner(key: service.tokens.key).sign(
            TokenClaims(
                issuer: Authenticator.issuer, subject: account, audience: [Authenticator.audience],
                expiresAt: now + .seconds(900), issuedAt: now, identifier: .random(), kind: .device, scopes: ["upload"],
                clientIdentifier: device.description))
    }

    func token(of account: UUID) throws -> String { try service.tokens.token(.individual, account: account) }

    // MARK: Requests

    struct Answer: Decodable {
        struct Refused: Decodable, Equatable {
            let series: Int
            let index: Int?
            let reason: String
            let explanation: String
        }
        let stored: Int
        let repeated: Bool
        let paused: [String]
        let withheld: [String]
        let refused: [Refused]
        let refusedCount: Int
        let serverTime: Timestamp
        let sampling: String
    }

    private struct Upload: Encodable {
        let upload: Int64
        let sentAt: Timestamp
        let series: [SampleSeries]
    }

    func upload(
        _ number: Int64, _ series: [SampleSeries], device: UUID, of account: UUID, sentAt: Timestamp? = nil
    ) async throws -> Answer {
        let response = try await send(number, series, device: device, of: account, sentAt: sentAt)
        #expect(response.status == .ok)
        return try await decoded(response)
    }

    /// The same, with whatever answer.
    func send(
        _ number: Int64, _ series: [SampleSeries], device: UUID, of account: UUID, sentAt: Timestamp? = nil
    ) async throws -> HTTPResponse {
        let body = try JSONEncoder().encode(
            Upload(upload: number, sentAt: sentAt ?? service.clock.now(), series: series))
        return try await post("uploads", body, token: try token(device: device, of: account))
    }

    func post(_ path: String, _ body: [UInt8], token: String) async throws -> HTTPResponse {
        try await service.call(.post, "/ingestion/v1/\(path)", token: token, body: body)
    }

    func get(_ path: String, of account: UUID) async throws -> HTTPResponse {
        try await service.call(.get, "/ingestion/v1/me/\(path)", token: try token(of: account))
    }

    /// The answer of `/me/…` when `Accept-Language` is sent.
    func get(_ path: String, of account: UUID, in languages: String) async throws -> JSONValue {
        try await decoded(
            try await service.call(
                .get, "/ingestion/v1/me/\(path)", token: try token(of: account), fields: ["accept-language": languages])
        )
    }

    func decoded<Value: Decodable>(_ response: HTTPResponse, _: Value.Type = Value.self) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: try await response.collectedBody())
    }

    func code(_ response: HTTPResponse) async throws -> String {
        struct Code: Decodable { let code: String }
        return try await decoded(response, Code.self).code
    }

    func read(
        _ account: UUID, _ types: [DataType] = DataType.allCases, after: Ingestion.ReadCursor = .beginning,
        limit: Int = 100_000,
        waitMS: Int = 0,
        from: Timestamp = Timestamp("2000-01-01T00:00:00Z")!, to: Timestamp = Timestamp("2100-01-01T00:00:00Z")!
    ) async throws -> Ingestion.Read.Result {
        try await service.rpc(as: "query").call(
            Ingestion.Read.self,
            .init(
                accountID: account, types: types, from: from, to: to, after: after, limit: limit,
                waitMilliseconds: waitMS, reason: .test))
    }

    // MARK: Closing

    /// Closes days as the simulator does; returns how many values were published.
    func close(through day: String) async throws -> Int {
        let before = try await database.queryOne("select rollups from rollup_state", as: Int.self) ?? 0
        let day = try #require(CalendarDate(day))
        let end = Deadline.after(.patience)
        while true {
            let result = try await service.rpc(as: "simulator").call(
                Ingestion.CloseDays.self,
                .init(through: day, waitMilliseconds: Ingestion.CloseDays.waitMillisecondsMax))
            guard !result.isDone else {
                #expect(result.closedThrough.map { $0 >= day } == true)
                return Int(result.rollups) - before
            }
            try #require(!end.hasPassed, "the days are not closed")
        }
    }

    // MARK: Sealing

    func sealer(_ step: @escaping @Sendable (Sealer.Step) async throws -> Void = { _ in }) -> Sealer {
        let context = service.context
        let keys = SubjectKeys(store: keyStore, cipher: FieldCipher(context.keys.fields))
        return Sealer(database: database, keys: keys, threads: .computing, observer: context.observer, step: step)
    }

    func deletionWorker(
        _ step: @escaping @Sendable (DeletionWorker.Step) async throws -> Void = { _ in }
    ) -> DeletionWorker {
        DeletionWorker(
            database: database, keys: keys, threads: .computing, asked: EventCounter(),
            log: service.context.observer.log,
            step: step)
    }

    func number(of account: UUID) async throws -> Int32 {
        try #require(
            try await database.queryOne("select number from person where account_id = \(account)", as: Int32.self))
    }

    /// Puts all that a person has into blocks.
    @discardableResult
    func seal(_ account: UUID) async throws -> Sealer.Sealed { try await sealer().seal(try await number(of: account)) }

    /// All that is there for a reader, page by page; ends when no more is.
    func readAll(
        _ account: UUID, _ types: [DataType] = DataType.allCases, limit: Int = 100_000,
        from cursor: Ingestion.ReadCursor = .beginning, between: (Int) async throws -> Void = { _ in }
    ) async throws -> (series: [SampleSeries], next: Ingestion.ReadCursor) {
        var (series, next) = ([SampleSeries](), cursor)
        for page in 0..<10_000 {
            let result = try await read(account, types, after: next, limit: limit)
            series += result.series
            next = result.next
            guard result.hasMore else { return (series, next) }
            try await between(page)
        }
        Issue.record("reading does not end")
        return (series, next)
    }

    // MARK: Feeds

    /// Does what a consumer does with a handler's effect.
    func settle(_ effect: FeedEffect, in other: Database? = nil) async throws {
        let database = other ?? database
        switch effect {
        case .statements(let statements): try await database.batch(statements)
        case .transaction(let body), .keptBut(let body): try await database.transaction { try await body($0) }
        case .kept: break
        }
    }

    // MARK: Shards

    func schema(ofShard number: Int) -> String { ShardPlaces.schema(of: number, in: database) }

    /// Runs `body` with a database object on the schema of a shard.
    func with<R: Sendable>(shard number: Int, _ body: (Database) async throws -> R) async throws -> R {
        var configuration = database.configuration
        configuration.searchPath = [schema(ofShard: number)]
        let own = Database(configuration, loops: service.loops)
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(own)) } catch { outcome = .failure(error) }
        await own.close()
        return try outcome.get()
    }

    func change(
        _ version: Int64, _ change: Accounts.AccountChange, age: Duration = .zero, keys: SubjectKeys? = nil,
        in database: Database? = nil
    ) async throws {
        try await apply(
            try FeedEvent(feed: "", entity: change.accountID, version: version, kind: "account", encoding: change),
            age, keys, in: database)
    }

    func change(_ version: Int64, _ change: Accounts.DeviceChange) async throws {
        try await apply(
            try FeedEvent(feed: "", entity: change.accountID, version: version, kind: "device", encoding: change),
            .zero, nil)
    }

    func watch(
        _ account: UUID, _ isWatched: Bool = true, entity: UUID? = nil, until: Timestamp? = nil,
        by source: ServiceName = .dispatcher, measured: ClosedRange<Timestamp>? = nil, types: [DataType]? = nil,
        version: Int64 = 1
    ) async throws {
        let watch = Ingestion.Watch(
            accountID: account, isWatched: isWatched, measuredFrom: measured?.lowerBound,
            measuredTo: measured?.upperBound, until: until, types: types,
            tells: source == .query ? .arrivals : .samples)
        let event = try FeedEvent(
            feed: "", entity: entity ?? account, version: version, kind: "watch", encoding: watch)
        try await settle(try watchChanges(source).apply([Self.record(event)]))
    }

    /// The handler of a service's watches, in a shard's database or the first one's.
    func watchChanges(_ source: ServiceName, in database: Database? = nil) -> WatchChanges {
        WatchChanges(source: source, live: live(in: database))
    }

    /// The feed, of another replica.
    var liveFeed: LiveFeed { live() }

    private func live(in database: Database? = nil) -> LiveFeed {
        let feed = LiveFeed.definition(keys, service.context.log)
        return LiveFeed(FeedProducer(database: database ?? self.database, feeds: [feed], observer: .silent))
    }

    private func apply(
        _ event: FeedEvent, _ age: Duration, _ keys: SubjectKeys?, in database: Database? = nil
    ) async throws {
        let handler = AccountChanges(
            keys: keys ?? self.keys, database: database ?? self.database, live: live(in: database),
            clock: service.clock)
        try await settle(try await handler.apply([Self.record(event, age: age)]), in: database)
    }

    /// The changes as a whole snapshot of the feed.
    func snapshot(_ events: [FeedEvent], of handler: any FeedHandler) async throws {
        try await settle(try await handler.beginSnapshot())
        let entities = events.map {
            FeedEntity(entity: $0.entity, version: $0.version, kind: $0.kind, payload: $0.payload)
        }
        try await settle(try await handler.apply(snapshot: entities))
        try await settle(try await handler.endSnapshot())
    }

    func erasures(in database: Database? = nil) -> ErasureFollower {
        ErasureFollower(
            SampleErasure(clock: service.clock), service.context, in: database ?? self.database, keys: keys)
    }

    /// As accounts tells it.
    static func erasure(of account: UUID) throws -> FeedEvent {
        let erasure = Accounts.Erasure(
            erasureID: .random(), accountID: account, kind: .individual, scope: .account, requestedAt: start)
        return try FeedEvent(
            feed: Accounts.erasuresFeed, entity: account, version: 1, kind: Accounts.erasureKind, encoding: erasure)
    }

    func erase(_ account: UUID, _ scope: Accounts.Erasure.Scope = .account, id: UUID = .random()) async throws {
        try await erasures().erase(account, .individual, scope, id: id, at: Self.start, in: database)
    }

    func accountChanges() -> AccountChanges {
        AccountChanges(keys: keys, database: database, live: live(), clock: service.clock)
    }

    static func record(_ event: FeedEvent, age: Duration = .zero) -> FeedRecord {
        FeedRecord(
            lane: 0, position: 1, entity: event.entity, version: event.version, kind: event.kind,
            payload: event.payload,
            recordedAt: start, age: age)
    }

    /// All of a feed from its beginning, of this service or another replica.
    func events(
        _ feed: String, shard: Int? = nil, as consumer: String, of replica: LocalCaller? = nil, parts: FeedParts? = nil
    ) async throws -> [FeedRecord] {
        let caller = replica ?? service.rpc(as: consumer)
        let epoch = try await caller.call(FeedSnapshot.self, .init(feed: feed, shard: shard, page: nil)).cursor!.epoch
        var cursor = FeedCursor(epoch: epoch, positions: [])
        var events: [FeedRecord] = []
        while true {
            let page = try await caller.call(
                FeedRead.self,
                .init(
                    feed: feed, shard: shard, cursor: cursor, acknowledged: nil, limit: 500, waitMilliseconds: 0,
                    parts: parts))
            guard !page.events.isEmpty else { return events }
            events += page.events
            cursor = page.cursor
        }
    }
}

/// Heart rates every second from `start`.
func heartRates(_ values: [Double], from start: Timestamp = IngestionTest.start - .seconds(60)) -> SampleSeries {
    SampleSeries(
        type: .heartRate, unit: "/min", start: start, offsets: values.indices.map { Int64($0) * 1000 }, values: values)
}

/// One value of a data type.
func single(_ type: DataType, _ value: Double, at time: Timestamp) -> SampleSeries {
    SampleSeries(type: type, start: time, offsets: [0], values: [value])
}
