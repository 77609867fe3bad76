import Contracts
import Postgres
import Primitives
import Service

/// Which third parties may ask about groups (GRP-01): those that the operator has admitted. Only their tokens have the scope for it.
struct Admission: Sendable {
    /// What the audit trail calls the end of an admission; its beginning is called as the method.
    static let withdrawal = "accounts.withdraw_admission"

    let store: Store
    let audit: AuditTrail

    /// `accounts.admit`.
    func change(_ params: Accounts.Admit.Params, by actor: String) async throws -> UUID {
        guard (params.vatNumber == nil) != (params.email == nil) else {
            throw Refusal(.invalid, "one-of-two", "Give exactly one of vat_number and email.")
        }
        let vatNumber = params.vatNumber.map { store.columns.index($0) } ?? []
        let email = params.email.map { store.columns.index($0) } ?? []
        return try await change(
            """
            id in (select account from company where vat_index = \(vatNumber) and kind = 'third-party'
              union all select id from account where email_index = \(email) and kind = 'third-party')
            """, isAdmitted: params.isAdmitted, reason: params.reason, by: actor)
    }

    /// The same of an account that was found before.
    func change(_ account: UUID, isAdmitted: Bool, reason: String, by actor: String) async throws {
        _ = try await change("id = \(account)", isAdmitted: isAdmitted, reason: reason, by: actor)
    }

    /// What it does and the entry in the audit trail are one transaction. A company that is not found is an entry, too.
    private func change(_ which: SQL, isAdmitted: Bool, reason: String, by actor: String) async throws -> UUID {
        try Directory.check(purpose: reason)
        let account = try await store.transaction { transaction -> UUID? in
            let found = try await transaction.queryOne(
                """
                select id, pseudonym, admitted_at is not null from account
                where kind = 'third-party' and confirmed_at is not null and \(sql: which)
                for no key update
                """, as: UUID.self, UUID.self, Bool.self)
            try await audit.append(
                [
                    .init(
                        actor: actor, action: isAdmitted ? Accounts.Admit.name : Self.withdrawal,
                        pseudonym: found?.1, purpose: reason)
                ], in: transaction)
            guard let (account, _, wasAdmitted) = found, wasAdmitted != isAdmitted else { return found?.0 }
            let since = isAdmitted ? store.now() : nil
            try await transaction.execute("update account set admitted_at = \(since) where id = \(account)")
            if !isAdmitted { try await revokeTokens(of: account, in: transaction) }
            return account
        }
        guard let account else {
            throw Refusal(
                .notFound, "no-such-third-party", "There is no such third party, or it has not confirmed yet.")
        }
        return account
    }

    /// What a third party's token may have of these scopes. The session or client that it is for is locked already, in the same
    /// transaction: then a withdrawal comes before this, or revokes the token.
    static func scopes(_ scopes: [String], of account: UUID, in transaction: Transaction) async throws -> [String] {
        let isAdmitted = try await transaction.queryOne(
            "select admitted_at is not null from account where id = \(account)", as: Bool.self)
        return isAdmitted == true ? scopes : scopes.filter { $0 != AccessScope.groups.rawValue }
    }

    /// Tokens are signed while their session or client is locked. So none that was signed before this has all the locks is missed.
    private func revokeTokens(of account: UUID, in transaction: Transaction) async throws {
        try await transaction.execute("select from session where account = \(account) for update")
        try await transaction.execute("select from client where account = \(account) for update")
        try await Revoking.revoke(account: account, store: store, in: transaction)
    }
}
