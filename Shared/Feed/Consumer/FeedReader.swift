public import RPC
internal import Reactor
internal import Synchronization
public import Telemetry

/// Follows a feed in memory, for caches and live pages: a snapshot, then changes; again from a snapshot when the feed
/// is gone or the process restarts. The producer does not wait for it.
public final class FeedReader: Sendable {
    /// The updates, in order.
    public enum Update: Sendable {
        /// What was known is void; the entities up to `snapshotEnded` are all there are.
        case snapshotBegan
        case entities([FeedEntity])
        case snapshotEnded
        case changes([FeedRecord])
    }

    public let feed: String
    private let caller: any RPCCaller
    private let wait: Duration
    private let freshness: Duration?
    private let update: @Sendable (Update) async -> Void
    private let report: FeedReport
    private let lastHeard = Mutex<Deadline?>(nil)
    private let backOff = FeedConsumerSettings().pauses

    /// `wait` is how long the producer may hold back an answer while there is nothing: with a short one, `age` shows
    /// sooner that the producer is unavailable. `freshness` is how old the producer's own knowledge may be when it
    /// answers; without one, what another replica of it published may be missing for some seconds.
    public init(
        feed: String, from caller: any RPCCaller, wait: Duration = .seconds(20), freshness: Duration? = nil,
        observer: Observer, update: @escaping @Sendable (Update) async -> Void
    ) {
        self.feed = feed
        self.caller = caller
        self.wait = min(max(.zero, wait), .milliseconds(FeedRead.waitMillisecondsMax))
        self.freshness = freshness
        report = FeedReport(observer)
        self.update = update
    }

    /// How old the known state may be: the time since the last question was sent whose answer was passed on and left
    /// nothing unread, plus the age that the answer itself may have had. `nil` before the first snapshot is complete,
    /// and while a new one is taken.
    public var age: Duration? {
        lastHeard.withLock { $0.map { Deadline.now().since($0) } }
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedReader.run outside an event loop") }
        var failures = 0
        var interruption = RepeatedFailure()
        var cursor: FeedCursor?
        while !Task.isCancelled {
            do throws(RPCError) {
                if let known = cursor {
                    cursor = try await follow(known)
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
            FeedSnapshot.self, FeedSnapshot.Params(feed: feed, page: page), deadline: .after(.seconds(30)))
    }

    private func follow(_ cursor: FeedCursor) async throws(RPCError) -> FeedCursor {
        let asked = Deadline.now()
        let answer = try await caller.call(
            FeedRead.self,
            FeedRead.Params(
                feed: feed, cursor: cursor, acknowledged: nil, limit: FeedRead.eventsMax,
                waitMilliseconds: Int(wait.seconds * 1000), freshMilliseconds: freshness.map { Int($0.seconds * 1000) }),
            deadline: .after(wait + .seconds(5)))
        if !answer.events.isEmpty { await update(.changes(answer.events)) }
        if !answer.more {
            lastHeard.withLock { $0 = asked.advanced(by: .zero - (freshness ?? .zero)) }
        }
        return answer.cursor
    }
}
