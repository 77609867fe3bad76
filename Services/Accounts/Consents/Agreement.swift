import Contracts
import Domain
import Postgres
import Primitives

/// Whether an account has agreed to what holds: its own terms, and the consents that nobody can give for somebody else (ACC-02,
/// ACC-05).
struct Agreement: Sendable {
    enum State: Sendable {
        case complete
        /// A version of the terms has come into force since.
        case termsNeeded
        /// The person has agreed to nothing yet: a relative has filled in the form, somebody has provisioned the account, or the
        /// person was a child, for whom a parent agreed.
        case consentNeeded
    }

    let store: Store
    let terms: TermsCatalogue

    func state(of account: UUID, _ kind: AccountKind, in transaction: Transaction) async throws -> State {
        let found = try await transaction.queryOne(
            """
            select coalesce(bool_or(version = \(terms[kind])), false), coalesce(bool_or(way in ('registration', 'log-in')), false)
            from terms_acceptance where account = \(account)
            """, as: Bool.self, Bool.self)
        let (isCurrent, isOwn) = found ?? (false, false)
        if !isOwn, kind == .individual {
            guard let helper = try await RegistrationHelpers(store: store).read(of: account, in: transaction),
                let ownFrom = helper.content.ownFrom, store.now().dateUTC < ownFrom
            else { return .consentNeeded }
        }
        return isCurrent ? .complete : .termsNeeded
    }

    /// The person agrees at a log-in. The caller holds the account.
    func confirm(
        _ consents: Accounts.Consents, _ version: String, by account: UUID, in transaction: Transaction
    ) async throws {
        let now = store.now()
        let language = try await transaction.queryOne(
            "select language from account where id = \(account)", as: String.self)
        try await TermsAcceptance.record(version, by: account, way: .logIn, at: now, in: transaction)
        try await Consents.record(
            consents, way: .logIn, language: try Language.stored(language ?? ""), of: account, at: now, in: transaction)
        try await transaction.execute(
            "update registration_helper set own_at = \(now) where account = \(account)")
        let change = try await Store.requiredVersion(of: account, in: transaction)
        try await AccountFeeds.publishChange(of: account, version: change, store: store, in: transaction)
    }
}
