internal import Primitives
internal import RPC
internal import Reactor
internal import Synchronization
internal import Telemetry

/// Follows the feed of one shard of the producer in memory (`FeedReader`).
final class ShardReader: Sendable {
    /// As the producer names it.
    private let topic: String
    private let shard: Int
    /// As the log names it.
    private let feed: String
    private let caller: any RPCCaller
    private let wait: Duration
    private let freshness: Duration?
    /// Is told how many shards the producer has.
    private let learn: @Sendable (_ shards: Int) -> Void
    private let update: @Sendable (FeedReader.Update) async -> Void
    private let report: FeedReport
    private let lastHeard = Mutex<Deadline?>(nil)
    private let backOff = FeedConsumerSettings().pauses

    init(
        _ topic: String, shard: Int, from caller: any RPCCaller, wait: Duration, freshness: Duration?,
        observer: Observer, learn: @escaping @Sendable (_ shards: Int) -> Void,
        update: @escaping @Sendable (FeedReader.Update) async -> Void
    ) {
        (self.topic, self.shard) = (topic, shard)
        feed = CursorStore.name(of: topic, shard: shard)
        self.caller = caller
        self.wait = wait
        self.freshness = freshness
        self.learn = learn
        self.update = update
        report = FeedReport(observer)
    }

    /// See `FeedReader.age`.
    var age: Duration? { lastHeard.withLock { $0.map { Deadline.now().since($0) } } }

    /// Follows the feed until the task is cancelled.
    func run(on loop: EventLoop) async {
        var failures = 0
        var interruption = RepeatedFailure()
        var cursor: FeedCursor?
        // The first answer tells of other shards, so nobody waits for it.
        var wait = Duration.zero
        while !Task.isCancelled {
            do throws(RPCError) {
                if let known = cursor {
                    cursor = try await follow(known, wait: wait)
                    wait = self.wait
                } else {
                    cursor = try await takeSnapshot()
                }
                failures = 0
                interruption.succeeded()
                continue
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                if isFeedGone(error) {
                    report(.gone(feed: feed))
                    cursor = nil
                } else if error.code != .cancelled {
                    let isKnown = !interruption.isToBeTold()
                    report(.interrupted(feed: feed, error: error, isKnown: isKnown))
                }
            }
            do { try await loop.sleep(for: backOff.delay(afterFailures: failures)) } catch { return }
        }
    }

    private func takeSnapshot() async throws(RPCError) -> FeedCursor? {
        lastHeard.withLock { $0 = nil }
        let asked = Deadline.now()
        var page = try await snapshotPage(nil)
        guard let cursor = page.cursor else { throw RPCError(.internal, "A snapshot came without a cursor.") }
        await update(.snapshotBegan)
        while true {
            if !page.entities.isEmpty { await update(.entities(page.entities)) }
            guard let next = page.next else { break }
            page = try await snapshotPage(next)
        }
        await update(.snapshotEnded)
        lastHeard.withLock { $0 = asked }
        report(.snapshotTaken(feed: feed))
        return cursor
    }

    private func snapshotPage(_ page: String?) async throws(RPCError) -> FeedSnapshot.Result {
        try await caller.call(
            FeedSnapshot.self, FeedSnapshot.Params(feed: topic, shard: numberedShard, page: page),
            deadline: .after(.seconds(30)))
    }

    private func follow(_ cursor: FeedCursor, wait: Duration) async throws(RPCError) -> FeedCursor {
        let asked = Deadline.now()
        let answer = try await caller.call(
            FeedRead.self,
            FeedRead.Params(
                feed: topic, shard: numberedShard, cursor: cursor, acknowledged: nil, limit: FeedRead.eventsMax,
                waitMilliseconds: Int(wait.seconds * 1000), freshMilliseconds: freshness.map { Int($0.seconds * 1000) }),
            deadline: .after(wait + .seconds(5)))
        if let shards = answer.shards { learn(shards) }
        if !answer.events.isEmpty { await update(.changes(answer.events)) }
        if !answer.more {
            lastHeard.withLock { $0 = asked.advanced(by: .zero - (freshness ?? .zero)) }
        }
        return answer.cursor
    }

    /// Producers without shards need not know of them.
    private var numberedShard: Int? { shard == 0 ? nil : shard }
}
