import Postgres
import JSON
import Feed
import Service

/// Feeds' incidents in the log.
struct FeedReport: Sendable {
    let log: Log

    /// Payloads stay out of it.
    @Sendable func incident(_ incident: FeedIncident) {
        switch incident {
        case .parked(let feed, let record, let error):
            log.error(
                "feed event parked",
                ["feed": .string(feed), "position": .integer(record.position), "error": .string(error)])
        case .applyFailed(let feed, let error):
            log.warning("feed event failed", ["feed": .string(feed), "error": .string(error)])
        case .interrupted(let feed, let error):
            log.warning("feed interrupted", ["feed": .string(feed), "error": .string(error)])
        case .gone(let feed): log.warning("feed gone, snapshot begins", ["feed": .string(feed)])
        case .snapshotTaken(let feed): log.info("feed snapshot taken", ["feed": .string(feed)])
        case .ringFull(let bytes): log.warning("feed segments full", ["bytes": .integer(Int64(bytes))])
        case .upkeepFailed(let error): log.warning("feed upkeep failed", ["error": .string(error.description)])
        }
    }
}
