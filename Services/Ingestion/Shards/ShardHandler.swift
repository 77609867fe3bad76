import Feed
import JSON
import Primitives

/// Applies those events of a feed that concern the people of one shard, each of which names an account.
struct ShardHandler: FeedHandler {
    let handler: any FeedHandler
    let shard: Int
    let directory: Directory

    private struct Concerned: Decodable {
        let accountID: UUID
    }

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        try await handler.apply(try await own(records) { $0.payload })
    }

    func committed(_ records: [FeedRecord]) async { await handler.committed(records) }

    func follow(_ parts: FeedParts, ofShard shard: Int) async throws { try await handler.follow(parts, ofShard: shard) }

    func beginSnapshot(of parts: FeedParts) async throws -> FeedEffect { try await handler.beginSnapshot(of: parts) }

    func beginSnapshot() async throws -> FeedEffect { try await handler.beginSnapshot() }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        try await handler.apply(snapshot: try await own(entities) { $0.payload })
    }

    func endSnapshot(of parts: FeedParts) async throws -> FeedEffect { try await handler.endSnapshot(of: parts) }

    func endSnapshot() async throws -> FeedEffect { try await handler.endSnapshot() }

    private func own<Item>(_ items: [Item], _ payload: (Item) -> JSONRaw) async throws -> [Item] {
        let accounts = try items.map { item throws(JSONError) in
            try JSONDecoder().decode(Concerned.self, from: payload(item).bytes).accountID
        }
        let shards = try await directory.shards(of: Set(accounts))
        return zip(items, accounts).filter { shards[$0.1] == shard }.map(\.0)
    }
}
