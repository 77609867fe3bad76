import Contracts
import Feed
import JSON
import Postgres
import Primitives

/// Publishes the feed `query.watch`, in the transaction that changes consents: the individuals of whom ingestion tells that
/// something arrived (SUB-01), with the data types that third parties may have of each. One watch for each individual, whatever
/// the number of consents.
struct WatchFeed: Sendable {
    private static let kind = "watch"
    private static let pageMax = 500
    /// Individuals in one statement.
    private static let togetherMax = 500

    let producer: FeedProducer

    /// Call after the requests of these individuals were changed; what is collected of them is asked anew (`Availability`). Two
    /// transactions that change requests of the same individual wait for each other here, so the later one sees what the earlier
    /// one has accepted, and its version is greater.
    func publish(_ individuals: some Sequence<UUID>, at now: Timestamp, in transaction: Transaction) async throws {
        // In the same order everywhere, so that two transactions do not deadlock.
        var rest = Set(individuals).sorted()[...]
        while !rest.isEmpty {
            try await publish(Array(rest.prefix(Self.togetherMax)), at: now, in: transaction)
            rest = rest.dropFirst(Self.togetherMax)
        }
    }

    private func publish(_ individuals: [UUID], at now: Timestamp, in transaction: Transaction) async throws {
        // What the second statement reads is what was committed before the locks of the first one were had.
        let answers = try await transaction.runBatch([
            """
            insert into watch as w (individual_id) select i from unnest(\(individuals)) as i order by i
            on conflict (individual_id) do update set version = w.version + 1, collected_at = null
            """,
            """
            select w.individual_id, w.version, c.types, c.until from watch w \(sql: Self.consents(at: now))
            where w.individual_id = any (\(individuals))
            """,
        ])
        let events = try answers[1].rows.map { row in
            let entity = try Self.entity(row)
            return FeedEvent(
                feed: Query.watchFeed, entity: entity.entity, version: entity.version, kind: entity.kind,
                payload: entity.payload)
        }
        try await producer.publish(events, in: transaction)
    }

    /// Call before the requests of an individual are deleted, and nothing of this account comes any more.
    func end(_ individual: UUID, in transaction: Transaction) async throws {
        let version = try await transaction.queryOne(
            "delete from watch where individual_id = \(individual) returning version", as: Int64.self)
        guard let version else { return }
        let event = try FeedEvent(
            feed: Query.watchFeed, entity: individual, version: version + 1, kind: Self.kind,
            encoding: Ingestion.Watch(accountID: individual, isWatched: false, tells: .arrivals))
        try await producer.publish([event], in: transaction)
    }

    /// The accepted requests of third parties, of each row of `watch w`, together. Check-ins of runs are track4run's.
    private static func consents(at now: Timestamp) -> SQL {
        """
        cross join lateral (
          select max(access_until) as until, array(
            select distinct unnest(accepted_types) from request
            where individual_id = w.individual_id and run_id is null and state = 'accepted' and access_until > \(now)
            order by 1) as types
          from request
          where individual_id = w.individual_id and run_id is null and state = 'accepted' and access_until > \(now)) c
        """
    }

    private static func entity(_ row: PostgresRow) throws -> FeedEntity {
        let (individual, until): (UUID, Timestamp?) = (try row["individual_id"], try row["until"])
        let watch = Ingestion.Watch(
            accountID: individual, isWatched: until != nil, until: until,
            types: try row.decode("types", as: [Int16].self).dataTypes, tells: .arrivals)
        return FeedEntity(
            entity: individual, version: try row["version"], kind: kind, payload: try JSONRaw(encoding: watch))
    }

    // MARK: Snapshot

    /// The feed, with all individuals who are watched now as its snapshot, in pages.
    static func definition(in database: Database, clock: any WallClock) -> FeedDefinition {
        FeedDefinition(name: Query.watchFeed, durable: [ServiceName.ingestion.rawValue]) { page in
            let now = try await database.certainTime(by: clock)
            let rows = try await database.rows(
                """
                select w.individual_id, w.version, c.types, c.until from watch w \(sql: consents(at: now))
                where c.until is not null and w.individual_id > \(page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0))
                order by w.individual_id limit \(Int64(pageMax))
                """)
            let entities = try rows.map { row in try entity(row) }
            return FeedDefinition.Page(
                entities: entities, next: entities.count == pageMax ? entities.last?.entity.description : nil)
        }
    }
}
