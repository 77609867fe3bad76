public import Postgres
internal import Primitives
public import RPC
internal import Reactor

/// Follows a feed durably: every event takes effect exactly once, whatever crashes, because its effect and the cursor's
/// move are one transaction. Several replicas may follow the same feed for one service: they compete for the cursor, and
/// who loses it rolls back and stands back for a moment.
///
/// Needs `FeedSchema.consumer`.
public final class FeedConsumer: Sendable {
    public let feed: String
    let caller: any RPCCaller
    let handler: any FeedHandler
    let settings: FeedConsumerSettings
    let database: Database
    let store: CursorStore
    let report: @Sendable (FeedIncident) -> Void

    public init(
        feed: String, from caller: any RPCCaller, into database: Database, handler: any FeedHandler,
        settings: FeedConsumerSettings = FeedConsumerSettings(), report: @escaping @Sendable (FeedIncident) -> Void
    ) {
        self.feed = feed
        self.caller = caller
        self.handler = handler
        self.settings = settings
        self.database = database
        store = CursorStore(feed: feed, replica: .random(), database: database)
        self.report = report
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedConsumer.run outside an event loop") }
        var failures = 0
        while !Task.isCancelled {
            do {
                try await follow(&failures)
            } catch {
                failures += 1
                switch ApplyFailure(error) {
                case .cancelled: continue
                // The replica that won is likely to win again: being late is cheaper than working in vain.
                case .overtaken: failures = max(failures, 3)
                case .passing, .events: report(.interrupted(feed: feed, error: detail(error)))
                }
            }
            do { try await loop.sleep(for: settings.pause(afterFailures: failures)) } catch { return }
        }
    }

    /// From the stored cursor on, until something fails. `failures` is set to 0 whenever something succeeds.
    private func follow(_ failures: inout Int) async throws {
        var stored = try await store.load()
        while !Task.isCancelled {
            if stored.isSnapshot || stored.cursor.epoch.isEmpty {
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
                failures = 0
            }
            do {
                try await followChanges(&stored, &failures)
            } catch  where isFeedGone(error) {
                report(.gone(feed: feed))
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
            }
        }
    }

    /// While one batch is applied, the next is being read: one, not more.
    private func followChanges(_ stored: inout CursorStore.Stored, _ failures: inout Int) async throws {
        var batch = try await read(after: stored.cursor, committed: stored.cursor)
        while !Task.isCancelled {
            failures = 0
            let committed = stored.cursor
            guard !batch.events.isEmpty else {
                batch = try await read(after: committed, committed: committed)
                continue
            }
            let ahead = batch.cursor
            async let next = read(after: ahead, committed: committed)
            try await settle(batch, &stored)
            batch = try await next
        }
    }

    private func read(after cursor: FeedCursor, committed: FeedCursor) async throws(RPCError) -> FeedRead.Result {
        let wait = min(max(.zero, settings.wait), .milliseconds(FeedRead.waitMillisecondsMax))
        return try await caller.call(
            FeedRead.self,
            FeedRead.Params(
                feed: feed, cursor: cursor, acknowledged: committed, limit: settings.batchMax,
                waitMilliseconds: Int(wait.seconds * 1000)), deadline: .after(wait + .seconds(5)))
    }

    // MARK: Applying

    /// Applies a batch, or, when that fails because of what is in it, its events one by one.
    private func settle(_ batch: FeedRead.Result, _ stored: inout CursorStore.Stored) async throws {
        do {
            let effect = try await handler.apply(batch.events)
            try await commit(effect, &stored, to: batch.cursor)
            await handler.committed(batch.events)
        } catch  where ApplyFailure(error) == .events {
            report(.applyFailed(feed: feed, error: detail(error)))
            for record in batch.events { try await settleAlone(record, &stored) }
        }
    }

    /// Applies one event, or parks it at last.
    private func settleAlone(_ record: FeedRecord, _ stored: inout CursorStore.Stored) async throws {
        var cursor = stored.cursor
        cursor.advance(past: CollectionOfOne(record))
        var reason = ""
        for attempt in 1...max(1, settings.attemptsMax) {
            do {
                let effect = try await handler.apply([record])
                try await commit(effect, &stored, to: cursor)
                return await handler.committed([record])
            } catch  where ApplyFailure(error) == .events {
                reason = detail(error)
            }
            guard attempt < settings.attemptsMax else { break }
            report(.applyFailed(feed: feed, error: reason))
            try await EventLoop.current?.sleep(for: settings.pause(afterFailures: attempt))
        }
        let park = store.park(record, epoch: cursor.epoch, error: reason)
        try await commit(.statements([park]), &stored, to: cursor)
        report(.parked(feed: feed, record: record, error: reason))
    }

    /// Makes the effect and the cursor's move one transaction. The move comes first among statements: it locks the
    /// cursor, so a replica that is late does nothing else.
    func commit(
        _ effect: FeedEffect, _ stored: inout CursorStore.Stored, to cursor: FeedCursor, isSnapshot: Bool = false
    ) async throws {
        let move = store.move(stored, to: cursor, isSnapshot: isSnapshot)
        switch effect {
        case .statements(let statements):
            try await database.batch([move] + statements)
        case .transaction(let body):
            try await database.transaction { transaction in
                try await body(transaction)
                try transaction.beforeCommit(move)
            }
        }
        stored = store.moved(stored, to: cursor, isSnapshot: isSnapshot)
    }
}
