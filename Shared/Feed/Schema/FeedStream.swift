/// The number under which the events of one lane of one feed are stored: a hash of the feed's name above the lane. One
/// short number instead of name and lane makes an event's place in the index a third as long, and comparing it a
/// fraction of the work. `feed_base` in the schema computes the same.
enum FeedStream {
    /// Lanes are below this.
    static let laneSpace: Int32 = 128

    /// The first number of a feed: 24 bits of the FNV-1a hash of its name, above the lanes.
    static func base(of feed: String) -> Int32 {
        var hash: UInt32 = 2_166_136_261
        for byte in feed.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int32(hash >> 8) * laneSpace
    }

    static func number(feed: String, lane: Int) -> Int32 { base(of: feed) + Int32(lane) }

    static func lane(of stream: Int32) -> Int { Int(stream % laneSpace) }
}
