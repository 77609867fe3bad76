import Feed
import Postgres
import Primitives
import Security

/// A third party's own programs, which get tokens by client credentials (ACC-15).
struct Clients: Sendable {
    static let clientsMax = 20
    static let nameCharactersMax = 80

    struct Form: Decodable, Sendable {
        let name: String
        let scopes: [String]
    }

    struct Created: Encodable, Sendable {
        let clientID: UUID
        /// Shown this once.
        let clientSecret: String
        let scopes: [String]
    }

    struct Listed: Encodable, Sendable {
        let clientID: UUID
        let name: String
        let scopes: [String]
        let createdAt: Timestamp
        let usedAt: Timestamp?
    }

    let store: Store

    func create(_ form: Form, for account: UUID) async throws -> Created {
        try PlainText.check(form.name, charactersMax: Self.nameCharactersMax, at: "/name")
        let scopes = TokenIssuer.thirdPartyScopes.filter(form.scopes.contains)
        guard !scopes.isEmpty, form.scopes.allSatisfy(scopes.contains), scopes.count == form.scopes.count else {
            let all = TokenIssuer.thirdPartyScopes.joined(separator: ", ")
            throw Refusal.invalid("/scopes", "Scopes are one or more of these, each once: \(all).")
        }
        let id = UUID.random()
        let secret = OneTimeToken.random()
        let name = store.columns.seal(form.name, .clientName, row: id, with: try await store.key(of: account))
        try await store.transaction { transaction in
            _ = try await Store.requiredVersion(of: account, in: transaction)
            let count = try await transaction.queryOne(
                "select count(*) from client where account = \(account)", as: Int.self)
            guard (count ?? 0) < Self.clientsMax else {
                throw Refusal(
                    .conflict, "too-many-clients", "At most \(Self.clientsMax) clients belong to one account.")
            }
            try await transaction.execute(
                """
                insert into client (id, account, name, scopes, secret_hash, created_at)
                values (\(id), \(account), \(name), \(scopes),
                  \(secret.storedHash), \(store.now()))
                """)
        }
        return Created(clientID: id, clientSecret: secret.text, scopes: scopes)
    }

    func list(of account: UUID) async throws -> [Listed] {
        let key = try await store.key(of: account)
        return try await store.database.query(
            """
            select id, name, scopes, created_at, token_at from client where account = \(account)
            order by created_at, id
            """, as: UUID.self, [UInt8].self, [String].self, Timestamp.self, Timestamp?.self
        ).map { id, name, scopes, createdAt, usedAt in
            Listed(
                clientID: id, name: try store.columns.open(name, .clientName, row: id, with: key), scopes: scopes,
                createdAt: createdAt, usedAt: usedAt)
        }
    }

    /// Removes a client; its tokens are revoked everywhere.
    func remove(_ client: UUID, of account: UUID) async throws {
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                "delete from client where id = \(client) and account = \(account)")
            guard count == 1 else { throw Refusal.notFound }
            try await Revoking.revoke(sessions: [client], store: store, in: transaction)
        }
    }
}
