public import Postgres

/// The changes to the consumer's database when something is applied; committed together with the cursor's move.
public enum FeedEffect: Sendable {
    /// Statements alone: they go out with the cursor's move and the commit in one round trip.
    case statements([SQL])
    /// A transaction. It may run more than once, when the database could not serialise it; what it does outside the
    /// database is at least once.
    case transaction(@Sendable (Transaction) async throws -> Void)
    /// All of it is in the handler's memory, and `save` writes it later: the cursor stays until then. After a crash the events
    /// come again.
    case kept
    /// As `kept`, but for this transaction, which is committed now: its events come again after a crash, too, and must then
    /// change nothing.
    case keptBut(@Sendable (Transaction) async throws -> Void)

    /// Nothing to do; only the cursor moves.
    public static let none = FeedEffect.statements([])

    var isKept: Bool {
        switch self {
        case .kept, .keptBut: true
        case .statements, .transaction: false
        }
    }
}

/// What a service does with the events of a feed that it follows durably.
public protocol FeedHandler: Sendable {
    /// Called before anything of a shard of the producer (the first is 0) is applied, and again when the parts change that
    /// this process follows (`all` of a feed that is not divided, none when other replicas have them all), and after
    /// failures: what is in memory of the entities of these parts may be older than what another replica has stored of them,
    /// and has to be read.
    func follow(_ parts: FeedParts, ofShard shard: Int) async throws

    /// Applies events, which are in the order of their lanes. An event with an older `version` than what is stored is
    /// to be ignored. Throwing, or failing statements, count as failures of the events, which are then applied in
    /// parts; an event that fails alone several times while others succeed is parked. Failures of neighbours
    /// (`RPCError`) and of the database itself are only retried.
    func apply(_ records: [FeedRecord]) async throws -> FeedEffect

    /// Writes what was kept in memory of a shard's events when this is called (`FeedEffect.kept`). More events are applied
    /// meanwhile. The cursor moves when it is done.
    func save(ofShard shard: Int) async throws

    /// Called after the effect is committed or kept, to wake what waits for it. Not called for events whose commit was followed
    /// by a crash, so nothing may depend on it alone.
    func committed(_ records: [FeedRecord]) async

    /// Called for events that were read and that the consumer's database does not take in time
    /// (`FeedConsumerSettings.foresight`): whatever cannot wait is to be done without it. They come to `apply` again.
    func foresee(_ records: [FeedRecord], ofShard shard: Int) async

    /// What is committed has come as far as what was foreseen.
    func foresightEnded(ofShard shard: Int) async

    /// A snapshot of these parts begins: from now on, entities that it holds have to be distinguished from others. A handler
    /// of a feed that is never divided leaves the parts aside (`beginSnapshot()`).
    func beginSnapshot(of parts: FeedParts) async throws -> FeedEffect

    /// Applies a page of the snapshot. It replaces what is stored, whatever the versions: those of a primary that was
    /// lost are given out again by the standby that was promoted in its place.
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect

    /// The snapshot is complete: entities of these parts that it did not hold no longer exist.
    func endSnapshot(of parts: FeedParts) async throws -> FeedEffect

    func beginSnapshot() async throws -> FeedEffect
    func endSnapshot() async throws -> FeedEffect
}

extension FeedHandler {
    public func follow(_ parts: FeedParts, ofShard shard: Int) async throws {}
    public func foresee(_ records: [FeedRecord], ofShard shard: Int) async {}
    public func foresightEnded(ofShard shard: Int) async {}
    public func beginSnapshot(of parts: FeedParts) async throws -> FeedEffect { try await beginSnapshot() }
    public func endSnapshot(of parts: FeedParts) async throws -> FeedEffect { try await endSnapshot() }
    public func committed(_ records: [FeedRecord]) async {}
    public func save(ofShard shard: Int) async throws {}
}
