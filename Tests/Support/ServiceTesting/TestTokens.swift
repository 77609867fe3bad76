import Contracts
import JSON
public import Primitives
public import RPC
public import Security
public import Service

/// Makes access tokens as accounts would, and publishes their keys.
public struct TestTokens: Sendable {
    public let key: Ed25519Key
    private let clock: any WallClock

    public init(key: Ed25519Key = .random(), clock: any WallClock) {
        self.key = key
        self.clock = clock
    }

    public var keySet: JSONWebKeySet { JSONWebKeySet([key.publicKey]) }

    /// A token that is good for 15 minutes from its issue, which was `age` ago.
    public func token(
        _ kind: Identity.Kind, account: UUID, scopes: [String] = [], session: UUID? = nil, client: String? = nil,
        age: Duration = .zero, issuer: String = Authenticator.issuer, audience: [String] = [Authenticator.audience]
    ) throws(SecurityError) -> String {
        let now = clock.now() - age
        return try TokenSigner(key: key).sign(
            TokenClaims(
                issuer: issuer, subject: account, audience: audience, expiresAt: now + .seconds(900), issuedAt: now,
                identifier: .random(), kind: kind, scopes: scopes, session: session, clientIdentifier: client))
    }

    /// Answers `accounts.keys`.
    public func register(in router: inout RPCRouter) {
        let keySet = keySet
        router.register(Accounts.Keys.self, allow: Set(ServiceName.allCases.map(\.rawValue))) { _, _ in
            Accounts.Keys.Result(keySet: try JSONRaw(encoding: keySet))
        }
    }
}
