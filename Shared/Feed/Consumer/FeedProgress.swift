public import Primitives

/// How far a service has applied a feed: as stored, so that all its replicas know it, also after a restart.
public struct FeedProgress: Sendable, Hashable {
    /// Every event that was recorded before this time (`FeedRecord.recordedAt`, the producer's database) has been applied
    /// and committed. `nil` while that is not known: before the first answers, and while a snapshot is taken. What is
    /// published by a transaction that begins later may be applied already.
    public let appliedUntil: Timestamp?
    /// How long ago the consumer was caught up: everything that had been committed then has been applied. `nil` as
    /// `appliedUntil`, and until it is caught up again after the consumer's database clock was set back. Grows while the
    /// producer, or the consumer's own work, stands still.
    public let age: Duration?
    /// The same as `appliedUntil` for the producer's shard that is furthest, when others stand still. `nil` while it is not
    /// known of any.
    public let furthestUntil: Timestamp?
    /// How long ago that was found out; `nil` as `age`.
    public let furthestAge: Duration?

    /// Unknown.
    public static let unknown = FeedProgress(appliedUntil: nil, age: nil)

    public init(appliedUntil: Timestamp?, age: Duration?) {
        self.appliedUntil = appliedUntil
        self.age = age
        furthestUntil = appliedUntil
        furthestAge = age
    }

    /// What holds for all of these; unknown when there are none, or one of them is.
    public init(least all: some Collection<FeedProgress>) {
        let (times, ages) = (all.compactMap(\.appliedUntil), all.compactMap(\.age))
        appliedUntil = times.count == all.count ? times.min() : nil
        age = ages.count == all.count ? ages.max() : nil
        let furthest = all.filter { $0.furthestUntil != nil }
            .max { ($0.furthestUntil ?? .now()) < ($1.furthestUntil ?? .now()) }
        furthestUntil = furthest?.furthestUntil
        furthestAge = furthest?.furthestAge
    }
}
