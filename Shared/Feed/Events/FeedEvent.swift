public import JSON
public import Primitives

/// Something that happened, to be published.
public struct FeedEvent: Sendable, Hashable {
    /// One payload.
    public static let payloadBytesMax = 64 << 10
    /// Objects and arrays within one another in a payload: what RPC allows, less what stands around it.
    public static let payloadDepthMax = 24

    public let feed: String
    /// What it happened to.
    public let entity: UUID
    /// Of the entity, growing with its changes, so that a consumer can ignore an older one: events of one entity may
    /// come in another order when different connections wrote them.
    public let version: Int64
    public let kind: String
    /// Opaque for feeds; personal data in it is encrypted by the service.
    public let payload: JSONRaw

    public init(feed: String, entity: UUID, version: Int64, kind: String, payload: JSONRaw) {
        self.feed = feed
        self.entity = entity
        self.version = version
        self.kind = kind
        self.payload = payload
    }

    /// With `value` as the payload. Fails when that cannot be written as JSON.
    public init(
        feed: String, entity: UUID, version: Int64, kind: String, encoding value: some Encodable
    ) throws(JSONError) {
        self.init(feed: feed, entity: entity, version: version, kind: kind, payload: try JSONRaw(encoding: value))
    }
}
