import Contracts
import Feed
import JSON
import Postgres
import Primitives

/// Follows `dispatcher.watch` or `track4run.watch`: the people whose samples are published in `ingestion.live` (SOS-02,
/// RUN-09).
struct WatchChanges: FeedHandler {
    /// The service whose feed it is.
    let source: ServiceName

    func apply(_ records: [FeedRecord]) throws -> FeedEffect {
        .statements(try records.map { try set($0.entity, $0.version, $0.payload, isSnapshot: false) })
    }

    func beginSnapshot() -> FeedEffect { .statements([WatchStore.beginSnapshot(source: source.rawValue)]) }

    func apply(snapshot entities: [FeedEntity]) throws -> FeedEffect {
        .statements(try entities.map { try set($0.entity, $0.version, $0.payload, isSnapshot: true) })
    }

    func endSnapshot() -> FeedEffect { .statements([WatchStore.endSnapshot(source: source.rawValue)]) }

    private func set(_ entity: UUID, _ version: Int64, _ payload: JSONRaw, isSnapshot: Bool) throws -> SQL {
        let watch = try JSONDecoder().decode(Ingestion.Watch.self, from: payload.bytes)
        return WatchStore.set(source: source.rawValue, entity: entity, watch, version: version, replaces: isSnapshot)
    }
}
