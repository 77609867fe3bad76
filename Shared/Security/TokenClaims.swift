public import Primitives

/// The claims of an access token (RFC 7519, RFC 9068). Times are whole seconds; fractions are cut off when signing.
public struct TokenClaims: Sendable, Equatable {
    /// Whose account the token speaks for.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case individual
        case thirdParty = "third_party"
        case organiser, device, application, `operator`
    }

    /// No access token of the suite is good for longer: signers refuse to make such a token, verifiers to accept it.
    public static let lifeMax = Duration.seconds(900)

    /// `iss`.
    public var issuer: String
    /// `sub`: the account, or the device.
    public var subject: UUID
    /// `aud`: the services that may accept the token.
    public var audience: [String]
    /// `exp`.
    public var expiresAt: Timestamp
    /// `iat`.
    public var issuedAt: Timestamp
    /// `jti`.
    public var identifier: UUID
    /// `kind`.
    public var kind: Kind
    /// `scope`: names without spaces; empty where the kind of account says all.
    public var scopes: [String]
    /// `sid`: the session it belongs to, if any (ACC-16).
    public var session: UUID?
    /// `client_id`: the application that asked for it, if any (ACC-15).
    public var clientIdentifier: String?

    public init(
        issuer: String, subject: UUID, audience: [String], expiresAt: Timestamp, issuedAt: Timestamp, identifier: UUID,
        kind: Kind, scopes: [String] = [], session: UUID? = nil, clientIdentifier: String? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
        self.identifier = identifier
        self.kind = kind
        self.scopes = scopes
        self.session = session
        self.clientIdentifier = clientIdentifier
    }
}

extension TokenClaims {
    /// Throws `malformed` unless the token ends after it was issued, and within `lifeMax`. Without that, whoever holds a
    /// signing key for a moment makes tokens for ever.
    func checkLife() throws(SecurityError) {
        guard expiresAt > issuedAt, expiresAt - issuedAt <= Self.lifeMax else {
            throw .malformed("a token that is good for longer than \(Self.lifeMax), or for no time")
        }
    }
}

extension TokenClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expiresAt = "exp"
        case issuedAt = "iat"
        case identifier = "jti"
        case kind
        case scopes = "scope"
        case session = "sid"
        case clientIdentifier = "client_id"
    }

    /// The last second of the year 9999, as RFC 3339 ends there.
    private static let secondsMax: Int64 = 253_402_300_799

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Timestamp {
            let seconds = try container.decode(Int64.self, forKey: key)
            guard (0...Self.secondsMax).contains(seconds) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "not a time")
            }
            return Timestamp(microseconds: seconds * 1_000_000)
        }
        self.init(
            issuer: try container.decode(String.self, forKey: .issuer),
            subject: try container.decode(UUID.self, forKey: .subject),
            audience: try container.decode([String].self, forKey: .audience),
            expiresAt: try time(.expiresAt),
            issuedAt: try time(.issuedAt),
            identifier: try container.decode(UUID.self, forKey: .identifier),
            kind: try container.decode(Kind.self, forKey: .kind),
            scopes: try container.decodeIfPresent(String.self, forKey: .scopes)?.split(separator: " ").map(String.init)
                ?? [],
            session: try container.decodeIfPresent(UUID.self, forKey: .session),
            clientIdentifier: try container.decodeIfPresent(String.self, forKey: .clientIdentifier))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(issuer, forKey: .issuer)
        try container.encode(subject, forKey: .subject)
        try container.encode(audience, forKey: .audience)
        try container.encode(expiresAt.microseconds / 1_000_000, forKey: .expiresAt)
        try container.encode(issuedAt.microseconds / 1_000_000, forKey: .issuedAt)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(kind, forKey: .kind)
        if !scopes.isEmpty { try container.encode(scopes.joined(separator: " "), forKey: .scopes) }
        try container.encodeIfPresent(session, forKey: .session)
        try container.encodeIfPresent(clientIdentifier, forKey: .clientIdentifier)
    }
}
