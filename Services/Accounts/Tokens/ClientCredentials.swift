import Postgres
import Primitives
import Security

/// The client credentials grant of OAuth 2.0 (RFC 6749 section 4.4), for third parties' programs (ACC-15) and for
/// devices (ACC-14).
struct ClientCredentials: Sendable {
    let store: Store
    let issuer: TokenIssuer

    /// A token for a client that shows its secret. `scope` asks for a part of what the client may do. An unknown client
    /// and a wrong secret get the same answer.
    func grant(_ proof: ClientProof, scope: String?) async throws -> TokenGrant {
        guard let client = UUID(proof.id), let token = proof.secret.flatMap({ OneTimeToken($0) }) else {
            throw TokenFailure.invalidClient
        }
        if let grant = try await applicationGrant(client, token, scope: scope) { return grant }
        return try await deviceGrant(client, token, scope: scope)
    }

    private func applicationGrant(_ client: UUID, _ secret: OneTimeToken, scope: String?) async throws -> TokenGrant? {
        try await store.transaction { transaction in
            // Locked, so that no token is signed for a client that is being removed.
            let found = try await transaction.queryOne(
                "select account, scopes, secret_hash from client where id = \(client) for update",
                as: UUID.self, [String].self, [UInt8].self)
            guard let (account, scopes, hash) = found else { return nil }
            guard constantTimeEqual(hash, secret.storedHash) else { throw TokenFailure.invalidClient }
            guard try await !Suspension.isSuspended(account, in: transaction) else { throw TokenFailure.suspended }
            let granted = try Self.granted(
                scope, of: try await Admission.scopes(scopes, of: account, in: transaction))
            try await transaction.execute("update client set token_at = \(store.now()) where id = \(client)")
            return TokenGrant(
                token: try issuer.token(forClient: client, of: account, scopes: granted), scopes: granted)
        }
    }

    private func deviceGrant(_ device: UUID, _ secret: OneTimeToken, scope: String?) async throws -> TokenGrant {
        try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                "select account, secret_hash from device where id = \(device) for update",
                as: UUID.self, [UInt8]?.self)
            guard let (account, stored) = found, let hash = stored, constantTimeEqual(hash, secret.storedHash) else {
                throw TokenFailure.invalidClient
            }
            let granted = try Self.granted(scope, of: TokenIssuer.pairedDeviceScopes)
            try await transaction.execute("update device set token_at = \(store.now()) where id = \(device)")
            return TokenGrant(
                token: try issuer.token(forDevice: device, of: account, scopes: granted), scopes: granted)
        }
    }

    private static func granted(_ scope: String?, of scopes: [String]) throws(TokenFailure) -> [String] {
        guard !scopes.isEmpty else { throw .invalidScope }
        guard let scope else { return scopes }
        let wanted = scope.split(separator: " ").map(String.init)
        guard !wanted.isEmpty, wanted.allSatisfy(scopes.contains) else { throw .invalidScope }
        return scopes.filter(wanted.contains)
    }
}
