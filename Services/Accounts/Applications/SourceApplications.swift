import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service

/// Applications of others that deliver people's data (ACC-14): the operator admits them, and each person authorises them for
/// themselves (`Authorizations`).
struct SourceApplications: Sendable {
    static let redirectURIsMax = 10
    /// What the audit trail calls the operator's acts.
    static let admission = "accounts.admit_source"
    static let withdrawal = "accounts.withdraw_source"
    static let replacement = "accounts.replace_source_secret"

    struct Form: Sendable {
        let name: String
        let dataTypes: [DataType]
        let redirectURIs: [RedirectURI]
        /// Whether it can keep no secret, since it runs on people's own devices (RFC 6749 §2.1).
        let isPublic: Bool
    }

    struct Admitted: Sendable {
        let id: UUID
        /// Shown this once; none of a public one.
        let secret: String?
    }

    struct Listed: Sendable {
        let id: UUID
        let name: String
        let isPublic: Bool
        let withdrawnAt: Timestamp?
        /// Of how many people.
        let authorizations: Int
    }

    /// As a person is asked about it.
    struct Application: Sendable {
        let id: UUID
        let name: String
        let redirectURIs: [String]
        let dataTypes: [Int16]
    }

    let store: Store
    let audit: AuditTrail

    // MARK: The operator's acts

    func admit(_ form: Form, by actor: String) async throws -> Admitted {
        try Devices.check(name: form.name, dataTypes: form.dataTypes)
        guard (1...Self.redirectURIsMax).contains(form.redirectURIs.count),
            Set(form.redirectURIs).count == form.redirectURIs.count
        else {
            throw Refusal(
                .invalid, "redirect-uris", "Give 1 to \(Self.redirectURIsMax) redirect URIs, each once.")
        }
        let (id, secret) = (UUID.random(), form.isPublic ? nil : OneTimeToken.random())
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                insert into source_application (id, name, redirect_uris, data_types, secret_hash, admitted_at)
                values (\(id), \(form.name), \(form.redirectURIs.map(\.description)), \(DataType.toStore(form.dataTypes)),
                  \(secret?.storedHash), \(store.now()))
                on conflict do nothing
                """)
            guard count == 1 else {
                throw Refusal(.conflict, "name-taken", "Another application that is admitted has this name.")
            }
            try await note(Self.admission, id, by: actor, purpose: form.name, in: transaction)
        }
        return Admitted(id: id, secret: secret?.text)
    }

    /// Ends all of an application: at once nobody can authorise it and it gets no tokens; those that it has end within their life of
    /// 15 minutes. `ApplicationWithdrawals` takes it from people's devices and tells them the reason.
    func withdraw(_ application: UUID, reason: String, by actor: String) async throws {
        try Directory.check(purpose: reason)
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                update source_application set withdrawn_at = \(store.now()), withdrawal_reason = \(reason)
                where id = \(application) and withdrawn_at is null
                """)
            guard count == 1 else { throw Self.unknown }
            try await note(Self.withdrawal, application, by: actor, purpose: reason, in: transaction)
        }
    }

    /// Another secret in place of the one that an application has; authorisations stay.
    func replaceSecret(_ application: UUID, by actor: String) async throws -> String {
        let secret = OneTimeToken.random()
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                update source_application set secret_hash = \(secret.storedHash)
                where id = \(application) and withdrawn_at is null and secret_hash is not null
                """)
            guard count == 1 else { throw Self.unknown }
            try await note(Self.replacement, application, by: actor, purpose: "secret replaced", in: transaction)
        }
        return secret.text
    }

    func list() async throws -> [Listed] {
        try await store.database.query(
            """
            select id, name, secret_hash is null, withdrawn_at,
              (select count(*) from device d where d.application = a.id)
            from source_application a order by name, admitted_at
            """, as: UUID.self, String.self, Bool.self, Timestamp?.self, Int.self
        ).map { Listed(id: $0.0, name: $0.1, isPublic: $0.2, withdrawnAt: $0.3, authorizations: $0.4) }
    }

    // MARK: For authorisations

    /// An application that people can authorise; `nil` when there is none, or it was withdrawn.
    static func find(_ id: UUID, in session: some SQLSession) async throws -> Application? {
        try await session.queryOne(
            "select name, redirect_uris, data_types from source_application where id = \(id) and withdrawn_at is null",
            as: String.self, [String].self, [Int16].self
        ).map { Application(id: id, name: $0.0, redirectURIs: $0.1, dataTypes: $0.2) }
    }

    /// The application that shows its secret, or that has none and says who it is. It is not locked: a million people's tokens would
    /// wait for its row, and what a withdrawal does not see, `ApplicationWithdrawals` does. Throws `TokenFailure`.
    static func authenticate(_ proof: ClientProof, in transaction: Transaction) async throws -> Application {
        guard let id = UUID(proof.id) else { throw TokenFailure.invalidClient }
        let found = try await transaction.queryOne(
            """
            select name, redirect_uris, data_types, secret_hash, withdrawn_at is not null from source_application
            where id = \(id)
            """, as: String.self, [String].self, [Int16].self, [UInt8]?.self, Bool.self)
        guard let (name, redirectURIs, types, hash, isWithdrawn) = found else { throw TokenFailure.invalidClient }
        switch (hash, proof.secret) {
        case (nil, nil): break
        case (let hash?, let secret?):
            guard let token = OneTimeToken(secret), constantTimeEqual(hash, token.storedHash) else {
                throw TokenFailure.invalidClient
            }
        default: throw TokenFailure.invalidClient
        }
        guard !isWithdrawn else { throw TokenFailure.withdrawn }
        return Application(id: id, name: name, redirectURIs: redirectURIs, dataTypes: types)
    }

    private static let unknown = Refusal(
        .notFound, "unknown-application",
        "No application that is admitted has this id, or it has no secret; `sources list` shows all.")

    private func note(
        _ action: String, _ application: UUID, by actor: String, purpose: String, in transaction: Transaction
    ) async throws {
        try await audit.append(
            [.init(actor: actor, action: action, pseudonym: application, purpose: purpose)], in: transaction)
    }
}
