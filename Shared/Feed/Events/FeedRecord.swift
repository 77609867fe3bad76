public import JSON
public import Primitives

/// A published event as consumers get it. Its identity is (epoch of the cursor, feed, lane, position).
public struct FeedRecord: Codable, Sendable, Hashable {
    public let lane: Int
    /// Grows within the lane, with gaps.
    public let position: Int64
    public let entity: UUID
    public let version: Int64
    public let kind: String
    public let payload: JSONRaw
    /// When its transaction began, by the producer's database.
    public let recordedAt: Timestamp

    public init(
        lane: Int, position: Int64, entity: UUID, version: Int64, kind: String, payload: JSONRaw, recordedAt: Timestamp
    ) {
        self.lane = lane
        self.position = position
        self.entity = entity
        self.version = version
        self.kind = kind
        self.payload = payload
        self.recordedAt = recordedAt
    }

    /// The same with another payload.
    public func with(payload: JSONRaw) -> FeedRecord {
        FeedRecord(
            lane: lane, position: position, entity: entity, version: version, kind: kind, payload: payload,
            recordedAt: recordedAt)
    }

    /// The payload as a value. Errors name the place in the payload.
    public func decode<Value: Decodable>(_: Value.Type = Value.self) throws(JSONError) -> Value {
        try JSONDecoder().decode(Value.self, from: payload.bytes)
    }
}
