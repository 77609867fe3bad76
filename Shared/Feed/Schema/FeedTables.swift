/// The tables of one feed, named for its topic: the events of `ingestion.live` are in `feed_live_0` to `feed_live_3`.
struct FeedTables: Sendable {
    let feed: String
    let topic: String
    /// The names of the segments' tables.
    let segments: [String]

    /// - Precondition: the name's part behind the dot has lower-case letters, digits and underscores only, at most 40.
    init(feed: String) {
        self.feed = feed
        let topic = String(feed.split(separator: ".").last ?? "")
        precondition(
            (1...40).contains(topic.utf8.count)
                && topic.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 },
            "\(feed) cannot be the name of a feed")
        self.topic = topic
        segments = (0..<FeedSchema.segmentCount).map { "feed_\(topic)_\($0)" }
    }

    /// The view of all segments.
    var log: String { "feed_\(topic)_log" }
    /// The function that reads after positions.
    var read: String { "feed_\(topic)_read" }
    /// The function that tells how far a consumer is behind.
    var lag: String { "feed_\(topic)_lag" }
    /// The function that tells each lane's last position.
    var end: String { "feed_\(topic)_end" }
}
