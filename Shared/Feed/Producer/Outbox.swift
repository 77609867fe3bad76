internal import JSON
internal import Postgres

/// The statement that writes events.
enum Outbox {
    /// The most events in one transaction's call.
    static let eventsMax = 10_000

    /// Throws for an event that consumers could not be given.
    static func check(_ events: [FeedEvent], _ feeds: [String: FeedDefinition]) throws(PostgresError) {
        guard events.count <= eventsMax else { throw .usage("more than \(eventsMax) events at once") }
        for event in events {
            guard let feed = feeds[event.feed] else { throw .usage("the feed \(event.feed) is not defined") }
            if let addressee = event.addressee, feed.addressees[addressee] == nil {
                throw .usage("events of \(event.feed) cannot be addressed to \(addressee)")
            }
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

    private struct Rows {
        var positions: [Int64] = []
        var addressees: [Int16] = []
        var slots: [Int16] = []
        var events: [[UInt8]] = []
    }

    /// Inserts into the segment that `table` names for a feed, one statement per feed. A segment that is no longer the
    /// current one does no harm: only positions count.
    static func insert(
        _ events: [FeedEvent], _ definitions: [String: FeedDefinition], at place: Lanes.Place,
        into table: (_ feed: String) -> String
    ) -> [SQL] {
        func addressee(_ event: FeedEvent) -> Int16 {
            definitions[event.feed]?.number(of: event.addressee) ?? 0
        }
        guard events.count > 1 else {
            return events.map { event in
                """
                insert into \(raw: table(event.feed)) (lane, position, addressee, slot, event)
                values (\(place.lane), \(place.first), \(addressee(event)), \(FeedParts.slot(of: event.entity)),
                  \(PackedEvent.pack(event)))
                """
            }
        }
        var feeds: [String: Rows] = [:]
        for (index, event) in events.enumerated() {
            feeds[event.feed, default: Rows()].positions.append(place.first + Int64(index))
            feeds[event.feed, default: Rows()].addressees.append(addressee(event))
            feeds[event.feed, default: Rows()].slots.append(FeedParts.slot(of: event.entity))
            feeds[event.feed, default: Rows()].events.append(PackedEvent.pack(event))
        }
        return feeds.map { feed, rows in
            """
            insert into \(raw: table(feed)) (lane, position, addressee, slot, event)
            select \(place.lane), e.position, e.addressee, e.slot, e.event
            from unnest(\(rows.positions), \(rows.addressees), \(rows.slots), \(rows.events))
              as e (position, addressee, slot, event)
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
