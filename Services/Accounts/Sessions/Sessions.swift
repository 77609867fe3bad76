import Feed
import Domain
import Postgres
import Primitives
import Security

/// Log-ins, each with a chain of refresh tokens (ACC-16; `RefreshTokens`).
struct Sessions: Sendable {
    /// A session that is not refreshed for this long ends.
    static let idleLife = Duration.seconds(30 * 24 * 3600)
    /// A session ends so long after its log-in, however often it is refreshed: whoever got hold of it unnoticed loses it.
    static let absoluteLife = Duration.seconds(180 * 24 * 3600)
    /// Sessions of one account at most; a new one replaces the one unused for longest.
    static let sessionsMax = 50

    private static let absoluteSeconds = absoluteLife.components.seconds

    struct Opened: Sendable {
        let session: UUID
        let account: UUID
        let kind: AccountKind
        let accessToken: String
        let refreshToken: String
    }

    struct Listed: Encodable, Sendable {
        let id: UUID
        let createdAt: Timestamp
        let usedAt: Timestamp
        let expiresAt: Timestamp
        let isCurrent: Bool
    }

    private static let invalid = Refusal(
        .unauthenticated, "invalid-refresh-token", "The session has ended; please log in again.")

    let store: Store
    let issuer: TokenIssuer
    private let refreshTokens: RefreshTokens

    init(store: Store, issuer: TokenIssuer) {
        (self.store, self.issuer) = (store, issuer)
        refreshTokens = RefreshTokens(store: store)
    }

    /// Opens a session for somebody who is authenticated.
    func open(for account: UUID, kind: AccountKind, in transaction: Transaction) async throws -> Opened {
        let now = store.now()
        let session = UUID.random()
        let superfluous = try await transaction.query(
            "select id from session where account = \(account) order by used_at desc offset \(Self.sessionsMax - 1)",
            as: UUID.self)
        try await remove(superfluous, in: transaction)
        try await transaction.execute(
            """
            insert into session (id, account, created_at, used_at, expires_at)
            values (\(session), \(account), \(now), \(now), \(now + Self.idleLife))
            """)
        let token = OneTimeToken.random()
        try await refreshTokens.insert(token, for: .session(session), in: transaction)
        return try await answer(session, account, kind, token, in: transaction)
    }

    /// A new pair of tokens for a refresh token; the same pair again when the first answer may have been lost. Any
    /// other second use ends the session, since two parties have the token.
    func refresh(_ text: String) async throws -> Opened {
        guard let token = OneTimeToken(text) else { throw Self.invalid }
        let opened: Opened? = try await store.transaction { transaction -> Opened? in
            guard let found = try await find(token, in: transaction) else { return nil }
            let next: OneTimeToken
            if found.isUsed {
                guard try await refreshTokens.isAskedAgain(token, in: transaction) else {
                    try await remove([found.session], in: transaction)
                    try await Inbox.warn(found.account, MessageCatalogue.sessionReused, store: store, in: transaction)
                    return nil
                }
                guard found.isLive else { return nil }
                next = refreshTokens.successor(of: token)
            } else {
                guard found.isLive else { return nil }
                let now = store.now()
                next = try await refreshTokens.replace(token, of: .session(found.session), in: transaction)
                try await transaction.execute(
                    """
                    update session set used_at = \(now),
                      expires_at = least(\(now + Self.idleLife), created_at + interval '1 second' * \(Self.absoluteSeconds))
                    where id = \(found.session)
                    """)
            }
            return try await answer(found.session, found.account, found.kind, next, in: transaction)
        }
        guard let opened else { throw Self.invalid }
        return opened
    }

    private struct Found: Sendable {
        let session: UUID
        let account: UUID
        let kind: AccountKind
        let isLive: Bool
        let isUsed: Bool
    }

    /// Locks the token and its session.
    private func find(_ token: OneTimeToken, in transaction: Transaction) async throws -> Found? {
        let found = try await transaction.queryOne(
            """
            select s.id, s.account, a.kind, s.expires_at > \(store.now()), r.used_at is not null
            from refresh_token r join session s on s.id = r.session join account a on a.id = s.account
            where r.token_hash = \(token.storedHash) for update of r, s
            """, as: UUID.self, UUID.self, String.self, Bool.self, Bool.self)
        return try found.map {
            Found(session: $0.0, account: $0.1, kind: try AccountKind.stored($0.2), isLive: $0.3, isUsed: $0.4)
        }
    }

    /// The live sessions of an account, the one used last first.
    func list(of account: UUID, current: UUID?) async throws -> [Listed] {
        try await store.database.query(
            """
            select id, created_at, used_at, expires_at from session
            where account = \(account) and expires_at > \(store.now()) order by used_at desc
            """, as: UUID.self, Timestamp.self, Timestamp.self, Timestamp.self
        ).map {
            Listed(id: $0.0, createdAt: $0.1, usedAt: $0.2, expiresAt: $0.3, isCurrent: $0.0 == current)
        }
    }

    /// Ends a session: its refresh token is gone, and its access tokens are revoked everywhere.
    func end(_ session: UUID, of account: UUID) async throws {
        guard try await endIfOpen(session, of: account) else { throw Refusal.notFound }
    }

    /// As `end`; whether there was such a session.
    func endIfOpen(_ session: UUID, of account: UUID) async throws -> Bool {
        try await store.transaction { transaction in
            let found = try await transaction.query(
                "select id from session where id = \(session) and account = \(account) for update", as: UUID.self)
            try await remove(found, in: transaction)
            return !found.isEmpty
        }
    }

    /// Ends the session that a refresh token was made for, whether it was used or not, if there is one.
    func end(refreshToken text: String) async throws {
        guard let token = OneTimeToken(text) else { return }
        try await store.transaction { transaction in
            guard let found = try await find(token, in: transaction) else { return }
            try await remove([found.session], in: transaction)
        }
    }

    /// Ends all sessions of an account.
    func endAll(of account: UUID) async throws {
        try await store.transaction { try await endAll(of: account, except: nil, in: $0) }
    }

    /// Ends all sessions of an account but one.
    func endAll(of account: UUID, except current: UUID?, in transaction: Transaction) async throws {
        try await Self.endAll(of: account, except: current, store: store, in: transaction)
    }

    /// The same where no tokens are issued.
    static func endAll(
        of account: UUID, except current: UUID? = nil, store: Store, in transaction: Transaction
    ) async throws {
        let others = try await transaction.query(
            "select id from session where account = \(account) and id is distinct from \(current) for update",
            as: UUID.self)
        try await remove(others, store: store, in: transaction)
    }

    private func remove(_ sessions: [UUID], in transaction: Transaction) async throws {
        try await Self.remove(sessions, store: store, in: transaction)
    }

    private static func remove(_ sessions: [UUID], store: Store, in transaction: Transaction) async throws {
        guard !sessions.isEmpty else { return }
        try await transaction.execute("delete from session where id = any(\(sessions))")
        try await Revoking.revoke(sessions: sessions, store: store, in: transaction)
    }

    private func answer(
        _ session: UUID, _ account: UUID, _ kind: AccountKind, _ token: OneTimeToken, in transaction: Transaction
    ) async throws -> Opened {
        let scopes =
            kind == .thirdParty
            ? try await Admission.scopes(TokenIssuer.thirdPartyScopes, of: account, in: transaction) : []
        return Opened(
            session: session, account: account, kind: kind,
            accessToken: try issuer.token(for: account, kind: kind, scopes: scopes, session: session),
            refreshToken: token.text)
    }
}
