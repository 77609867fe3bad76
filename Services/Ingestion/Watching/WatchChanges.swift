import Contracts
import Feed
import JSON
import Postgres
import Primitives

/// Follows `dispatcher.watch`, `track4run.watch` or `query.watch`: the people whose samples, or whose arrivals, are published
/// in `ingestion.live` (SOS-02, RUN-09, SUB-01).
struct WatchChanges: FeedHandler {
    /// The service whose feed it is.
    let source: ServiceName
    let live: LiveFeed

    func apply(_ records: [FeedRecord]) throws -> FeedEffect {
        try effect(records.map { try change($0.entity, $0.version, $0.payload) }, replaces: false)
    }

    func beginSnapshot() -> FeedEffect { .statements([WatchStore.beginSnapshot(source: source.rawValue)]) }

    func apply(snapshot entities: [FeedEntity]) throws -> FeedEffect {
        try effect(entities.map { try change($0.entity, $0.version, $0.payload) }, replaces: true)
    }

    func endSnapshot() -> FeedEffect { .statements([WatchStore.endSnapshot(source: source.rawValue)]) }

    private func change(_ entity: UUID, _ version: Int64, _ payload: JSONRaw) throws -> WatchStore.Change {
        WatchStore.Change(
            entity: entity, watch: try JSONDecoder().decode(Ingestion.Watch.self, from: payload.bytes), version: version
        )
    }

    private func effect(_ changes: [WatchStore.Change], replaces: Bool) -> FeedEffect {
        let statements = changes.map { WatchStore.set(source: source.rawValue, $0, replaces: replaces) }
        let told = changes.filter { $0.watch.isWatched && $0.watch.tells == .arrivals }
        guard !told.isEmpty else { return .statements(statements) }
        return .transaction { transaction in
            try await tell(told, replaces: replaces, in: transaction)
            try await transaction.batch(statements)
        }
    }

    /// Tells once of people whose watch begins or changes: something may have arrived, and what is collected may have changed,
    /// between the consent and its watch. Who
    /// stores something of them now waits until the watch is there, or is done before they are told of.
    private func tell(
        _ changes: [WatchStore.Change], replaces: Bool, in transaction: Transaction
    ) async throws {
        let answers = try await transaction.runBatch([
            ArrivalStore.lock(Array(Set(changes.map(\.watch.accountID)))),
            WatchStore.news(of: changes, source: source.rawValue, replaces: replaces),
            "select clock_timestamp()",
        ])
        let now = try answers[2].decodeOne(as: Timestamp.self) ?? .now()
        let events = try answers[1].decode(as: UUID.self, Int64.self).flatMap { account, types in
            [
                try LiveFeed.collection(of: account, for: source.rawValue, at: now),
                try LiveFeed.arrival(of: account, types: types, for: source.rawValue, at: now),
            ].compactMap { $0 }
        }
        try await live.publish(events, in: transaction)
    }
}
