public import JSON
public import Primitives

/// An event to be published.
public struct FeedEvent: Sendable, Hashable {
    /// Bytes of one payload.
    public static let payloadBytesMax = 64 << 10
    /// Nesting of objects and arrays in a payload: the limit of RPC, less its envelope.
    public static let payloadDepthMax = 24

    public let feed: String
    /// The entity that it concerns.
    public let entity: UUID
    /// Version of the entity, growing with its changes, so that a consumer can ignore an older one: events of one
    /// entity that different connections wrote may come in another order.
    public let version: Int64
    public let kind: String
    /// Opaque for feeds; personal data in it is encrypted by the service.
    public let payload: JSONRaw
    /// The only service that gets it, one of the feed's `addressees`; `nil`: all that may follow the feed.
    public let addressee: String?

    public init(
        feed: String, entity: UUID, version: Int64, kind: String, payload: JSONRaw, to addressee: String? = nil
    ) {
        self.feed = feed
        self.addressee = addressee
        self.entity = entity
        self.version = version
        self.kind = kind
        self.payload = payload
    }

    /// With `value` as the payload. Fails when that cannot be written as JSON.
    public init(
        feed: String, entity: UUID, version: Int64, kind: String, encoding value: some Encodable,
        to addressee: String? = nil
    ) throws(JSONError) {
        self.init(
            feed: feed, entity: entity, version: version, kind: kind, payload: try JSONRaw(encoding: value),
            to: addressee)
    }
}
