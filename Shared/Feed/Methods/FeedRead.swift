public import RPC

/// `feed.read`: the events after a cursor. Answers at once when there are some, otherwise when the first comes, or with
/// none when `wait_ms` is over. Errors: `gone` with the domain `feed.gone` when the cursor is of another epoch or
/// something after it was trimmed: then `feed.snapshot` is next; `notFound`, `notAllowed`.
public enum FeedRead: RPCMethod {
    public static let name = "feed.read"
    public static let isIdempotent = true
    public static func isLongPoll(_ params: Params) -> Bool { params.waitMilliseconds > 0 }
    /// The longest wait.
    public static let waitMillisecondsMax = 30_000
    /// The most events in one answer.
    public static let eventsMax = 500

    public struct Params: Codable, Sendable {
        public var feed: String
        /// The producer's shard, 0 or `nil` the first.
        public var shard: Int?
        public var cursor: FeedCursor
        /// What a durable consumer has committed, which may be trimmed. (`cursor` may be ahead of it.)
        public var acknowledged: FeedCursor?
        public var limit: Int
        public var waitMilliseconds: Int
        /// The parts whose events are wanted; without them, all.
        public var parts: FeedParts?
        /// How old the producer's knowledge of the table may be when the question comes in; without it, of any age.
        public var freshMilliseconds: Int?

        enum CodingKeys: String, CodingKey {
            case feed, shard, cursor, acknowledged, limit, parts
            case waitMilliseconds = "wait_ms"
            case freshMilliseconds = "fresh_ms"
        }

        public init(
            feed: String, shard: Int? = nil, cursor: FeedCursor, acknowledged: FeedCursor?, limit: Int,
            waitMilliseconds: Int,
            parts: FeedParts? = nil, freshMilliseconds: Int? = nil
        ) {
            self.feed = feed
            self.shard = shard
            self.cursor = cursor
            self.acknowledged = acknowledged
            self.limit = limit
            self.waitMilliseconds = waitMilliseconds
            self.parts = parts
            self.freshMilliseconds = freshMilliseconds
        }
    }

    public struct Result: Codable, Sendable {
        /// In each lane in order and without gaps. May be none although there is more.
        public var events: [FeedRecord]
        /// Past these events, and past those of others (of parts that were not asked for, or addressed to another service).
        public var cursor: FeedCursor
        /// Whether there is more behind the cursor already.
        public var more: Bool
        /// What holds for the cursor; `nil` when it is too far behind to tell.
        public var settled: FeedSettled?
        /// How many shards have this feed; `nil`: one.
        public var shards: Int?

        public init(events: [FeedRecord], cursor: FeedCursor, more: Bool, settled: FeedSettled? = nil) {
            self.events = events
            self.cursor = cursor
            self.more = more
            self.settled = settled
        }
    }
}
