internal import Postgres
internal import Primitives
internal import RPC
internal import Reactor
internal import Synchronization
internal import Telemetry

/// Follows the feed of one shard of the producer. Of a feed that is divided into parts (`FeedConsumerSettings.parts`) each
/// replica takes its share by lease (`ShardConsumer+Sharing`). For the cursor of one that is not they compete, and a replica
/// that loses it rolls back and pauses for a moment.
final class ShardConsumer: Sendable {
    /// As the producer names it.
    private let topic: String
    private let shard: Int
    /// As this consumer's tables, log and metrics name it.
    let feed: String
    /// Is told how many shards the producer has.
    private let learn: @Sendable (_ shards: Int) -> Void
    let caller: any RPCCaller
    let handler: any FeedHandler
    let settings: FeedConsumerSettings
    let database: Database
    let store: CursorStore
    let leases: PartLeases
    let parked: ParkedEvents
    let report: FeedReport
    let metrics: FeedConsumerMetrics
    private let unreachableSince = Mutex<Deadline?>(nil)
    private let foresight: Foresight?

    init(
        _ topic: String, shard: Int, as replica: UUID, from caller: any RPCCaller, into database: Database,
        handler: any FeedHandler,
        settings: FeedConsumerSettings, observer: Observer, learn: @escaping @Sendable (_ shards: Int) -> Void
    ) {
        (self.topic, self.shard, self.learn) = (topic, shard, learn)
        let feed = CursorStore.name(of: topic, shard: shard)
        self.feed = feed
        self.caller = caller
        self.handler = handler
        self.settings = settings
        self.database = database
        store = CursorStore(feed: feed, replica: replica, database: database)
        leases = PartLeases(feed: feed, replica: replica, database: database)
        parked = ParkedEvents(feed: feed, database: database, payloads: settings.parkedPayloads)
        report = FeedReport(observer)
        metrics = FeedConsumerMetrics(observer.metrics, feed: feed + settings.label)
        let isDivided = settings.parts != nil
        foresight = settings.foresight.map { time in
            Foresight(after: time, shard: shard, handler: handler) { cursor, share throws(RPCError) in
                try await caller.call(
                    FeedRead.self,
                    FeedRead.Params(
                        feed: topic, shard: shard == 0 ? nil : shard, cursor: cursor, acknowledged: nil,
                        limit: settings.batchMax, waitMilliseconds: Int(settings.wait.seconds * 1000),
                        parts: isDivided ? share : nil),
                    deadline: .after(settings.wait + .seconds(5)))
            }
        }
    }

    var isDivided: Bool { settings.parts != nil }

    /// Follows the feed until the task is cancelled.
    func run(on loop: EventLoop) async {
        if isDivided { await share(on: loop) } else { await follow(on: loop) }
    }

    /// Follows what this replica has to follow, until the task is cancelled.
    func follow(on loop: EventLoop) async {
        guard let foresight else { return await followStored(on: loop) }
        await withDiscardingTaskGroup { group in
            group.addTask { await foresight.run(on: loop) }
            await followStored(on: loop)
            group.cancelAll()
        }
    }

