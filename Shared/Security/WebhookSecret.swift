import Primitives

/// A secret shared with the receiver of webhooks: `whsec_` and base64 (Standard Webhooks).
public struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"

    /// As it is shown to the receiver once.
    public let text: String
    let key: HMACKey

    /// Throws `malformed` unless it has the prefix and 24 to 64 bytes in padded base64.
    public init(_ text: String) throws(SecurityError) {
        guard text.utf8.count <= 128, text.hasPrefix(Self.prefix),
            let bytes = Base64.standard.decode(text.dropFirst(Self.prefix.count)), (24...64).contains(bytes.count)
        else { throw .malformed("a webhook secret is whsec_ and 24 to 64 bytes in base64") }
        self.text = text
        key = HMACKey(bytes)
    }

    private init(bytes: [UInt8]) {
        text = Self.prefix + Base64.standard.encode(bytes)
        key = HMACKey(bytes)
    }

    /// 32 random bytes.
    public static func random() -> WebhookSecret { WebhookSecret(bytes: randomBytes(32)) }
}
