import Feed
import Postgres

/// Notes each event in the table `applied`, as often as it comes.
struct AppliedEvents: FeedHandler {
    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        .statements(records.map { "insert into applied values (\($0.entity))" })
    }
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }
}
