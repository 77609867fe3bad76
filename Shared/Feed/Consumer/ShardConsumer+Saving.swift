internal import Postgres
internal import Primitives
internal import Reactor

extension ShardConsumer {
    /// A part is given up, and a process ended, without waiting longer for what is in memory: whoever comes reads it again.
    private static let lastSaveMax = Duration.milliseconds(500)

    /// Moves the cursors behind what was saved, and begins to save what was kept since when it is time.
    func save(_ following: inout Following) async throws {
        if let saved = try following.saving.takeSaved() {
            try await commit(
                .none, following.all, &following, to: saved.cursor, settled: saved.settled, isSaved: true)
        }
        guard let loop = EventLoop.current else { return }
        following.saving.beginWhenDue(at: following.cursor, settled: following.settled, on: loop) { [self] in
            try await saveKept()
        }
    }

    /// Call when following ends, for whatever reason. Who gives parts back leaves them as far as they are.
    func endSaving(_ following: inout Following) async {
        let isPending = following.saving.isPending
        await following.saving.stop()
        guard isPending, Task.isCancelled, let loop = EventLoop.current else { return }
        // In a task that is not cancelled.
        let last = following
        let work = loop.throwingTask { [self] in
            var following = last
            try await saveKept()
            try await commit(
                .none, following.all, &following, to: following.cursor, settled: following.settled, isSaved: true)
        }
        let limit = loop.task {
            try? await loop.sleep(for: Self.lastSaveMax)
            work.cancel()
        }
        _ = await work.result
        limit.cancel()
    }
}
