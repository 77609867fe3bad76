import Contracts
public import Primitives
public import Security

/// Makes access tokens with the key of a deployment, as its accounts service does (RFC 9068): for simulated people only.
public struct AccessTokens: Sendable {
    /// What the suite's services accept (`iss`, `aud`).
    private static let issuer = "trackme-accounts"
    private static let audience = "trackme"

    private let signer: TokenSigner

    /// Errors: `malformed` for a key that signs no token.
    public init(key: Ed25519Key) throws(SecurityError) { signer = try TokenSigner(key: key) }

    /// Of an account's device, to upload with; good for as long as a token may be. About 35 µs.
    public func device(
        _ device: UUID, of account: UUID, at now: Timestamp = .now()
    ) throws(SecurityError) -> String {
        try token(.device, account, session: device, client: device, scopes: [AccessScope.upload.rawValue], now)
    }

    /// Of an account's owner, who has logged in to a session; third parties' tokens name their scopes.
    public func owner(
        _ kind: TokenClaims.Kind, of account: UUID, session: UUID, scopes: [String] = [], at now: Timestamp = .now()
    ) throws(SecurityError) -> String {
        try token(kind, account, session: session, client: nil, scopes: scopes, now)
    }

    private func token(
        _ kind: TokenClaims.Kind, _ account: UUID, session: UUID, client: UUID?, scopes: [String], _ now: Timestamp
    ) throws(SecurityError) -> String {
        try signer.sign(
            TokenClaims(
                issuer: Self.issuer, subject: account, audience: [Self.audience],
                expiresAt: now + TokenClaims.lifeMax, issuedAt: now, identifier: session, kind: kind, scopes: scopes,
                session: session, clientIdentifier: client?.description))
    }
}
