public import Postgres
public import RPC
public import Reactor
internal import Synchronization
public import Telemetry

/// Publishes feeds out of one schema (see `FeedSchema.producer`) and serves them to consumers. Every replica of a service
/// has one; `run` looks after the tables meanwhile.
///
/// ```swift
/// try await database.transaction { transaction in
///     try await transaction.execute("update account set …")
///     try await feeds.publish([event], in: transaction)   // goes out with the commit: no round trip of its own
/// }
/// ```
///
/// Sessions must be the server's own: a pooler in between that shares them would break the lanes' locks.
public final class FeedProducer: Sendable {
    let database: Database
    let settings: FeedSettings
    let feeds: [String: FeedDefinition]
    let news: [String: FeedNews]
    let acknowledgements = Acknowledgements()
    let reader: EventReader
    let replicas: Replicas
    let report: FeedReport
    private let metrics: FeedMetrics
    private let tables: [String: FeedTables]
    private let retention: [String: FeedRetention]
    private let lanes: Lanes
    private let isStopping = Atomic<Bool>(false)

    /// `retention` gives, by the feeds' names, the consumers for which events are kept, and for how long. Metrics
    /// name the feeds of another `shard` than the first `NAME/SHARD`.
    ///
    /// - Precondition: the feeds' names differ.
    public init(
        database: Database, feeds: [FeedDefinition], shard: Int = 0, retention: [String: FeedRetention] = [:],
        settings: FeedSettings = FeedSettings(), observer: Observer
    ) {
        let report = FeedReport(observer)
        metrics = FeedMetrics(observer.metrics, shard: shard)
        self.retention = retention
        self.database = database
        self.settings = settings
        self.feeds = Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0) })
        self.report = report
        tables = self.feeds.mapValues { FeedTables(feed: $0.name) }
        news = self.feeds.mapValues { FeedNews(feed: $0.name) }
        reader = EventReader(database: database, feeds: Array(tables.values))
        replicas = Replicas(database: database, settings: settings, news: news, report: report)
        lanes = Lanes(lanesMax: min(max(1, settings.lanesMax), FeedSchema.ownedLaneCount))
    }

    // MARK: Publishing

    /// Publishes `events` as part of the transaction: they go out with its commit, in the same round trip, and wake
    /// consumers when it is done. Only a connection's first publication asks the server for a lane. At most 10,000 events.
    /// Errors: `usage` for unknown feeds and payloads beyond `FeedEvent.payloadBytesMax`.
    public func publish(_ events: [FeedEvent], in transaction: Transaction) async throws(PostgresError) {
        guard !events.isEmpty else { return }
        try Outbox.check(events, feeds)
        let place = try await place(for: events.count, in: transaction)
        for insert in Outbox.insert(events, feeds, at: place, into: currentTable(of:)) {
            try transaction.beforeCommit(insert)
        }
        transaction.afterCommit { self.announce(events, at: place) }
    }

    /// Runs the statements and publishes the events in one transaction and one round trip. Returns how many rows each
    /// statement touched.
    @discardableResult
    public func execute(
        _ statements: [SQL], publishing events: [FeedEvent], deadline: Deadline? = nil
    ) async throws -> [Int] {
        try Outbox.check(events, feeds)
        return try await database.withConnection(deadline: deadline) { connection in
            guard !events.isEmpty else { return try await connection.batch(statements, deadline: deadline) }
            guard let place = try await self.ownPlace(for: events.count, of: connection) else {
                return try await connection.transaction(deadline: deadline) { transaction in
                    let counts = try await transaction.batch(statements)
                    try await self.publish(events, in: transaction)
                    return counts
                }
            }
            let inserts = Outbox.insert(events, self.feeds, at: place, into: self.currentTable(of:))
            do throws(PostgresError) {
                let counts = try await connection.batch(statements + inserts, deadline: deadline)
                self.announce(events, at: place)
                return Array(counts.dropLast(inserts.count))
            } catch {
                if case .outcomeUnknown = error { self.announce(events, at: place) }
                throw error
            }
        }
    }

    private func place(for count: Int, in transaction: Transaction) async throws(PostgresError) -> Lanes.Place {
        if let place = lanes.take(count, in: transaction.state) { return place }
        if try await lanes.acquire(transaction, state: transaction.state),
            let place = lanes.take(count, in: transaction.state)
        {
            return place
        }
        guard let place = try await lanes.share(count, in: transaction) else { throw .usage("no positions") }
        return place
    }

    private func ownPlace(for count: Int, of connection: Connection) async throws(PostgresError) -> Lanes.Place? {
        if let place = lanes.take(count, in: connection.state) { return place }
        guard try await lanes.acquire(connection, state: connection.state) else { return nil }
        return lanes.take(count, in: connection.state)
    }

    private func announce(_ events: [FeedEvent], at place: Lanes.Place) {
        var last: [String: (position: Int64, addressees: Set<Int16>)] = [:]
        for (index, event) in events.enumerated() {
            last[event.feed, default: (0, [])].position = place.first + Int64(index)
            last[event.feed, default: (0, [])].addressees.insert(feeds[event.feed]?.number(of: event.addressee) ?? 0)
        }
        for (feed, (position, addressees)) in last {
            news[feed]?.committed(lane: Int(place.lane), position: position, of: addressees)
        }
        replicas.published()
    }

    /// The table that a feed's events are written to. (Unknown feeds have been refused.)
    private func currentTable(of feed: String) -> String {
        guard let tables = tables[feed], let news = news[feed] else { preconditionFailure("no feed \(feed)") }
        return tables.segments[news.currentSegment]
    }

    // MARK: Serving

    /// Adds `feed.read` and `feed.snapshot` for all feeds, each for the services that may follow it.
    public func register(in router: inout RPCRouter) { Self.register([self], in: &router) }

    /// The same for a service whose data lie in shards, numbered from 0: each has the feeds of its own, the first ones of all
    /// names.
    public static func register(_ shards: [FeedProducer], in router: inout RPCRouter) {
        let readers = shards.flatMap(\.feeds.values).reduce(into: Set<String>()) { $0.formUnion($1.readers) }
        router.register(FeedRead.self, allow: readers) { params, context in
            var answer = try await shard(params.shard, of: shards).read(params, context)
            let count = shards.count { $0.feeds[params.feed] != nil }
            answer.shards = count > 1 ? count : nil
            return answer
        }
        router.register(FeedSnapshot.self, allow: readers) { params, context in
            try await shard(params.shard, of: shards).snapshot(params, context)
        }
    }

    private static func shard(_ number: Int?, of shards: [FeedProducer]) throws(RPCError) -> FeedProducer {
        guard shards.indices.contains(number ?? 0) else { throw RPCError(.notFound, "There is no such shard.") }
        return shards[number ?? 0]
    }

    /// Answers all waiting polls now, and later ones without waiting, so that the service can stop.
    public func stopWaiting() {
        isStopping.store(true, ordering: .relaxed)
        for feed in news.values { feed.lookEverywhere() }
    }

    var waits: Bool { !isStopping.load(ordering: .relaxed) }

    /// Whether another replica of the service publishes the same feeds, as far as is known: it is heard every 5 seconds
    /// (`FeedSettings.helloInterval`) while `run` does.
    public var hasOtherReplicas: Bool { replicas.count > 0 }

    // MARK: Upkeep

    /// Writes acknowledgements, turns and trims the ring, finds events that were not announced, and talks to the other
    /// replicas, until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedProducer.run outside an event loop") }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.replicas.listen() }
            group.addTask { await self.replicas.greet(on: loop) }
            group.addTask { await self.replicas.send(on: loop) }
            group.addTask { await self.keepUp(on: loop) }
        }
        // Acknowledgements since the last round, written in a task that is not cancelled; after a failure the consumers
        // repeat them.
        await loop.task { try? await self.acknowledgements.write(to: self.database) }.value
    }

    private func keepUp(on loop: EventLoop) async {
        var rings = rings()
        var failure = RepeatedFailure()
        while !Task.isCancelled {
            do {
                try await maintain(&rings)
                failure.succeeded()
            } catch {
                let error = error as? PostgresError ?? .usage(String(reflecting: error))
                if error != .cancelled { report(.upkeepFailed(error, isKnown: !failure.isToBeTold())) }
            }
            do { try await loop.sleep(for: settings.upkeepInterval) } catch { return }
        }
    }

    /// The rings of all feeds, with their configured consumers. A consumer that may not follow durably is left out and
    /// logged.
    func rings() -> [SegmentRing] {
        for feed in retention.keys where feeds[feed] == nil { report(.notPublished(feed: feed)) }
        return feeds.values.sorted { $0.name < $1.name }.map { feed in
            var kept = retention[feed.name] ?? FeedRetention()
            let configured = kept.consumers ?? feed.durable
            for consumer in configured.subtracting(feed.durable).sorted() {
                report(.unknownConsumer(feed: feed.name, consumer: consumer))
            }
            kept.consumers = configured.intersection(feed.durable)
            return SegmentRing(
                database: database, settings: settings, feed: FeedTables(feed: feed.name), retention: kept)
        }
    }

    /// Measures how far each configured consumer's commits are behind, also of one that has never come.
    private func measureLag(_ rings: [SegmentRing]) async throws(PostgresError) {
        for ring in rings {
            for consumer in ring.consumers {
                let addressee = feeds[ring.feed.feed]?.addressees[consumer] ?? 0
                let lag = try await database.queryOne(
                    """
                    select events, extract(epoch from clock_timestamp() - oldest)::float8
                    from \(raw: ring.feed.lag)(\(consumer), \(addressee), \(FeedMetrics.lagMax))
                    """, as: Int64.self, Double?.self)
                guard let lag else { continue }
                metrics.set(lag: lag.0, oldest: .seconds(max(0, lag.1 ?? 0)), of: consumer, in: ring.feed.feed)
            }
        }
    }

    /// One round of upkeep.
    func maintain(_ rings: inout [SegmentRing]) async throws {
        try await acknowledgements.write(to: database)
        for index in rings.indices { news[rings[index].feed.feed]?.learn(segment: try await rings[index].turn()) }
        let time = Deadline.now()
        // Before the ends are read: what is recorded before the horizon is visible to them.
        let horizon = try await reader.horizon(deadline: .after(.seconds(10)))
        for feed in news.values {
            let end = try await reader.end(of: feed.feed, deadline: .after(.seconds(10)))
            feed.looked(at: time, horizon: horizon, end: end)
        }
        try await measureLag(rings)
        for index in rings.indices {
            let feed = rings[index].feed.feed
            let trimmed = try await rings[index].trim()
            metrics.set(feed: feed, bytes: trimmed.bytes, oldest: trimmed.oldestAge)
            for consumer in trimmed.passedOver {
                metrics.passedOver(feed: feed, consumer: consumer)
                report(.passedOver(feed: feed, consumer: consumer, bytes: trimmed.bytes))
            }
        }
    }
}
