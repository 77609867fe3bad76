import Feed
import Domain
import Postgres
import Primitives
import Security

/// Sessions with refresh tokens that are good for one use (ACC-16; RFC 9700 section 4.14).
struct Sessions: Sendable {
    /// A session that is not refreshed for so long ends.
    static let idleLife = Duration.seconds(30 * 24 * 3600)
    /// The most sessions of one account; the one unused for longest makes room.
    static let sessionsMax = 50

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

    /// Begins a session of somebody who has proved who it is.
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
        return try await issue(session, account, kind, in: transaction)
    }

    /// A new pair of tokens for a refresh token. One that was used before ends the session, since then two have it.
    func refresh(_ text: String) async throws -> Opened {
        guard let token = OneTimeToken(text) else { throw Self.invalid }
        let opened: Opened? = try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                """
                select s.id, s.account, a.kind, s.expires_at > \(store.now()), r.used_at is not null
                from refresh_token r join session s on s.id = r.session join account a on a.id = s.account
                where r.token_hash = \(token.storedHash) for update of r, s
                """, as: UUID.self, UUID.self, String.self, Bool.self, Bool.self)
            guard let (session, account, kind, isLive, isUsed) = found else { return nil }
            guard !isUsed else {
                try await remove([session], in: transaction)
                try await warn(account, in: transaction)
                return nil
            }
            guard isLive else { return nil }
            let now = store.now()
            try await transaction.batch([
                "update refresh_token set used_at = \(now) where token_hash = \(token.storedHash)",
                "update session set used_at = \(now), expires_at = \(now + Self.idleLife) where id = \(session)",
            ])
            return try await issue(session, account, try AccountKind.stored(kind), in: transaction)
        }
        guard let opened else { throw Self.invalid }
        return opened
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
        try await store.transaction { transaction in
            let found = try await transaction.query(
                "select id from session where id = \(session) and account = \(account) for update", as: UUID.self)
            guard !found.isEmpty else { throw Refusal.notFound }
            try await remove(found, in: transaction)
        }
    }

    /// Ends all sessions of an account but one.
    func endAll(of account: UUID, except current: UUID?, in transaction: Transaction) async throws {
        let others = try await transaction.query(
            "select id from session where account = \(account) and id is distinct from \(current) for update",
            as: UUID.self)
        try await remove(others, in: transaction)
    }

    private func remove(_ sessions: [UUID], in transaction: Transaction) async throws {
        guard !sessions.isEmpty else { return }
        try await transaction.execute("delete from session where id = any(\(sessions))")
        try await Revoking.revoke(sessions: sessions, store: store, in: transaction)
    }

    private func issue(
        _ session: UUID, _ account: UUID, _ kind: AccountKind, in transaction: Transaction
    ) async throws -> Opened {
        let token = OneTimeToken.random()
        try await transaction.execute(
            """
            insert into refresh_token (token_hash, session, issued_at)
            values (\(token.storedHash), \(session), \(store.now()))
            """)
        return Opened(
            session: session, account: account, kind: kind,
            accessToken: try issuer.token(for: account, kind: kind, session: session), refreshToken: token.text)
    }

    private func warn(_ account: UUID, in transaction: Transaction) async throws {
        let now = store.now()
        try await Inbox.put(
            MessageCatalogue.sessionReused, ["time": now.description], id: .timeOrdered(at: now), to: account,
            email: true, store: store, in: transaction)
    }
}
