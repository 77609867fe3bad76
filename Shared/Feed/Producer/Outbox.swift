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
            guard event.payload.bytes.count <= FeedEvent.payloadBytesMax else {
                throw .usage("an event of \(event.feed) is larger than \(FeedEvent.payloadBytesMax) bytes")
            }
        }
    }

    /// Inserts into a segment. A segment that is no longer the current one does no harm: only positions count.
    static func insert(_ events: [FeedEvent], at place: Lanes.Place, segment: Int) -> SQL {
        guard events.count == 1 else { return insertMany(events, at: place, segment: segment) }
        let event = events[0]
        return """
            insert into feed_event_\(raw: String(segment)) (feed, lane, position, entity, version, kind, payload)
            values (\(event.feed), \(place.lane), \(place.first), \(event.entity), \(event.version), \(event.kind), \
            \(event.payload.bytes))
            """
    }

    private static func insertMany(_ events: [FeedEvent], at place: Lanes.Place, segment: Int) -> SQL {
        """
        insert into feed_event_\(raw: String(segment)) (feed, lane, position, entity, version, kind, payload)
        select e.feed, \(place.lane), \(place.first) - 1 + e.number, e.entity, e.version, e.kind, e.payload
        from unnest(\(events.map(\.feed)), \(events.map(\.entity)), \(events.map(\.version)), \(events.map(\.kind)),
          \(events.map(\.payload.bytes))) with ordinality as e (feed, entity, version, kind, payload, number)
        """
    }
}
