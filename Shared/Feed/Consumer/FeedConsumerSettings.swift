public import Primitives
public import Reactor

/// How a consumer follows its feed.
public struct FeedConsumerSettings: Sendable {
    /// Into how many parts the feed is divided, which the replicas share, 1 to `FeedParts.countMax`; `nil`: not at all. The
    /// number counts when the service comes to the feed for the first time.
    public var parts: Int?
    /// What metrics put behind the feed's name, in a service that follows the feed more than once.
    public var label = ""
    /// Events applied in one transaction, at most `FeedRead.eventsMax`.
    public var batchMax = 200
    /// How long the producer may hold an answer back while there is nothing, at most 30 s. The progress of a quiet feed
    /// is reported this often.
    public var wait = Duration.seconds(5)
    /// An event that failed alone so many times is parked, if others can be applied.
    public var attemptsMax = 5
    /// How payloads of parked events are sealed; stored as they came when it is `nil`.
    public var parkedPayloads: ParkedPayloads?
    /// The pauses after consecutive failures.
    public var backOff = BackOff(max: .seconds(5))
    /// Set when alarms depend on the feed: after a failure it is tried again within 200 ms, so that it goes on as soon
    /// as the producer, or the own database, answers again.
    public var carriesAlarms = false
    /// When the consumer's database has not taken a batch for so long, the handler is told of it, and of what is read behind
    /// it, in memory (`FeedHandler.foresee`); `nil`: never.
    public var foresight: Duration?
    /// How often a handler that keeps what it applies in memory is to save it (`FeedEffect.kept`): about twice this time has to be
    /// read again after a crash.
    public var saveInterval = Duration.seconds(3)
    /// How often parked events are checked for those that are due.
    public var parkedInterval = Duration.seconds(30)
    /// How long a snapshot that another replica is taking may stand still before this one takes it over.
    public var snapshotTakeover = Duration.seconds(15)

    public init() {}

    var pauses: BackOff {
        carriesAlarms ? BackOff(base: backOff.base, max: min(backOff.max, .milliseconds(200))) : backOff
    }

    /// Seals payloads before they are parked (NFR-05) and opens them again; bound to the event's entity.
    public struct ParkedPayloads: Sendable {
        let seal: @Sendable (_ payload: [UInt8], _ entity: UUID) throws -> [UInt8]
        let open: @Sendable (_ sealed: [UInt8], _ entity: UUID) throws -> [UInt8]

        public init(
            seal: @escaping @Sendable (_ payload: [UInt8], _ entity: UUID) throws -> [UInt8],
            open: @escaping @Sendable (_ sealed: [UInt8], _ entity: UUID) throws -> [UInt8]
        ) {
            self.seal = seal
            self.open = open
        }
    }
}
