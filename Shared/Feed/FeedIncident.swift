internal import JSON
internal import Postgres
internal import Reactor
internal import Telemetry

/// Incidents of a feed that operators may have to know.
enum FeedIncident {
    /// An event failed several times and was parked (`feed_parked`); the others go on.
    case parked(feed: String, record: FeedRecord, error: any Error)
    /// An event that was parked before has been applied after all.
    case unparked(feed: String, record: FeedRecord)
    /// An event, or a batch of them, could not be applied; it is tried again.
    case applyFailed(feed: String, error: any Error)
    /// Reading the feed or using the own database failed; it is tried again. `isKnown`: the same was reported a moment
    /// ago.
    case interrupted(feed: String, error: any Error, isKnown: Bool)
    /// The cursor is of another epoch or too old: a snapshot is taken.
    case gone(feed: String)
    /// The snapshot is complete.
    case snapshotTaken(feed: String)
    /// The feed has reached its cap: the consumer, which is far behind or never came, is no longer waited for and will
    /// need a snapshot.
    case passedOver(feed: String, consumer: String, bytes: Int)
    /// The configuration names a consumer that may not follow the feed durably.
    case unknownConsumer(feed: String, consumer: String)
    /// The configuration names a feed that the service does not publish.
    case notPublished(feed: String)
    /// The producer's upkeep failed; it is tried again. `isKnown`: the same was reported a moment ago.
    case upkeepFailed(PostgresError, isKnown: Bool)
}

/// Reports incidents to operators: a log line without payloads, which are personal, and a count.
struct FeedReport: Sendable {
    private let log: Log
    private let incidents: MetricFamily<Counter>

    init(_ observer: Observer) {
        log = observer.log
        incidents = observer.metrics.counters(
            "trackme_feed_incidents_total",
            "Incidents of feeds: interruptions, events not applied or parked, snapshots.",
            labels: ["feed", "kind"])
    }

    func callAsFunction(_ incident: FeedIncident) {
        switch incident {
        case .parked(let feed, let record, let error):
            incidents[feed, "parked"].increment()
            log.error("feed event parked", Self.fields(feed, record, ["error": Log.text(of: error)]))
        case .unparked(let feed, let record):
            incidents[feed, "unparked"].increment()
            log.info("parked feed event applied", Self.fields(feed, record))
        case .applyFailed(let feed, let error):
            incidents[feed, "not applied"].increment()
            log.warning("feed event not applied", ["feed": .string(feed), "error": Log.text(of: error)])
        case .interrupted(let feed, let error, let isKnown):
            incidents[feed, "interrupted"].increment()
            guard !isKnown else { return }
            log.warning("feed interrupted", ["feed": .string(feed), "error": Log.text(of: error)])
        case .gone(let feed):
            incidents[feed, "gone"].increment()
            log.warning("feed gone, taking a snapshot", ["feed": .string(feed)])
        case .snapshotTaken(let feed):
            incidents[feed, "snapshot"].increment()
            log.info("feed snapshot taken", ["feed": .string(feed)])
        case .passedOver(let feed, let consumer, let bytes):
            incidents[feed, "passed over"].increment()
            log.error(
                "feed consumer passed over",
                ["feed": .string(feed), "consumer": .string(consumer), "bytes": .integer(Int64(bytes))])
        case .unknownConsumer(let feed, let consumer):
            log.error(
                "the configuration names a consumer that may not follow the feed",
                ["feed": .string(feed), "consumer": .string(consumer)])
        case .notPublished(let feed):
            log.error("the configuration names a feed that is not published", ["feed": .string(feed)])
        case .upkeepFailed(let failure, let isKnown):
            guard !isKnown else { return }
            log.warning("feed upkeep failed", ["error": Log.text(of: failure)])
        }
    }

    /// (`position` alone would be taken for a person's.)
    private static func fields(_ feed: String, _ record: FeedRecord, _ more: JSONObject = [:]) -> JSONObject {
        var fields = more
        fields["feed"] = .string(feed)
        fields["lane"] = .integer(Int64(record.lane))
        fields["feed_position"] = .integer(record.position)
        return fields
    }
}
