import Primitives

/// A secret for a link, a session or an access key: 256 random bits. The owner gets the text, the database its hash.
public struct OneTimeToken: Sendable {
    /// 43 characters that need no escaping in a URL.
    public let text: String
    /// SHA-256 of the secret, 32 bytes: what is stored and looked up. Enough without salt, the secret being random.
    public let storedHash: [UInt8]

    /// A new random token.
    public static func random() -> OneTimeToken {
        let secret = randomBytes(32)
        return OneTimeToken(text: Base64.url.encode(secret), storedHash: Digest.sha256(secret))
    }

    /// A token that somebody presents; `nil` when it cannot be one.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let secret = Base64.url.decode(text) else { return nil }
        self.init(text: text, storedHash: Digest.sha256(secret))
    }

    /// The token that follows from this one by a secret of the service: the same each time, and unknown to whoever has only
    /// this one.
    public func successor(_ key: BlindIndex) -> OneTimeToken {
        guard let secret = Base64.url.decode(text) else { preconditionFailure("a token that is not base64url") }
        let next = key.index(secret)
        return OneTimeToken(text: Base64.url.encode(next), storedHash: Digest.sha256(next))
    }

    private init(text: String, storedHash: [UInt8]) {
        self.text = text
        self.storedHash = storedHash
    }
}
