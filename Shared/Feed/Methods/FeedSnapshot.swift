public import RPC

/// `feed.snapshot`: the present state of a feed's entities, in pages. Consumers go on reading from the first page's
/// cursor, which was taken before anything else was read, so nothing is missed, and ignore versions that they have
/// already.
public enum FeedSnapshot: RPCMethod {
    public static let name = "feed.snapshot"
    public static let isIdempotent = true

    public struct Params: Codable, Sendable {
        public var feed: String
        /// The producer's shard, 0 or `nil` the first.
        public var shard: Int?
        /// `nil` for the first; then `next` of the page before.
        public var page: String?
        /// The parts for which the snapshot is taken; the entities are those of all parts, however. Without them the consumer
        /// takes it as a whole, and has committed all that came before.
        public var parts: FeedParts?

        public init(feed: String, shard: Int? = nil, page: String?, parts: FeedParts? = nil) {
            self.feed = feed
            self.shard = shard
            self.page = page
            self.parts = parts
        }
    }

    public struct Result: Codable, Sendable {
        public var entities: [FeedEntity]
        /// `nil` after the last page.
        public var next: String?
        /// On the first page.
        public var cursor: FeedCursor?

        public init(entities: [FeedEntity], next: String?, cursor: FeedCursor?) {
            self.entities = entities
            self.next = next
            self.cursor = cursor
        }
    }
}
