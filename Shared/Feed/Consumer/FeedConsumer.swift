public import Postgres
internal import Primitives
public import RPC
public import Reactor
public import Telemetry

/// Follows a feed durably: every event takes effect exactly once, since its effect and the cursor's move are one
/// transaction. Several replicas may follow the same feed for one service: they compete for the cursor, and one that
/// loses it rolls back and pauses for a moment.
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
    let metrics: FeedConsumerMetrics

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
        metrics = FeedConsumerMetrics(observer.metrics, feed: feed)
    }

    /// How far this service has applied the feed, all its replicas together. Events that were parked count as applied.
    public func progress(deadline: Deadline? = nil) async throws(PostgresError) -> FeedProgress {
        try await store.progress(deadline: deadline)
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedConsumer.run outside an event loop") }
        var course = Course(parkedDue: .after(settings.parkedInterval))
        while !Task.isCancelled {
            do {
                try await follow(&course)
            } catch {
                // Any error of a cancelled call.
                guard !Task.isCancelled else { return }
                course.failures += 1
                switch ApplyFailure(error) {
                case .cancelled: break
                // The replica that won is likely to win again: waiting costs less than work that is rolled back.
                case .overtaken: course.failures = max(course.failures, 3)
                case .away, .unclear, .events:
                    let isKnown = !course.interruption.isToBeTold()
                    report(.interrupted(feed: feed, error: error, isKnown: isKnown))
                }
            }
            do { try await loop.sleep(for: settings.pauses.delay(afterFailures: course.failures)) } catch { return }
        }
    }

    /// State that is kept from round to round.
    private struct Course {
        /// Consecutive failures. Reset by an effect that is committed, or by an answer without events; not by reading
        /// alone, or an effect that cannot succeed would be tried without a pause.
        var failures = 0
        var interruption = RepeatedFailure()
        var hasStarted = false
        /// When parked events are tried next.
        var parkedDue: Deadline
        /// When progress was stored last while the feed was quiet.
        var settledAt = Deadline.now().advanced(by: .zero - settleInterval)

        mutating func succeeded() {
            failures = 0
            interruption.succeeded()
        }
    }

    /// How often the progress of a quiet feed is stored at most.
    private static let settleInterval = Duration.seconds(1)

    /// Follows the feed from the stored cursor until something fails.
    private func follow(_ course: inout Course) async throws {
        var stored = try await store.load()
        while !Task.isCancelled {
            if stored.isSnapshot || stored.cursor.epoch.isEmpty {
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
            } else if !course.hasStarted {
                course.hasStarted = true
                try await retryParked(&stored, isStart: true)
            }
            do {
                try await followChanges(&stored, &course)
            } catch  where isFeedGone(error) {
                report(.gone(feed: feed))
                course.failures += 1
                // `gone` again at once: two producers disagree, and each snapshot costs both sides.
                if course.failures > 1 {
                    try await EventLoop.current?.sleep(for: settings.pauses.delay(afterFailures: course.failures))
                }
                guard let taken = try await takeSnapshot(stored) else { return }
                stored = taken
            }
        }
    }

    /// While one batch is applied, the next one is read.
    private func followChanges(_ stored: inout CursorStore.Stored, _ course: inout Course) async throws {
        var batch = try await read(after: stored.cursor, committed: stored.cursor)
        while !Task.isCancelled {
            if course.parkedDue.hasPassed {
                course.parkedDue = .after(settings.parkedInterval)
                try await retryParked(&stored, isStart: false)
            }
            guard !batch.events.isEmpty else {
                if batch.cursor != stored.cursor {
                    // The producer has left out events that can no longer be read.
                    try await commit(.none, &stored, to: batch.cursor, settled: batch.settled)
                } else if let settled = batch.settled, Deadline.now().since(course.settledAt) >= Self.settleInterval {
                    try await database.execute(store.settle(stored, settled))
                    metrics.caughtUp(settled)
                    course.settledAt = .now()
                }
                course.succeeded()
                batch = try await read(after: stored.cursor, committed: stored.cursor)
                continue
            }
            let (ahead, committed) = (batch.cursor, stored.cursor)
            async let next = read(after: ahead, committed: committed)
            try await settle(batch, &stored)
            course.succeeded()
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

    /// Commits the effect and the cursor's move in one transaction. The move is the first statement: it locks the
    /// cursor, so a replica that is late does nothing else.
    func commit(
        _ effect: FeedEffect, _ stored: inout CursorStore.Stored, to cursor: FeedCursor, isSnapshot: Bool = false,
        settled: FeedSettled? = nil, with more: [SQL] = []
    ) async throws {
        let moves = [store.move(stored, to: cursor, isSnapshot: isSnapshot, settled: settled)] + more
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
        if let settled { metrics.caughtUp(settled) }
    }
}
