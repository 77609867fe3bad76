public import Postgres
internal import Primitives
public import RPC
public import Reactor
public import Telemetry

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
    let parked: ParkedEvents
    let report: FeedReport

    public init(
        feed: String, from caller: any RPCCaller, into database: Database, handler: any FeedHandler,
        settings: FeedConsumerSettings = FeedConsumerSettings(), observer: Observer
    ) {
        self.feed = feed
        self.caller = caller
        self.handler = handler
        self.settings = settings
        self.database = database
        store = CursorStore(feed: feed, replica: .random(), database: database)
        parked = ParkedEvents(feed: feed, database: database, payloads: settings.parkedPayloads)
        report = FeedReport(observer)
    }

    /// How far this service has applied the feed, all its replicas together. Events that were parked count as applied.
    public func progress(deadline: Deadline? = nil) async throws(PostgresError) -> FeedProgress {
        try await store.progress(deadline: deadline)
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedConsumer.run outside an event loop") }
        var course = Course()
        while !Task.isCancelled {
            do {
                try await follow(&course)
            } catch {
                // Whatever a cancelled call fails with.
                guard !Task.isCancelled else { return }
                course.failures += 1
                switch ApplyFailure(error) {
                case .cancelled: continue
                // The replica that won is likely to win again: being late is cheaper than working in vain.
                case .overtaken: course.failures = max(course.failures, 3)
                case .passing, .events: report(.interrupted(feed: feed, error: error))
                }
            }
            do { try await loop.sleep(for: settings.backOff.delay(afterFailures: course.failures)) } catch { return }
        }
    }

    /// What a consumer's rounds tell one another.
    private struct Course {
        /// In a row. Ended by an effect that is committed, or by an answer without events: not by reading alone, or an
        /// effect that cannot succeed would be tried without a pause.
        var failures = 0
        var hasRetriedParked = false
        /// When progress was stored last while the feed was quiet.
        var settledAt = Deadline.now().advanced(by: .zero - settleInterval)
    }

    /// While a feed is quiet its progress is stored at most so often.
    private static let settleInterval = Duration.seconds(1)

    /// From the stored cursor on, until something fails.
    private func follow(_ course: inout Course) async throws {
        var stored = try await store.load()
        while !Task.isCancelled {
            if stored.isSnapshot || stored.cursor.epoch.isEmpty {
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
            } else if !course.hasRetriedParked {
                course.hasRetriedParked = true
                try await retryParked(&stored)
            }
            do {
                try await followChanges(&stored, &course)
            } catch  where isFeedGone(error) {
                report(.gone(feed: feed))
                course.failures += 1
                // Gone at once again: two producers are at odds, and each snapshot costs both sides.
                if course.failures > 1 {
                    try await EventLoop.current?.sleep(for: settings.backOff.delay(afterFailures: course.failures))
                }
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
            }
        }
    }

    /// While one batch is applied, the next is being read: one, not more.
    private func followChanges(_ stored: inout CursorStore.Stored, _ course: inout Course) async throws {
        var batch = try await read(after: stored.cursor, committed: stored.cursor)
        while !Task.isCancelled {
            guard !batch.events.isEmpty else {
                if batch.cursor != stored.cursor {
                    // The producer has passed over events that can no longer be read.
                    try await commit(.none, &stored, to: batch.cursor, settled: batch.settled)
                } else if let settled = batch.settled, Deadline.now().since(course.settledAt) >= Self.settleInterval {
                    try await database.execute(store.settle(stored, settled))
                    course.settledAt = .now()
                }
                course.failures = 0
                batch = try await read(after: stored.cursor, committed: stored.cursor)
                continue
            }
            let (ahead, committed) = (batch.cursor, stored.cursor)
            async let next = read(after: ahead, committed: committed)
            try await settle(batch, &stored)
            course.failures = 0
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
            try await apply(batch.events, &stored, to: batch.cursor, settled: batch.settled)
        } catch  where ApplyFailure(error) == .events {
            report(.applyFailed(feed: feed, error: error))
            for record in batch.events { try await settleAlone(record, &stored) }
        }
    }

    /// Applies one event, or parks it at last.
    private func settleAlone(_ record: FeedRecord, _ stored: inout CursorStore.Stored) async throws {
        var cursor = stored.cursor
        cursor.advance(past: CollectionOfOne(record))
        var attempt = 1
        while true {
            do {
                return try await apply([record], &stored, to: cursor)
            } catch  where ApplyFailure(error) == .events {
                guard attempt < settings.attemptsMax else {
                    let park = try parked.park(record, epoch: cursor.epoch, error: error)
                    try await commit(.statements([park]), &stored, to: cursor)
                    return report(.parked(feed: feed, record: record, error: error))
                }
                report(.applyFailed(feed: feed, error: error))
            }
            try await EventLoop.current?.sleep(for: settings.backOff.delay(afterFailures: attempt))
            attempt += 1
        }
    }

    /// Applies what was parked, once each; what fails again stays.
    private func retryParked(_ stored: inout CursorStore.Stored) async throws {
        for row in try await parked.load(epoch: stored.cursor.epoch) {
            do {
                let record = try row.record()
                let removal = parked.remove(record, epoch: stored.cursor.epoch)
                try await apply([record], &stored, to: stored.cursor, with: removal)
                report(.unparked(feed: feed, record: record))
            } catch  where ApplyFailure(error) == .events {
                report(.applyFailed(feed: feed, error: error))
            }
        }
    }

    /// Lets the handler apply the records, commits, and tells it so.
    private func apply(
        _ records: [FeedRecord], _ stored: inout CursorStore.Stored, to cursor: FeedCursor,
        settled: FeedSettled? = nil, with more: SQL? = nil
    ) async throws {
        let effect = try await handler.apply(records)
        try await commit(effect, &stored, to: cursor, settled: settled, with: more)
        await handler.committed(records)
    }

    /// Makes the effect and the cursor's move one transaction. The move comes first among statements: it locks the
    /// cursor, so a replica that is late does nothing else.
    func commit(
        _ effect: FeedEffect, _ stored: inout CursorStore.Stored, to cursor: FeedCursor, isSnapshot: Bool = false,
        settled: FeedSettled? = nil, with more: SQL? = nil
    ) async throws {
        let move = store.move(stored, to: cursor, isSnapshot: isSnapshot, settled: settled)
        let moves = [move] + (more.map { [$0] } ?? [])
        switch effect {
        case .statements(let statements):
            try await database.batch(moves + statements)
        case .transaction(let body):
            try await database.transaction { transaction in
                try await body(transaction)
                for move in moves { try transaction.beforeCommit(move) }
            }
        }
        stored = store.moved(stored, to: cursor, isSnapshot: isSnapshot)
    }
}
