import HTTP
import Postgres
import Primitives
import Security
import Service

/// Sessions of operators: a random token in a cookie, in force for half an hour after its last use and for twelve hours at most.
struct OperatorSessions: Sendable {
    static let idleLife = Duration.seconds(30 * 60)
    static let life = Duration.seconds(12 * 3600)
    /// A use is noted when the last one was noted so long ago.
    static let notedAfter = Duration.seconds(60)
    /// Of one operator; a new one beyond ends the oldest.
    static let countMax = 10
    static let cookie = ProtectedCookie(name: "__Host-trackme-operator", path: "/")

    struct Opened: Sendable {
        let name: String
        let token: String
    }

    /// Who is logged in.
    struct Operator: Sendable {
        let name: String
        /// What the audit trail calls the operator.
        var actor: String { OperatorSessions.actor(name) }
    }

    private static let loggedOut = Problem(
        .unauthorized, code: "log-in-needed", detail: "log in as an operator",
        fields: ["WWW-Authenticate": "Cookie realm=\"operators\""])

    let store: Store

    static func actor(_ name: String) -> String { "operator \(name)" }

    func open(for id: UUID, name: String, in transaction: Transaction) async throws -> Opened {
        let (token, now) = (OneTimeToken.random(), store.now())
        try await transaction.batch([
            """
            delete from operator_session where operator = \(id) and token_hash not in (
              select token_hash from operator_session where operator = \(id) order by used_at desc
              limit \(Self.countMax - 1))
            """,
            """
            insert into operator_session (token_hash, operator, created_at, used_at)
            values (\(token.storedHash), \(id), \(now), \(now))
            """,
        ])
        return Opened(name: name, token: token.text)
    }

    /// The gate of all routes but the log-in's: throws 401 without an open session, and 403 for what is not of our own page.
    func admit(_ request: HTTPRequest) async throws -> Operator {
        try BrowserSession.requireOwnPage(request)
        guard let found = try await current(request) else { throw Self.loggedOut }
        return found
    }

    private static func token(of request: HTTPRequest) -> OneTimeToken? {
        cookie.value(in: request).flatMap { OneTimeToken($0) }
    }

    /// Who is logged in; `nil` without an open session.
    func current(_ request: HTTPRequest) async throws -> Operator? {
        guard let token = Self.token(of: request) else { return nil }
        let now = store.now()
        let found = try await store.database.queryOne(
            """
            select name, used_at from operator_session s join operator o on o.id = s.operator
            where token_hash = \(token.storedHash) and used_at > \(now - Self.idleLife)
              and s.created_at > \(now - Self.life)
            """, as: String.self, Timestamp.self)
        guard let (name, usedAt) = found else { return nil }
        if usedAt < now - Self.notedAfter {
            try await store.database.execute(
                "update operator_session set used_at = \(now) where token_hash = \(token.storedHash)")
        }
        return Operator(name: name)
    }

    /// Ends the session of a request, if it has one.
    func end(of request: HTTPRequest) async throws {
        guard let token = Self.token(of: request) else { return }
        try await store.database.execute("delete from operator_session where token_hash = \(token.storedHash)")
    }

    /// Deletes those that have ended.
    static func forget(at now: Timestamp) -> SQL {
        """
        delete from operator_session where used_at <= \(now - idleLife) or created_at <= \(now - life)
        """
    }
}
