import Domain
import Postgres
import Primitives
import Security

/// The common part of a new account of any kind.
struct NewAccount: Sendable {
    let id: UUID
    let kind: AccountKind
    let email: EmailAddress
    let language: Language
    /// Keyed hash of who the e-mail address belongs to: the address itself, or a company's VAT number.
    let owner: [UInt8]

    /// Reserves the e-mail address for its owner, and creates the account with its password. The person or company is inserted
    /// afterwards.
    func insert(passwordHash: String, _ key: SubjectKey, store: Store, in transaction: Transaction) async throws {
        let now = store.now()
        let index = store.columns.index(email)
        let sealed = store.columns.seal(email.description, .email, row: id, with: key)
        try await takeEmail(index, in: transaction)
        try await transaction.execute(
            """
            insert into account (id, kind, email_index, owner_index, email, language, pseudonym, created_at)
            values (\(id), \(kind.rawValue), \(index), \(owner), \(sealed), \(language.rawValue), \(UUID.random()), \(now))
            """)
        try await transaction.execute(
            "insert into password (account, hash, changed_at) values (\(id), \(passwordHash), \(now))")
    }

    /// A company's third-party and organiser accounts may share one address; otherwise an address belongs to one
    /// account (ACC-01).
    private func takeEmail(_ index: [UInt8], in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            insert into email_owner (email_index, owner_index) values (\(index), \(owner)) on conflict do nothing
            """)
        let taken = try await transaction.query(
            "select email_index, owner_index from email_owner where email_index = \(index) or owner_index = \(owner)",
            as: [UInt8].self, [UInt8].self)
        guard taken.count == 1, taken[0].0 == index, taken[0].1 == owner else {
            throw taken.contains { $0.0 == index } ? RegistrationConflict.email : RegistrationConflict.vatNumber
        }
    }
}
