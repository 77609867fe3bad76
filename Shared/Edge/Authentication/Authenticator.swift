public import HTTP
public import Primitives
import RPC
import Security
public import Telemetry

/// Makes an `Identity` of `Authorization: Bearer` or a browser's cookie, and checks what it may do. Checking a signature
/// costs about 0.1 ms, so checked tokens are kept until they expire or their key is withdrawn; revocations are looked up
/// every time.
public final class Authenticator: Sendable {
    /// `iss` of the suite's tokens: the service that makes them, wherever it is deployed.
    public static let issuer = "trackme-accounts"
    /// What is among the `aud` of a token for the suite's services.
    public static let audience = "trackme"
    /// Checked tokens kept, where the configuration gives no other number.
    public static let tokensMaxDefault = 1_000_000

    private let keys: any KeySource
    private let revocations: Revocations?
    private let trust: TokenTrust?
    private let clock: any WallClock
    private let cache: TokenCache
    /// Tokens that have ended.
    private let overdue: TokenCache
    private let signatures: Counter

    /// Without `revocations` the service itself checks whether a token's session goes on (`Authentication`).
    /// At most `tokensMax` checked tokens are kept. Without `trust` no token serves beyond its end.
    public init(
        keys: any KeySource, revocations: Revocations?, trust: TokenTrust? = nil,
        clock: any WallClock = SystemClock(),
        tokensMax: Int = Authenticator.tokensMaxDefault, metrics: Metrics = Metrics()
    ) {
        self.keys = keys
        self.revocations = revocations
        self.trust = trust
        self.clock = clock
        cache = TokenCache(entriesMax: tokensMax)
        overdue = TokenCache(entriesMax: tokensMax)
        signatures = metrics.counter(
            "trackme_token_signatures_total",
            "Signatures of access tokens checked: those of tokens that are not kept from an earlier check.")
    }

    /// The sender of the request, if `access` admits it.
    ///
    /// Throws 401 without a valid token, 403 when the token is good for something else, and 503 when that cannot be
    /// decided: the keys are not known, or revocations may be missing (third parties only).
    public func require(_ request: HTTPRequest, _ access: Access) async throws(Problem) -> Identity {
        let identity = try await identity(of: request, takesOverdue: access.takesOverdue)
        try access.check(identity)
        return identity
    }

    /// The sender of the request, whatever the kind: who its `Authorization` says or, without that field, the cookie of
    /// a browser's session. With the cookie it also throws what `BrowserSession.requireOwnPage` throws.
    public func identity(of request: HTTPRequest) async throws(Problem) -> Identity {
        try await identity(of: request, takesOverdue: false)
    }

    private func identity(of request: HTTPRequest, takesOverdue: Bool) async throws(Problem) -> Identity {
        if let token = request.bearerToken { return try await identity(of: token, takesOverdue: takesOverdue) }
        guard request.head.withValue(of: "authorization", { $0 == nil }),
            let token = BrowserSession.access.value(in: request)
        else { throw .unauthorized("send an access token as Authorization: Bearer") }
        try BrowserSession.requireOwnPage(request)
        return try await identity(of: token)
    }

    /// The owner of a token that did not come as a header field.
    public func identity(of token: String) async throws(Problem) -> Identity {
        try await identity(of: token, takesOverdue: false)
    }

    private func identity(of token: String, takesOverdue: Bool) async throws(Problem) -> Identity {
        let entry = TokenCache.Key(token)
        let published = try await known { () async throws(RPCError) in try await self.keys.keys() }
        let identity: Identity
        if let known = cache.identity(entry, signedByOneOf: published, at: clock.now()) {
            identity = known
        } else if takesOverdue, let time = trust?.overdueTime(),
            let known = overdue.identity(entry, signedByOneOf: published, at: time)
        {
            identity = known
        } else {
            identity = try await checked(token, entry, published, takesOverdue: takesOverdue)
        }
        guard let revocations else { return identity }
        guard !revocations.isRevoked(identity) else { throw Self.invalid("the token was revoked") }
        if identity.readsOthers, revocations.isSilent() {
            throw Problem(
                .serviceUnavailable, code: "revocations-unknown",
                detail: "it cannot be checked at the moment whether the token was revoked", retryAfter: .seconds(1))
        }
        return identity
    }

    private func checked(
        _ token: String, _ entry: TokenCache.Key, _ published: JSONWebKeySet, takesOverdue: Bool
    ) async throws(Problem) -> Identity {
        signatures.increment()
        do throws(Problem) {
            let (identity, key) = try await check(token, published)
            cache.insert(identity, entry, signedBy: key, at: clock.now())
            return identity
        } catch {
            guard takesOverdue, let trust, let time = trust.overdueTime(),
                let (identity, key) = overdue(token, published, at: time)
            else { throw error }
            overdue.insert(identity, entry, signedBy: key, at: time)
            return identity
        }
    }

    /// The identity of a device's token that has ended, and serves at that time; `nil` for all others.
    private func overdue(
        _ token: String, _ published: JSONWebKeySet, at time: Timestamp
    ) -> (Identity, Ed25519PublicKey)? {
        let verifier = TokenVerifier(
            keys: published, issuer: Self.issuer, audience: Self.audience, leeway: TokenTrust.overdueMax)
        guard let (claims, key) = try? verifier.verified(token, at: time), claims.kind == .device else { return nil }
        return (Identity(claims).with(overdueUntil: claims.expiresAt + TokenTrust.overdueMax), key)
    }

    private func check(
        _ token: String, _ published: JSONWebKeySet
    ) async throws(Problem) -> (Identity, Ed25519PublicKey) {
        var set = published
        for isLast in [false, true] {
            let verifier = TokenVerifier(keys: set, issuer: Self.issuer, audience: Self.audience)
            do throws(SecurityError) {
                let (claims, key) = try verifier.verified(token, at: clock.now())
                return (Identity(claims), key)
            } catch {
                switch error {
                case .unknownKey where !isLast:
                    set = try await known { () async throws(RPCError) in try await self.keys.keysAnew() }
                case .tokenExpired: throw Self.expired
                case .tokenNotYetValid: throw Self.invalid("the token was issued in the future")
                case .tokenNotForUs: throw Self.invalid("the token is for something else")
                default: throw Self.invalid("the token is not valid")
                }
            }
        }
        throw Self.invalid("the token is not valid")
    }

    private func known<T>(_ fetch: () async throws(RPCError) -> T) async throws(Problem) -> T {
        do throws(RPCError) { return try await fetch() } catch {
            throw Problem(
                .serviceUnavailable, code: "keys-unavailable", detail: "tokens cannot be checked at the moment",
                retryAfter: .seconds(1))
        }
    }

    /// Of a token that has ended and does not serve any longer.
    public static let expired = invalid("the token has expired")

    private static func invalid(_ detail: String) -> Problem {
        Problem(
            .unauthorized, code: "invalid-token", detail: detail,
            fields: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    }
}
