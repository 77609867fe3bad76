public import JSON
public import Primitives
internal import Reactor

/// A published event as consumers get it. Its identity is (epoch of the cursor, feed, lane, position).
public struct FeedRecord: Sendable {
    public let lane: Int
    /// Grows within the lane, with gaps.
    public let position: Int64
    public let entity: UUID
    public let version: Int64
    public let kind: String
    public let payload: JSONRaw
    /// When its transaction began, by the producer's database.
    public let recordedAt: Timestamp
    /// The `age` at the time when the record came to this process, and that time.
    private let ageAtReceipt: Duration
    private let receivedAt: Deadline

    /// `age` is the present one.
    public init(
        lane: Int, position: Int64, entity: UUID, version: Int64, kind: String, payload: JSONRaw, recordedAt: Timestamp,
        age: Duration = .zero
    ) {
        self.lane = lane
        self.position = position
        self.entity = entity
        self.version = version
        self.kind = kind
        self.payload = payload
        self.recordedAt = recordedAt
        ageAtReceipt = max(.zero, age)
        receivedAt = .now()
    }

    /// How long ago its transaction began: by the producer's database until it was read there, by this machine's
    /// monotonic clock since it was received. No two machines' clocks are compared.
    public var age: Duration { ageAtReceipt + Deadline.now().since(receivedAt) }

    /// The same with another payload, and another kind when one is given.
    public func with(payload: JSONRaw, kind: String? = nil) -> FeedRecord {
        FeedRecord(
            lane: lane, position: position, entity: entity, version: version, kind: kind ?? self.kind, payload: payload,
            recordedAt: recordedAt, age: age)
    }

    /// The payload as a value. Errors name the place in the payload.
    public func decode<Value: Decodable>(_: Value.Type = Value.self) throws(JSONError) -> Value {
        try JSONDecoder().decode(Value.self, from: payload.bytes)
    }
}

/// On the wire the age is in milliseconds, as of writing the record.
extension FeedRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case lane, position, entity, version, kind, payload, recordedAt
        case ageMilliseconds = "age_ms"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            lane: try container.decode(Int.self, forKey: .lane),
            position: try container.decode(Int64.self, forKey: .position),
            entity: try container.decode(UUID.self, forKey: .entity),
            version: try container.decode(Int64.self, forKey: .version),
            kind: try container.decode(String.self, forKey: .kind),
            payload: try container.decode(JSONRaw.self, forKey: .payload),
            recordedAt: try container.decode(Timestamp.self, forKey: .recordedAt),
            age: .milliseconds(try container.decode(Int64.self, forKey: .ageMilliseconds)))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lane, forKey: .lane)
        try container.encode(position, forKey: .position)
        try container.encode(entity, forKey: .entity)
        try container.encode(version, forKey: .version)
        try container.encode(kind, forKey: .kind)
        try container.encode(payload, forKey: .payload)
        try container.encode(recordedAt, forKey: .recordedAt)
        try container.encode(age.wholeMilliseconds, forKey: .ageMilliseconds)
    }
}
