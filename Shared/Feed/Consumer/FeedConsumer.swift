public import Postgres
internal import Primitives
public import RPC
public import Reactor
public import Telemetry

/// Follows a feed durably: every event takes effect exactly once, since its effect and the cursor's move are one
/// transaction. Several replicas may follow the same feed for one service. Where the producer's data lie in shards, each has
/// the feed for itself, and all are followed: what is new of them is learnt from the first one's answers.
///
/// Needs `FeedSchema.consumer`.
public final class FeedConsumer: Sendable {
    /// How often is checked whether other replicas follow shards that this one has not heard of.
    private static let shardInterval = Duration.seconds(10)

    public let feed: String
    private let database: Database
    private let isDivided: Bool
    private let make: @Sendable (_ shard: Int, _ learn: @escaping @Sendable (Int) -> Void) -> ShardConsumer
    private let shards = ShardCount()

    public init(
        feed: String, from caller: any RPCCaller, into database: Database, handler: any FeedHandler,
        settings: FeedConsumerSettings = FeedConsumerSettings(), observer: Observer
    ) {
        self.feed = feed
        self.database = database
        isDivided = settings.parts != nil
        let replica = UUID.random()
        make = { shard, learn in
            ShardConsumer(
                feed, shard: shard, as: replica, from: caller, into: database, handler: handler, settings: settings,
                observer: observer, learn: learn)
        }
    }

    /// How far this service has applied the feed, of all shards and by all its replicas together. Events that were parked
    /// count as applied.
    public func progress(deadline: Deadline? = nil) async throws(PostgresError) -> FeedProgress {
        try await CursorStore.progress(of: feed, in: database, deadline: deadline)
    }

    /// Follows the feed until the task is cancelled. Call on a loop.
    public func run() async {
        guard let loop = EventLoop.current else { preconditionFailure("FeedConsumer.run outside an event loop") }
        await withTaskGroup(of: Void.self) { group in
            var begun = 0
            while !Task.isCancelled {
                let seen = shards.changes.value
                for shard in begun..<shards.value {
                    let consumer = make(shard) { [shards] in shards.learn($0) }
                    group.addTask { await consumer.run(on: loop) }
                    begun = shard + 1
                }
                guard isDivided else {
                    _ = await shards.changes.wait(after: seen)
                    continue
                }
                // A replica that follows no part of the first shard hears of the others from those that do. What cannot be
                // read now is read the next time.
                if await shards.changes.wait(after: seen, deadline: .after(Self.shardInterval)) == seen {
                    shards.learn((try? await CursorStore.shards(of: feed, in: database)) ?? 0)
                }
            }
        }
    }
}
