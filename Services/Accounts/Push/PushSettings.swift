import Reactor
import Security

/// Whether and how this deployment sends push messages.
struct PushSettings: Decodable, Sendable {
    /// The key of P-256 (PKCS#8, PEM) that push services know this deployment by. It cannot be replaced: browsers that
    /// subscribed to the old one would have to subscribe again.
    let keyFile: String
    /// Whether push services may be on this network or this machine, where `http` will do, too: for development.
    let allowPrivate: Bool?

    func key() throws(SecurityError) -> VAPIDKey { VAPIDKey(try P256Key.load(file: keyFile)) }
}

/// What push messages are sent with.
struct PushPart: Sendable {
    let key: VAPIDKey
    let allowPrivate: Bool
    /// Verifies push services.
    let tls: TLSContext?
}
