public import Primitives

/// How a consumer follows its feed.
public struct FeedConsumerSettings: Sendable {
    /// Events applied in one transaction, at most `FeedRead.eventsMax`.
    public var batchMax = 200
    /// How long the producer may hold an answer back while there is nothing, at most 30 s.
    public var wait = Duration.seconds(20)
    /// An event that failed alone so many times is parked.
    public var attemptsMax = 5
    /// How payloads of parked events are kept; as they came when it is `nil`.
    public var parkedPayloads: ParkedPayloads?
    /// The pause after a failure; doubles up to `pauseMax`, with jitter.
    public var pause = Duration.milliseconds(50)
    public var pauseMax = Duration.seconds(5)
    /// A snapshot that another replica is taking is left to it as long as it gets on: this long at a time.
    public var snapshotTakeover = Duration.seconds(15)

    public init() {}

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

    /// The pause after so many failures in a row.
    func pause(afterFailures failures: Int) -> Duration {
        min(pause * (1 << min(max(0, failures - 1), 16)), pauseMax) * Double.random(in: 0.5...1)
    }
}
