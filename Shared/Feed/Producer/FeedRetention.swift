import JSON

/// For which consumers and for how long a feed's events are kept: configuration of the service that publishes it.
///
/// Events are kept until all these consumers have committed them, and no longer than either cap allows: a consumer
/// further behind is no longer waited for, and takes a snapshot when it comes.
public struct FeedRetention: Sendable, Hashable, Decodable {
    /// Services whose consumers are waited for; without a list, all that may follow the feed durably.
    public var consumers: Set<String>?
    /// What the feed's tables may hold, indexes included. A round of upkeep may add to it.
    public var bytesMax: Int
    /// The greatest age of events that a consumer lacks. Whole segments are dropped: a third later at most.
    public var ageMaxSeconds: Int

    public static let bytesMaxDefault = 256 << 20
    public static let ageMaxSecondsDefault = 86_400

    public init(
        consumers: Set<String>? = nil, bytesMax: Int = bytesMaxDefault, ageMaxSeconds: Int = ageMaxSecondsDefault
    ) {
        self.consumers = consumers
        self.bytesMax = bytesMax
        self.ageMaxSeconds = ageMaxSeconds
    }

    private enum CodingKeys: String, CodingKey {
        case consumers, bytesMax
        case ageMaxSeconds = "age_max_s"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            consumers: try container.decodeIfPresent([String].self, forKey: .consumers).map { Set($0) },
            bytesMax: try container.number(.bytesMax, 1 << 20...1 << 40) ?? Self.bytesMaxDefault,
            ageMaxSeconds: try container.number(.ageMaxSeconds, 60...31_536_000) ?? Self.ageMaxSecondsDefault)
    }
}
