import HTTP
import Postgres
import Security
import Service

/// Checks whether the session of a token is open. The sessions are in this service's database, so an ended one is
/// refused at once, without waiting for the feed that other services read.
struct OpenSessions: Sendable {
    let store: Store

    /// Checks tokens for this service's routes.
    func authentication(_ keys: SigningKeys) -> Authentication {
        let authenticator = Authenticator(keys: keys, revocations: nil, clock: store.clock)
        return Authentication(authenticator) { try await check($0) }
    }

    /// Throws 401 when the session has ended.
    func check(_ identity: Identity) async throws {
        let isOpen = try await store.database.queryOne(
            """
            select exists (select from session
              where id = \(identity.session) and account = \(identity.account) and expires_at > \(store.now()))
            """, as: Bool.self)
        guard isOpen == true else { throw Problem.unauthorized("the session has ended", code: "invalid-token") }
    }
}
