internal import JSON
internal import Postgres

/// The statement that writes events.
enum Outbox {
    /// The most events in one transaction's call.
    static let eventsMax = 10_000

    /// Fails for an event that consumers could not be given.
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
        }
    }

    /// Inserts into a segment. A segment that is no longer the current one does no harm: only positions count.
    static func insert(_ events: [FeedEvent], at place: Lanes.Place, segment: Int) -> SQL {
        guard events.count == 1 else { return insertMany(events, at: place, segment: segment) }
        let stream = FeedStream.number(feed: events[0].feed, lane: Int(place.lane))
        return """
            insert into feed_event_\(raw: String(segment)) (stream, position, event)
            values (\(stream), \(place.first), \(PackedEvent.pack(events[0])))
            """
    }

    private static func insertMany(_ events: [FeedEvent], at place: Lanes.Place, segment: Int) -> SQL {
        let streams = events.map { FeedStream.number(feed: $0.feed, lane: Int(place.lane)) }
        return """
            insert into feed_event_\(raw: String(segment)) (stream, position, event)
            select e.stream, \(place.first) - 1 + e.number, e.event
            from unnest(\(streams), \(events.map { PackedEvent.pack($0) })) with ordinality as e (stream, event, number)
            """
    }
}
