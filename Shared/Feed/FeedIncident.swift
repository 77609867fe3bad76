public import Postgres

/// What an operator may want to know about a feed. Errors may hold values of rows: loggers choose what they show.
public enum FeedIncident: Sendable {
    /// An event failed again and again and was put aside (`feed_parked`); the others go on.
    case parked(feed: String, record: FeedRecord, error: any Error)
    /// An event that was parked before has been applied after all.
    case unparked(feed: String, record: FeedRecord)
    /// An event, or a batch of them, could not be applied; it is tried again.
    case applyFailed(feed: String, error: any Error)
    /// Reading failed, or the own database; it is tried again.
    case interrupted(feed: String, error: any Error)
    /// The cursor is of another epoch or too old: a snapshot is taken.
    case gone(feed: String)
    /// The snapshot is complete.
    case snapshotTaken(feed: String)
    /// Every segment is full: some durable consumer is far behind, or was configured and never came.
    case ringFull(bytes: Int)
    /// The producer's upkeep failed; it is tried again.
    case upkeepFailed(PostgresError)
}
