internal import Postgres
internal import RPC
internal import Reactor

extension ShardConsumer {
    /// Time limit for one page of a snapshot.
    private static let pageTime = Duration.seconds(30)

    /// Takes a snapshot of these parts, and moves them behind it; false when it is left to another replica. Each step is a
    /// transaction that changes the fences, so only one replica gets through; after a crash it is started again.
    func takeSnapshot(of parts: Set<Int>, _ following: inout Following) async throws -> Bool {
        let isLeft = following.parts.values.contains { part in
            guard !isDivided, part.isSnapshot, part.holder != store.replica, let age = part.age else { return false }
            return age < settings.snapshotTakeover
        }
        guard !isLeft else { return false }
        let share = FeedParts(count: following.count, numbers: parts)
        var page = try await snapshotPage(nil, share, deadline: .after(Self.pageTime))
        guard let cursor = page.cursor else { throw RPCError(.internal, "A snapshot came without a cursor.") }
        // What is kept in memory is saved later; of what a crash takes of it the snapshot tells.
        await following.saving.stop()
        try await commit(try await handler.beginSnapshot(of: share), parts, &following, to: .none, isSnapshot: true)
        while true {
            let entities = page.entities.filter { share.contains($0.entity) }
            if !entities.isEmpty {
                let effect = try await handler.apply(snapshot: entities)
                try await commit(effect, parts, &following, to: .none, isSnapshot: true)
            }
            guard let next = page.next else { break }
            try Task.checkCancellation()
            page = try await snapshotPage(next, share, deadline: .after(Self.pageTime))
        }
        let effect = try await handler.endSnapshot(of: share)
        try await commit(effect, parts, &following, to: cursor, with: [parked.removeAll(share)])
        following.cursor = following.least ?? .none
        report(.snapshotTaken(feed: feed))
        return true
    }
}