    private func followStored(on loop: EventLoop) async {
        var course = Course(parkedDue: .after(settings.parkedInterval))
        while !Task.isCancelled {
            do {
                try await follow(&course)
            } catch {
                // Any error of a cancelled call.
                guard !Task.isCancelled else { return }
                course.failures += 1
                foresight?.interrupted()
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
    static let settleInterval = Duration.seconds(1)
    /// How often parts without events are moved together with those that have some: until then the producer keeps for them
    /// what they have passed.
    static let flushInterval = Duration.milliseconds(100)

    /// Follows the feed from the stored cursor until something fails.
    private func follow(_ course: inout Course) async throws {
        var following = try await store.load(isDivided: isDivided)
        guard !following.parts.isEmpty else { return }
        following.saving = Saving(every: settings.saveInterval)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await follow(&following, &course)) } catch { outcome = .failure(error) }
        await endSaving(&following)
        try outcome.get()
    }

    private func follow(_ following: inout Following, _ course: inout Course) async throws {
        try await follow(following.share)
        foresight?.reached(following.cursor, following.share)
        while !Task.isCancelled {
            if !following.unknown.isEmpty {
                guard try await takeSnapshot(of: following.unknown, &following) else { return }
            } else if !course.hasStarted {
                course.hasStarted = true
                try await retryParked(&following, isStart: true)
            }
            do {
                try await followChanges(&following, &course)
            } catch  where isFeedGone(error) {
                report(.gone(feed: feed))
                course.failures += 1
                // `gone` again at once: two producers disagree, and each snapshot costs both sides.
                if course.failures > 1 {
                    try await EventLoop.current?.sleep(for: settings.pauses.delay(afterFailures: course.failures))
                }
                guard try await takeSnapshot(of: following.all, &following) else { return }
            }
        }
    }

    /// While one batch is applied, the next one is read.
    private func followChanges(_ following: inout Following, _ course: inout Course) async throws {
        var batch = try await read(after: following.cursor, following)
        while !Task.isCancelled {
            // Also of the consumer's own statements nothing that cannot wait waits for long.
            foresight?.waits(for: [], to: following.cursor, following.share)
            if course.parkedDue.hasPassed {
                course.parkedDue = .after(settings.parkedInterval)
                try await retryParked(&following, isStart: false)
            }
            try await save(&following)
            batch.events = following.fresh(batch.events)
            guard !batch.events.isEmpty else {
                if following.saving.isPending {
                    following.passed(batch)
                } else if batch.cursor != following.cursor || following.hasLaggards {
                    // Of other parts or consumers, or left out by the producer since they can no longer be read.
                    try await commit(.none, following.all, &following, to: batch.cursor, settled: batch.settled)
                    following.cursor = batch.cursor
                } else if let settled = batch.settled, Deadline.now().since(course.settledAt) >= Self.settleInterval {
                    try await database.execute(store.settle(following, settled))
                    metrics.caughtUp(settled)
                    course.settledAt = .now()
                }
                course.succeeded()
                foresight?.reached(following.cursor, following.share)
                batch = try await read(after: following.cursor, following)
                continue
            }
            foresight?.waits(for: batch.events, to: batch.cursor, following.share)
            let (ahead, known) = (batch.cursor, following)
            async let next = read(after: ahead, known, isBusy: true)
            try await settle(batch, &following)
            course.succeeded()
            foresight?.reached(following.cursor, following.share)
            batch = try await next
        }
    }

    /// With `isBusy` events are being applied.
    private func read(
        after cursor: FeedCursor, _ following: Following, isBusy: Bool = false
    ) async throws(RPCError) -> FeedRead.Result {
        var wait = min(max(.zero, settings.wait), .milliseconds(FeedRead.waitMillisecondsMax))
        if following.saving.isPending || isBusy && following.saving.isUsed { wait = min(wait, Saving.pollInterval) }
        let answer = try await call(
            FeedRead.Params(
                feed: topic, shard: numberedShard, cursor: cursor,
                acknowledged: following.share.isAll ? following.least : leases.applied, limit: settings.batchMax,
                waitMilliseconds: Int(wait.seconds * 1000), parts: isDivided ? following.share : nil),
            deadline: .after(wait + .seconds(5)))
        if let shards = answer.shards { learn(shards) }
        return answer
    }

    private func call(_ params: FeedRead.Params, deadline: Deadline) async throws(RPCError) -> FeedRead.Result {
        do throws(RPCError) {
            let answer = try await caller.call(FeedRead.self, params, deadline: deadline)
            unreachableSince.withLock { $0 = nil }
            return answer
        } catch {
            let isAnswer = error.code != .unavailable && error.code != .deadline
            unreachableSince.withLock { since in since = isAnswer ? nil : since ?? .now() }
            throw error
        }
    }

    /// For how long the producer could not be reached from here.
    var unreachable: Duration { unreachableSince.withLock { $0.map { Deadline.now().since($0) } } ?? .zero }

    /// Whether the producer answers, whatever.
    func reaches() async -> Bool {
        let params = FeedRead.Params(
            feed: topic, shard: numberedShard, cursor: .none, acknowledged: nil, limit: 1, waitMilliseconds: 0)
        // Told by `unreachable`: an error may be an answer.
        _ = try? await call(params, deadline: .after(.seconds(1)))
        return unreachableSince.withLock { $0 == nil }
    }

    func snapshotPage(
        _ page: String?, _ parts: FeedParts, deadline: Deadline
    ) async throws(RPCError) -> FeedSnapshot.Result {
        try await caller.call(
            FeedSnapshot.self,
            FeedSnapshot.Params(feed: topic, shard: numberedShard, page: page, parts: isDivided ? parts : nil),
            deadline: deadline)
    }

    /// Producers without shards need not know of them.
    private var numberedShard: Int? { shard == 0 ? nil : shard }

    /// Has the handler write what it keeps.
    func saveKept() async throws { try await handler.save(ofShard: shard) }

    func follow(_ parts: FeedParts) async throws { try await handler.follow(parts, ofShard: shard) }

    /// Commits the effect and the moves of these parts' cursors in one transaction. The moves are the first statements:
    /// they lock the cursors, so a replica that is late does nothing else. While something is kept in memory the cursors stay,
    /// unless `isSaved`.
    func commit(
        _ effect: FeedEffect, _ parts: Set<Int>, _ following: inout Following, to cursor: FeedCursor,
        isSnapshot: Bool = false, settled: FeedSettled? = nil, isSaved: Bool = false, with more: [SQL] = []
    ) async throws {
        let isKept = effect.isKept || following.saving.isPending && !isSaved
        if isKept { following.saving.kept() }
        let parts = isKept ? [] : parts
        let moves = store.move(parts, of: following, to: cursor, isSnapshot: isSnapshot, settled: settled) + more
        switch effect {
        case .kept:
            if !moves.isEmpty { try await database.batch(moves) }
        case .statements(let statements):
            if !isKept || !(moves + statements).isEmpty { try await database.batch(moves + statements) }
        case .transaction(let body), .keptBut(let body):
            // What had to wait for the database may be another replica's by now.
            let checks = moves.isEmpty ? [store.hold(following)] : moves
            try await database.transaction { transaction in
                try await body(transaction)
                for check in checks { try transaction.beforeCommit(check) }
            }
        }
        guard !isKept else { return }
        following.moved(parts, to: cursor, isSnapshot: isSnapshot, by: store.replica)
        if parts == following.all { following.flushDue = .after(Self.flushInterval) }
        if let settled { metrics.caughtUp(settled) }
    }
}
