import Postgres
import Primitives
import Security

/// The client credentials grant of OAuth 2.0 (RFC 6749 section 4.4), for third parties' programs (ACC-15) and for
/// devices (ACC-14).
struct ClientCredentials: Sendable {
    /// Why no token is given (RFC 6749 section 5.2).
    enum Failure: Error, Equatable {
        case invalidRequest(String)
        case invalidClient
        case unsupportedGrantType
        case invalidScope
        case suspended

        var error: String {
            switch self {
            case .invalidRequest: "invalid_request"
            case .invalidClient: "invalid_client"
            case .unsupportedGrantType: "unsupported_grant_type"
            case .invalidScope: "invalid_scope"
            case .suspended: "unauthorized_client"
            }
        }

        /// For developers, in characters that the specification allows.
        var description: String {
            switch self {
            case .invalidRequest(let reason): reason
            case .invalidClient: "the client is unknown, or its secret is wrong"
            case .unsupportedGrantType: "grant_type must be client_credentials"
            case .suspended: "the operator has suspended the account; the mail to its address says why"
            case .invalidScope:
                "scope must name some of the scopes that the client has; groups counts once the operator has admitted the company"
            }
        }
    }

    struct Grant: Sendable {
        let token: String
        let scopes: [String]
    }

    let store: Store
    let issuer: TokenIssuer

    /// A token for a client that shows its secret. `scope` asks for a part of what the client may do. An unknown client
    /// and a wrong secret get the same answer.
    func grant(id: String, secret: String, scope: String?) async throws -> Grant {
        guard let client = UUID(id), let token = OneTimeToken(secret) else { throw Failure.invalidClient }
        if let grant = try await applicationGrant(client, token, scope: scope) { return grant }
        return try await deviceGrant(client, token, scope: scope)
    }

    private func applicationGrant(_ client: UUID, _ secret: OneTimeToken, scope: String?) async throws -> Grant? {
        try await store.transaction { transaction in
            // Locked, so that no token is signed for a client that is being removed.
            let found = try await transaction.queryOne(
                "select account, scopes, secret_hash from client where id = \(client) for update",
                as: UUID.self, [String].self, [UInt8].self)
            guard let (account, scopes, hash) = found else { return nil }
            guard constantTimeEqual(hash, secret.storedHash) else { throw Failure.invalidClient }
            guard try await !Suspension.isSuspended(account, in: transaction) else { throw Failure.suspended }
            let granted = try Self.granted(
                scope, of: try await Admission.scopes(scopes, of: account, in: transaction))
            try await transaction.execute("update client set token_at = \(store.now()) where id = \(client)")
            return Grant(
                token: try issuer.token(forClient: client, of: account, scopes: granted), scopes: granted)
        }
    }

    private func deviceGrant(_ device: UUID, _ secret: OneTimeToken, scope: String?) async throws -> Grant {
        try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                "select account, secret_hash from device where id = \(device) for update",
                as: UUID.self, [UInt8]?.self)
            guard let (account, stored) = found, let hash = stored, constantTimeEqual(hash, secret.storedHash) else {
                throw Failure.invalidClient
            }
            let granted = try Self.granted(scope, of: [TokenIssuer.deviceScope])
            try await transaction.execute("update device set token_at = \(store.now()) where id = \(device)")
            return Grant(token: try issuer.token(forDevice: device, of: account), scopes: granted)
        }
    }

    private static func granted(_ scope: String?, of scopes: [String]) throws(Failure) -> [String] {
        guard !scopes.isEmpty else { throw .invalidScope }
        guard let scope else { return scopes }
        let wanted = scope.split(separator: " ").map(String.init)
        guard !wanted.isEmpty, wanted.allSatisfy(scopes.contains) else { throw .invalidScope }
        return scopes.filter(wanted.contains)
    }
}
