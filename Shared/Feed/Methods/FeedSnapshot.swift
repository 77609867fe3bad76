public import RPC

/// `feed.snapshot`: the present state of a feed's entities, in pages. Consumers go on reading from the first page's
/// cursor, which was taken before anything else was read, so nothing is missed, and ignore versions that they have
/// already.
public enum FeedSnapshot: RPCMethod {
    public static let name = "feed.snapshot"
    public static let isIdempotent = true

    public struct Params: Codable, Sendable {
        public var feed: String
        /// `nil` for the first; then `next` of the page before.
        public var page: String?

        public init(feed: String, page: String?) {
            self.feed = feed
            self.page = page
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
