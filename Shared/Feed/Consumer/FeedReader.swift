internal import Primitives
public import RPC
internal import Reactor
internal import Synchronization
public import Telemetry

/// Follows a feed in memory, for caches and live pages: a snapshot, then changes; again from a snapshot when the feed
/// is gone or the process restarts. The producer does not wait for it. Where the producer's data lie in shards, each has the
/// feed for itself, and all are followed: what is new of them is learnt from the first one's answers.
public final class FeedReader: Sendable {
    /// The updates of one shard, in order.
    public enum Update: Sendable {
        /// What was known of the shard is void; the entities up to `snapshotEnded` are all there are.
        case snapshotBegan
        case entities([FeedEntity])
        case snapshotEnded
        case changes([FeedRecord])
    }

    public let feed: String
    private let make: @Sendable (_ shard: Int, _ learn: @escaping @Sendable (Int) -> Void) -> ShardReader
    private let shards = ShardCount()
    private let readers = Mutex<[ShardReader]>([])

    /// `wait` is how long the producer may hold back an answer while there is nothing: with a short one, `age` shows
    /// sooner that the producer is unavailable. `freshness` is how old the producer's own knowledge may be when it
    /// answers; without one, what another replica of it published may be missing for some seconds. `update` is told of which
    /// shard (the first is 0) an update is; those of several may come at the same time.
    public init(
        feed: String, from caller: any RPCCaller, wait: Duration = .seconds(20), freshness: Duration? = nil,
        observer: Observer, update: @escaping @Sendable (_ update: Update, _ shard: Int) async -> Void
    ) {
        self.feed = feed
        let wait = min(max(.zero, wait), .milliseconds(FeedRead.waitMillisecondsMax))
        make = { shard, learn in
            ShardReader(
                feed, shard: shard, from: caller, wait: wait, freshness: freshness, observer: observer, learn: learn
            ) { await update($0, shard) }
        }
    }

    /// How old the known state may be: the time since the last question was sent whose answer was passed on and left
    /// nothing unread, plus the age that the answer itself may have had; of several shards the greatest. `nil` before the first
    /// snapshot is complete, and while a new one is taken.
    public var age: Duration? {
        let ages = readers.withLock { $0 }.map(\.age)
        guard ages.count == shards.value, !ages.contains(nil) else { return nil }
        return ages.compactMap(\.self).max()
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedReader.run outside an event loop") }
        readers.withLock { $0 = [] }
        await withTaskGroup(of: Void.self) { group in
            var begun = 0
            while !Task.isCancelled {
                let seen = shards.changes.value
                for shard in begun..<shards.value {
                    let reader = make(shard) { [shards] in shards.learn($0) }
                    readers.withLock { $0.append(reader) }
                    group.addTask { await reader.run(on: loop) }
                    begun = shard + 1
                }
                _ = await shards.changes.wait(after: seen)
            }
        }
    }
}
