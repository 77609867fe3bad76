import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// Who makes a request to this service. The sessions are at hand here, so an ended one is refused at once, without
/// waiting for the feed that tells the other services.
struct Access: Sendable {
    private let authenticator: Authenticator
    private let revocations: Revocations
    private let store: Store

    init(issuer: TokenIssuer, store: Store) {
        // Nothing is ever revoked in here: the table of sessions says it.
        revocations = Revocations()
        let keys = issuer.keySet
        authenticator = Authenticator(
            keys: LocalKeySource { keys }, revocations: revocations, clock: store.clock)
        self.store = store
    }

    /// The account of somebody who has logged in, of one of these kinds.
    func account(
        of request: HTTPRequest, kinds: Set<Identity.Kind> = [.individual, .thirdParty, .organiser]
    ) async throws -> UUID {
        try await identity(of: request, kinds: kinds).account
    }

    /// As `account(of:kinds:)`, with all that the token says.
    func identity(
        of request: HTTPRequest, kinds: Set<Identity.Kind> = [.individual, .thirdParty, .organiser]
    ) async throws -> Identity {
        revocations.heard()
        let identity = try await authenticator.require(request, kinds: kinds)
        // The token of a third party's program is no log-in: it does not manage the account.
        guard identity.client == nil else {
            throw Problem(.forbidden, code: "forbidden", detail: "log in to manage the account")
        }
        let isLive = try await store.database.queryOne(
            """
            select exists (select from session
              where id = \(identity.session) and account = \(identity.account) and expires_at > \(store.now()))
            """, as: Bool.self)
        guard isLive == true else { throw Problem.unauthorized("the session has ended", code: "invalid-token") }
        return identity
    }
}
