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

    /// `accounts.admit`: what it does and the entry in the audit trail are one transaction. A company that is not found is an
    /// entry, too.
    func change(_ params: Accounts.Admit.Params, by actor: String) async throws -> UUID {
        guard (params.vatNumber == nil) != (params.email == nil) else {
            throw Refusal(.invalid, "one-of-two", "Give exactly one of vat_number and email.")
        }
        try Directory.check(purpose: params.reason)
        let account = try await store.transaction { transaction -> UUID? in
            let found = try await lock(params, in: transaction)
            try await audit.append(
                [
                    .init(
                        actor: actor, action: params.isAdmitted ? Accounts.Admit.name : Self.withdrawal,
                        pseudonym: found?.pseudonym, purpose: params.reason)
                ], in: transaction)
            guard let found, found.isAdmitted != params.isAdmitted else { return found?.account }
            let since = params.isAdmitted ? store.now() : nil
            try await transaction.execute(
                "update account set admitted_at = \(since) where id = \(found.account)")
            if !params.isAdmitted { try await revokeTokens(of: found.account, in: transaction) }
            return found.account
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

    private struct Found: Sendable {
        let account: UUID
        let pseudonym: UUID
        let isAdmitted: Bool
    }

    private func lock(_ params: Accounts.Admit.Params, in transaction: Transaction) async throws -> Found? {
        let vatNumber = params.vatNumber.map { store.columns.index($0) } ?? []
        let email = params.email.map { store.columns.index($0) } ?? []
        let found = try await transaction.queryOne(
            """
            select id, pseudonym, admitted_at is not null from account
            where kind = 'third-party' and confirmed_at is not null and id in (
              select account from company where vat_index = \(vatNumber) and kind = 'third-party'
              union all select id from account where email_index = \(email) and kind = 'third-party')
            for no key update
            """, as: UUID.self, UUID.self, Bool.self)
        return found.map { Found(account: $0.0, pseudonym: $0.1, isAdmitted: $0.2) }
    }

    /// Tokens are signed while their session or client is locked. So none that was signed before this has all the locks is missed.
    private func revokeTokens(of account: UUID, in transaction: Transaction) async throws {
        try await transaction.execute("select from session where account = \(account) for update")
        try await transaction.execute("select from client where account = \(account) for update")
        try await Revoking.revoke(account: account, store: store, in: transaction)
    }
}
