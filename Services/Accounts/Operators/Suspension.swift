import Contracts
import Domain
import Postgres
import Primitives
import Service

/// Accounts that the operator has suspended: without log-ins, sessions and programs.
///
/// An individual's devices keep their tokens, and other services are told nothing: an alarm does not depend on whether somebody
/// may log in (SOS-02).
struct Suspension: Sendable {
    /// What the audit trail calls the end of a suspension; its beginning is called as the method.
    static let restoration = "accounts.restore"

    let store: Store
    let audit: AuditTrail

    /// `accounts.suspend`.
    func change(_ params: Accounts.Suspend.Params, by actor: String) async throws -> UUID {
        try await change(
            "email_index = \(store.columns.index(params.email)) and kind = \(params.kind.rawValue)",
            isSuspended: params.isSuspended, reason: params.reason, by: actor)
    }

    /// The same of an account that was found before.
    func change(_ account: UUID, isSuspended: Bool, reason: String, by actor: String) async throws {
        _ = try await change("id = \(account)", isSuspended: isSuspended, reason: reason, by: actor)
    }

    /// What it does, the mail to the owner and the entry in the audit trail are one transaction. An account that is not found is an
    /// entry, too.
    private func change(_ which: SQL, isSuspended: Bool, reason: String, by actor: String) async throws -> UUID {
        try Directory.check(purpose: reason)
        let account = try await store.transaction { transaction -> UUID? in
            let found = try await transaction.queryOne(
                """
                select id, kind, pseudonym, suspended_at is not null from account
                where \(sql: which) and confirmed_at is not null
                for no key update
                """, as: UUID.self, String.self, UUID.self, Bool.self)
            try await audit.append(
                [
                    .init(
                        actor: actor, action: isSuspended ? Accounts.Suspend.name : Self.restoration,
                        pseudonym: found?.2, purpose: reason)
                ], in: transaction)
            guard let (account, kind, _, wasSuspended) = found, wasSuspended != isSuspended else { return found?.0 }
            let since = isSuspended ? store.now() : nil
            try await transaction.execute("update account set suspended_at = \(since) where id = \(account)")
            if isSuspended { try await endAll(of: account, try AccountKind.stored(kind), in: transaction) }
            try await Inbox.warn(
                account, isSuspended ? MessageCatalogue.accountSuspended : MessageCatalogue.accountRestored,
                ["reason": reason], store: store, in: transaction)
            return account
        }
        guard let account else {
            throw Refusal(.notFound, "no-such-account", "There is no such account, or it has not been confirmed yet.")
        }
        return account
    }

    /// Whether an account gets no tokens. It, or the client that the token is for, is locked already in the same transaction: then a
    /// suspension comes before this, or revokes the token.
    static func isSuspended(_ account: UUID, in transaction: Transaction) async throws -> Bool {
        try await transaction.queryOne(
            "select suspended_at is not null from account where id = \(account)", as: Bool.self) == true
    }

    private func endAll(of account: UUID, _ kind: AccountKind, in transaction: Transaction) async throws {
        try await Sessions.endAll(of: account, store: store, in: transaction)
        // Of an individual that would be the devices' tokens.
        guard kind == .thirdParty else { return }
        try await transaction.execute("select from client where account = \(account) for update")
        try await Revoking.revoke(account: account, store: store, in: transaction)
    }
}
