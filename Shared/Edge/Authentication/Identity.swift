public import Contracts
public import Primitives
public import Security

/// The sender of a request, from a checked access token.
public struct Identity: Sendable, Hashable {
    public typealias Kind = TokenClaims.Kind

    /// The account, or the device.
    public let account: UUID
    public let kind: Kind
    /// Empty where the kind of account decides alone.
    public let scopes: Set<String>
    /// The session that the token belongs to, if any (ACC-16).
    public let session: UUID?
    /// The application that asked for the token, if any (ACC-15).
    public let client: String?
    public let issuedAt: Timestamp
    /// Of an overdue token: until when it serves.
    public let expiresAt: Timestamp
    /// The token has ended and serves since accounts cannot be reached (`TokenTrust`).
    public let isOverdue: Bool

    public init(
        account: UUID, kind: Kind, scopes: Set<String> = [], session: UUID? = nil, client: String? = nil,
        issuedAt: Timestamp, expiresAt: Timestamp, isOverdue: Bool = false
    ) {
        self.account = account
        self.kind = kind
        self.scopes = scopes
        self.session = session
        self.client = client
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.isOverdue = isOverdue
    }

    init(_ claims: TokenClaims) {
        self.init(
            account: claims.subject, kind: claims.kind, scopes: Set(claims.scopes), session: claims.session,
            client: claims.clientIdentifier, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
    }

    /// The same with other scopes, or as an overdue one.
    func with(scopes: Set<String>? = nil, overdueUntil end: Timestamp? = nil) -> Identity {
        Identity(
            account: account, kind: kind, scopes: scopes ?? self.scopes, session: session, client: client,
            issuedAt: issuedAt, expiresAt: end ?? expiresAt, isOverdue: end != nil || isOverdue)
    }

    /// Whether the token is good for `scope`. A token without scopes is good for everything that its kind may do, but
    /// third parties and applications get only the scopes that theirs name (ACC-15).
    public func covers(_ scope: AccessScope) -> Bool {
        if scopes.contains(scope.rawValue) { return true }
        switch kind {
        case .individual, .organiser, .device, .operator: return scopes.isEmpty
        case .thirdParty, .application: return false
        }
    }

    /// Whether the token gives access to other people's data. Such tokens are refused while it is not known whether
    /// they were revoked.
    public var readsOthers: Bool { kind == .thirdParty || kind == .organiser }
}
