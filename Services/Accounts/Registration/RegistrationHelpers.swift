import Domain
import Postgres
import Primitives

/// Who has filled in the form for whom, as it is stored, and what is still to be confirmed of it.
struct RegistrationHelpers: Sendable {
    struct Known: Sendable {
        let relation: RegistrationHelper.Relation
        let content: RegistrationHelper.Stored
        /// When the person has confirmed it.
        let ownAt: Timestamp?
    }

    let store: Store

    func read(of account: UUID, in session: some SQLSession) async throws -> Known? {
        let row = try await session.queryOne(
            "select relation, content, own_at from registration_helper where account = \(account)",
            as: String.self, [UInt8].self, Timestamp?.self)
        guard let (text, sealed, ownAt) = row else { return nil }
        guard let relation = RegistrationHelper.Relation(rawValue: text) else {
            throw StoredValueError(column: "registration_helper.relation")
        }
        return Known(
            relation: relation,
            content: try store.columns.open(
                sealed, as: RegistrationHelper.Stored.self, .helper, row: account,
                with: try await store.key(of: account)),
            ownAt: ownAt)
    }

    /// The parent who has not agreed yet.
    func waitingParent(of account: UUID, in transaction: Transaction) async throws -> RegistrationHelper.Stored? {
        let isWaiting = try await transaction.queryOne(
            """
            select exists (select from registration_helper
              where account = \(account) and relation = 'parent' and parent_confirmed_at is null)
            """, as: Bool.self)
        return isWaiting == true ? try await read(of: account, in: transaction)?.content : nil
    }

    /// Notes that one of the links was used, and whether nothing is left to confirm. When the parent agrees, that is on record as
    /// the parent's (GDPR 8).
    func isComplete(
        _ account: UUID, confirmedByParent isParent: Bool, language: Language, in transaction: Transaction
    ) async throws -> Bool {
        guard let known = try await read(of: account, in: transaction), known.relation == .parent else { return true }
        let now = store.now()
        let state = try await transaction.queryOne(
            """
            update registration_helper h set
              email_confirmed_at = case when \(isParent) then h.email_confirmed_at
                else coalesce(h.email_confirmed_at, \(now)) end,
              parent_confirmed_at = case when \(isParent) then coalesce(h.parent_confirmed_at, \(now))
                else h.parent_confirmed_at end
            where h.account = \(account)
            returning email_confirmed_at is not null, parent_confirmed_at is not null, parent_confirmed_at = \(now)
            """, as: Bool.self, Bool.self, Bool?.self)
        guard let (hasEmail, hasParent, isNew) = state else { return true }
        if isParent, isNew == true {
            if let version = known.content.termsVersion {
                try await TermsAcceptance.record(version, by: account, way: .parent, at: now, in: transaction)
            }
            try await Consents.record(
                known.content.consents ?? .none, way: .parent, language: language, of: account, at: now, in: transaction
            )
        }
        return hasEmail && hasParent
    }
}
