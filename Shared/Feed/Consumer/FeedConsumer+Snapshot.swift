internal import Postgres
internal import RPC
internal import Reactor

extension FeedConsumer {
    /// Time limit for one page of a snapshot.
    private static let pageTime = Duration.seconds(30)

    /// Takes a snapshot and returns the cursor behind it; `nil` when it is left to another replica. Each step is a
    /// transaction that changes the fence, so only one replica gets through; after a crash it is started again.
    func takeSnapshot(_ stored: CursorStore.Stored) async throws -> CursorStore.Stored? {
        if stored.isSnapshot, stored.holder != store.replica, let age = stored.age, age < settings.snapshotTakeover {
            return nil
        }
        var stored = stored
        var page = try await snapshotPage(nil)
        guard let cursor = page.cursor else { throw RPCError(.internal, "A snapshot came without a cursor.") }
        try await commit(try await handler.beginSnapshot(), &stored, to: .none, isSnapshot: true)
        while true {
            if !page.entities.isEmpty {
                let effect = try await handler.apply(snapshot: page.entities)
                try await commit(effect, &stored, to: .none, isSnapshot: true)
            }
            guard let next = page.next else { break }
            try Task.checkCancellation()
            page = try await snapshotPage(next)
        }
        try await commit(try await handler.endSnapshot(), &stored, to: cursor, with: [parked.removeAll()])
        report(.snapshotTaken(feed: feed))
        return stored
    }

    private func snapshotPage(_ page: String?) async throws(RPCError) -> FeedSnapshot.Result {
        try await caller.call(
            FeedSnapshot.self, FeedSnapshot.Params(feed: feed, page: page), deadline: .after(Self.pageTime))
    }
}
