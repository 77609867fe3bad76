public import JSON
public import Primitives

/// One entity as it is now, in a snapshot.
public struct FeedEntity: Codable, Sendable, Hashable {
    public let entity: UUID
    public let version: Int64
    public let kind: String
    public let payload: JSONRaw

    public init(entity: UUID, version: Int64, kind: String, payload: JSONRaw) {
        self.entity = entity
        self.version = version
        self.kind = kind
        self.payload = payload
    }

    /// The payload as a value. Errors name the place in the payload.
    public func decode<Value: Decodable>(_: Value.Type = Value.self) throws(JSONError) -> Value {
        try JSONDecoder().decode(Value.self, from: payload.bytes)
    }
}
