public import Postgres

/// The tables of feeds, for a service's own schema: `producer` where it publishes, `consumer` where it follows others.
/// A service takes them up among its numbered migrations.
public enum FeedSchema {
    /// The tables of a service that publishes these feeds.
    public static func producer(_ number: Int, feeds: [String]) -> Migration {
        let tables = feeds.map { FeedTables(feed: $0) }
        precondition(Set(tables.map(\.topic)).count == feeds.count, "two feeds have one topic")
        let text = commonText + tables.map { feedText($0) }.joined() + peopleText(tables)
        return Migration(number, "feed_producer", Array(text.utf8))
    }

    /// The tables of a service that consumes feeds durably.
    public static func consumer(_ number: Int) -> Migration {
        Migration(number, "feed_consumer", Array(consumerText.utf8))
    }

    /// Segments in a feed's ring.
    static let segmentCount = 4
    /// Lanes that belong to one connection at a time; one more, the last, is shared by those that got none.
    static let ownedLaneCount = 64
    static let sharedLane = Int32(ownedLaneCount)
    static let laneCount = ownedLaneCount + 1
    /// The SQLSTATE of `feed_move` when the cursor is not where the caller thinks.
    static let cursorMoved = SQLState(rawValue: "TMF01")
}
