import Primitives

/// Bytes of a browser's answer: base64url without padding (RFC 4648 section 5).
struct PasskeyBytes: Decodable, Sendable {
    static let charactersMax = 16 << 10

    /// `nil` for what is no base64url, or too long.
    let bytes: [UInt8]?

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        bytes = text.utf8.count <= Self.charactersMax ? Base64.url.decode(text) : nil
    }
}
