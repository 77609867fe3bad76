internal import JSON
internal import Postgres

/// The statement that writes events.
enum Outbox {
    /// The most events in one transaction's call.
    static let eventsMax = 10_000

    /// Throws for an event that consumers could not be given.
    static func check(_ events: [FeedEvent], known: (String) -> Bool) throws(PostgresError) {
        guard events.count <= eventsMax else { throw .usage("more than \(eventsMax) events at once") }
        for event in events {
            guard known(event.feed) else { throw .usage("the feed \(event.feed) is not defined") }
            guard (1...PackedEvent.kindBytesMax).contains(event.kind.utf8.count) else {
                throw .usage("a kind of \(event.feed) is empty or longer than \(PackedEvent.kindBytesMax) bytes")
            }
            guard event.payload.bytes.count <= FeedEvent.payloadBytesMax else {
                throw .usage("an event of \(event.feed) is larger than \(FeedEvent.payloadBytesMax) bytes")
            }
            guard depth(of: event.payload.bytes) <= FeedEvent.payloadDepthMax else {
                throw .usage("an event of \(event.feed) is nested deeper than \(FeedEvent.payloadDepthMax)")
            }
        }
    }

    /// Inserts into the segment that `table` names for a feed, one statement per feed. A segment that is no longer the
    /// current one does no harm: only positions count.
    static func insert(_ events: [FeedEvent], at place: Lanes.Place, into table: (_ feed: String) -> String) -> [SQL] {
        guard events.count > 1 else {
            return events.map { event in
                """
                insert into \(raw: table(event.feed)) (lane, position, event)
                values (\(place.lane), \(place.first), \(PackedEvent.pack(event)))
                """
            }
        }
        var feeds: [String: (positions: [Int64], events: [[UInt8]])] = [:]
        for (index, event) in events.enumerated() {
            feeds[event.feed, default: ([], [])].positions.append(place.first + Int64(index))
            feeds[event.feed, default: ([], [])].events.append(PackedEvent.pack(event))
        }
        return feeds.map { feed, rows in
            """
            insert into \(raw: table(feed)) (lane, position, event)
            select \(place.lane), e.position, e.event from unnest(\(rows.positions), \(rows.events)) as e (position, event)
            """
        }
    }

    /// Objects and arrays within one another in a JSON text that is known to be valid.
    static func depth(of text: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        var (isString, isEscaped) = (false, false)
        for byte in text {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}
