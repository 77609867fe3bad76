import JSON
public import Primitives

/// Checks access tokens. Of all that JSON Web Tokens allow only what `TokenSigner` makes is accepted (RFC 8725): `alg`
/// EdDSA, `typ` at+jwt, a `kid` among our keys, three parts in canonical base64url, no critical extensions.
public struct TokenVerifier: Sendable {
    static let tokenBytesMax = 4096
    private static let limits = JSONLimits(depthMax: 4, bytesMax: tokenBytesMax, valuesMax: 256, stringBytesMax: 2048)

    private let keys: JSONWebKeySet
    private let issuer: String
    private let audience: String
    private let leeway: Duration
    private let futureMax: Duration

    /// - Parameters:
    ///   - issuer: what `iss` must be.
    ///   - audience: what must be among `aud`: this service.
    ///   - leeway: how long a token is accepted beyond its time, since clocks differ.
    ///   - futureMax: how far in the future a token may have been issued, for the same reason: by a clock that is a minute ahead.
    public init(
        keys: JSONWebKeySet, issuer: String, audience: String, leeway: Duration = .seconds(5),
        futureMax: Duration = .seconds(90)
    ) {
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
        self.leeway = leeway
        self.futureMax = futureMax
    }

    /// The claims of a token that is valid now. Nothing of it is believed before the signature has been checked.
    ///
    /// Throws `malformed`, `unknownKey` (then fetching the keys anew may help), `authenticationFailed`, `tokenExpired`,
    /// `tokenNotYetValid` or `tokenNotForUs`.
    public func verify(_ token: String, at now: Timestamp) throws(SecurityError) -> TokenClaims {
        try verified(token, at: now).claims
    }

    /// As `verify`, with the key that the token was signed with.
    public func verified(
        _ token: String, at now: Timestamp
    ) throws(SecurityError) -> (claims: TokenClaims, key: Ed25519PublicKey) {
        guard token.utf8.count <= Self.tokenBytesMax else { throw .malformed("a token that is too long") }
        let parts = token.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.url.decode(parts[0]), let payload = Base64.url.decode(parts[1]),
            let signature = Base64.url.decode(parts[2])
        else { throw .malformed("a token that is not three parts in base64url") }
        let fields = try Self.decoded(TokenHeader.self, from: header, "header")
        guard fields.alg == TokenHeader.algorithm else { throw .malformed("a token of another algorithm") }
        guard fields.typ == TokenHeader.type else { throw .malformed("a token of another type") }
        guard fields.crit == nil else { throw .malformed("a token with critical extensions") }
        // What comes from the token is shown in logs cut to the length of our own ids.
        guard let key = keys[fields.kid] else { throw .unknownKey(String(fields.kid.prefix(43))) }
        guard key.isValid(signature, for: Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)))
        else { throw .authenticationFailed }

        let claims = try Self.decoded(TokenClaims.self, from: payload, "claims")
        guard claims.issuer == issuer else { throw .tokenNotForUs("another issuer") }
        guard claims.audience.contains(audience) else { throw .tokenNotForUs("another audience") }
        try claims.checkLife()
        guard claims.issuedAt <= now + futureMax else { throw .tokenNotYetValid }
        guard now < claims.expiresAt + leeway else { throw .tokenExpired }
        return (claims, key)
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], _ part: String
    ) throws(SecurityError) -> Value {
        do throws(JSONError) {
            return try JSONDecoder(limits: limits).decode(type, from: bytes)
        } catch {
            throw .malformed("a token's \(part): \(error)")
        }
    }
}
