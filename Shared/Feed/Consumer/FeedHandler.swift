public import Postgres

/// What applying something does to the consumer's database; it takes effect together with the cursor's move.
public enum FeedEffect: Sendable {
    /// Statements alone: they go out with the cursor's move and the commit in one round trip.
    case statements([SQL])
    /// A transaction. It may run more than once, when the database could not serialise it; what it does outside the
    /// database is at least once.
    case transaction(@Sendable (Transaction) async throws -> Void)

    /// Nothing to do; only the cursor moves.
    public static let none = FeedEffect.statements([])
}

/// What a service does with a feed it follows durably.
public protocol FeedHandler: Sendable {
    /// Events in the order of their lanes. What is older than what is there already (`version`) is to be ignored.
    /// Throwing, or failing statements, count as failures of the events, which are then applied in parts; an event that
    /// fails alone again and again while others do not is parked. Failures of neighbours (`RPCError`) and of the database
    /// itself are only retried.
    func apply(_ records: [FeedRecord]) async throws -> FeedEffect

    /// The events' effect is committed: for what is woken by it. Not called again for events whose commit was followed by
    /// a crash, so nothing may depend on it alone.
    func committed(_ records: [FeedRecord]) async

    /// A snapshot begins: from now on, what it mentions is to be told from what it does not.
    func beginSnapshot() async throws -> FeedEffect

    /// A page of the snapshot. It replaces what is there, whatever the versions: those of a primary that was lost are
    /// given out again by the standby that was promoted in its place.
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect

    /// The snapshot is complete: what it did not mention no longer exists.
    func endSnapshot() async throws -> FeedEffect
}

extension FeedHandler {
    public func committed(_ records: [FeedRecord]) async {}
}
