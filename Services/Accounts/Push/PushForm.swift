import HTTP
import Primitives
import Security

/// A subscription as a browser tells it (`PushSubscription.toJSON`, W3C Push API).
struct PushForm: Decodable, Sendable {
    static let endpointBytesMax = 1000

    struct Keys: Decodable, Sendable {
        let p256dh: String
        let auth: String
    }

    let endpoint: String
    let keys: Keys

    /// Refuses what nothing can be sent to. `allowPrivate` as in `PushSettings`; where the address leads is checked with each
    /// message.
    func checked(allowPrivate: Bool) throws(Refusal) -> PushAddress {
        guard endpoint.utf8.count <= Self.endpointBytesMax, let url = HTTPURL(endpoint),
            url.isSecure || allowPrivate && url.isOnThisMachine
        else { throw .invalid("/endpoint", "Give the https address of a push service.") }
        guard let point = Base64.url.decode(keys.p256dh), let key = try? P256PublicKey(point) else {
            throw .invalid("/keys/p256dh", "Give a public key of P-256 in base64url.")
        }
        guard let auth = Base64.url.decode(keys.auth), auth.count == PushEncryption.authBytes else {
            throw .invalid("/keys/auth", "Give \(PushEncryption.authBytes) bytes in base64url.")
        }
        return PushAddress(endpoint: endpoint, key: key.bytes, auth: auth)
    }
}

/// Where a browser is reached, and how its messages are encrypted; stored as one sealed value.
struct PushAddress: Codable, Sendable {
    let endpoint: String
    let key: [UInt8]
    let auth: [UInt8]
}
