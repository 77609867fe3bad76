import Feed
import Postgres
import Primitives
import Reactor

/// Notes every event once: a second time violates the key.
struct AppliedHandler: FeedHandler {
    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        .statements(records.map { "insert into applied (entity) values (\($0.entity))" })
    }
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }
}

/// The same in a transaction, after whose statements `hook` runs.
struct TransactionHandler: FeedHandler {
    let hook: @Sendable (Transaction) async throws -> Void

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        .transaction { transaction in
            try await transaction.batch(records.map { "insert into applied (entity) values (\($0.entity))" })
            try await hook(transaction)
        }
    }
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }
}

/// Keeps what is known of each entity.
struct KnownHandler: FeedHandler {
    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        .statements(
            records.map { record in
                """
                insert into known as k (entity, version, is_seen) values (\(record.entity), \(record.version), true)
                on conflict (entity) do update set version = greatest(k.version, excluded.version)
                """
            })
    }
    func beginSnapshot() async throws -> FeedEffect { .statements(["update known set is_seen = false"]) }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        .statements(
            entities.map { entity in
                """
                insert into known (entity, version, is_seen) values (\(entity.entity), \(entity.version), true)
                on conflict (entity) do update set version = excluded.version, is_seen = true
                """
            })
    }
    func endSnapshot() async throws -> FeedEffect { .statements(["delete from known where not is_seen"]) }
}
