/// The upkeep of a producer's feeds.
public struct FeedSettings: Sendable {
    /// Lanes for connections of their own, 1 to 64: as many as connections that publish, in all replicas together.
    /// Connections beyond that share one lane and wait for each other.
    public var lanesMax = 64
    /// A segment is closed when it is as large as this, index included (or as a quarter of what the feed may hold),
    public var segmentBytesMax = 64 << 20
    /// or has been open for this long. A closed segment is emptied when all durable consumers have passed it,
    public var segmentTime = Duration.seconds(600)
    /// and its newest event is this old: ephemeral readers that are only a moment behind then need no snapshot.
    public var trimGrace = Duration.seconds(60)
    /// Between rounds of upkeep: acknowledgements are written, the ring is turned and trimmed, segments are looked up.
    public var upkeepInterval = Duration.seconds(1)
    /// Between two notifications to other replicas.
    public var notifyInterval = Duration.milliseconds(1)
    /// How often replicas announce themselves; one that was not heard for three times this gets no notifications.
    public var helloInterval = Duration.seconds(5)
    /// How long trimming waits for the users of a segment; readers may wait behind it for as long.
    public var trimLockTime = Duration.milliseconds(10)

    public init() {}
}
