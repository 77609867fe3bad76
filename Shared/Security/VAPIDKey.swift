import JSON
public import Primitives

/// The key by which push services know who sends (VAPID, RFC 8292). Browsers subscribe to what this key sends, and nothing else:
/// with another key their subscriptions are void.
public struct VAPIDKey: Sendable {
    /// RFC 8292 section 2: at most a day.
    static let life = Duration.seconds(12 * 3600)

    private struct Header: Encodable {
        let typ = "JWT"
        let alg = "ES256"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    private let key: P256Key
    /// The public key, as browsers take it to subscribe: 87 characters.
    public let publicText: String

    public init(_ key: P256Key) {
        self.key = key
        publicText = Base64.url.encode(key.publicKey.bytes)
    }

    /// The value of `Authorization` for a push service. `origin` is that of the subscription's address, and `subject` where
    /// its operators reach us: `mailto:` or `https:`. Throws `malformed` when they cannot be written as JSON.
    public func authorization(
        for origin: String, subject: String, at now: Timestamp
    ) throws(SecurityError) -> String {
        let expiry = (now + Self.life).milliseconds / 1000
        let header = try Self.encoded(Header())
        let claims = try Self.encoded(Claims(aud: origin, exp: expiry, sub: subject))
        let message = "\(header).\(claims)"
        return "vapid t=\(message).\(Base64.url.encode(key.sign(Array(message.utf8)))), k=\(publicText)"
    }

    private static func encoded(_ value: some Encodable) throws(SecurityError) -> String {
        do throws(JSONError) {
            return Base64.url.encode(try JSONEncoder().encode(value))
        } catch {
            throw .malformed("a token's JSON: \(error)")
        }
    }
}
