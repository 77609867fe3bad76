import JSON
import Primitives

/// Makes access tokens: JSON Web Tokens (RFC 7519) signed with Ed25519 (RFC 8037).
public struct TokenSigner: Sendable {
    private let key: Ed25519Key
    /// The header is the same for every token, so it is encoded once.
    private let header: [UInt8]

    public init(key: Ed25519Key) throws(SecurityError) {
        self.key = key
        header = Array(try Self.encoded(TokenHeader(kid: key.publicKey.thumbprint)).utf8)
    }

    /// Throws `malformed` when the claims give a longer token than verifiers accept, or one that lives longer.
    public func sign(_ claims: TokenClaims) throws(SecurityError) -> String {
        try claims.checkLife()
        let message = header + [UInt8(ascii: ".")] + Array(try Self.encoded(claims).utf8)
        let token = String(decoding: message, as: UTF8.self) + "." + Base64.url.encode(key.sign(message))
        guard token.utf8.count <= TokenVerifier.tokenBytesMax else {
            throw .malformed("claims for a token of more than \(TokenVerifier.tokenBytesMax) bytes")
        }
        return token
    }

    private static func encoded(_ value: some Encodable) throws(SecurityError) -> String {
        do throws(JSONError) {
            return Base64.url.encode(try JSONEncoder().encode(value))
        } catch {
            throw .malformed("a token's JSON: \(error)")
        }
    }
}
