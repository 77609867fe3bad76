import Domain
import Postgres
import Primitives
import Reactor
import Security

/// Creates accounts from the forms (ACC-01 to ACC-05). They cannot log in before their e-mail address is confirmed
/// (ACC-06).
///
/// The answer tells what is taken (`email-taken`, `fiscal-code-taken`): fiscal code, VAT number and company name are
/// unique (ACC-02, ACC-03), and people who mistyped or forgot that they have an account must learn it here. So that
/// nobody finds out by guessing who is registered (REQ-02), one client address has `perAddressMax` tries an hour.
struct Registration: Sendable {
    static let perAddressMax = 60
    static let addressWindow = Duration.seconds(3600)

    let store: Store
    let hasher: PasswordHasher
    let terms: TermsCatalogue
    let confirmation: Confirmation

    /// Registers an individual; returns the account's id. Throws `Refusal` for a form with faults, and `IOError.limit`
    /// when too many register at once.
    func register(_ form: IndividualForm, from address: SocketAddress?) async throws -> UUID {
        try form.profile.check(today: store.now().dateUTC)
        try form.profile.checkPlaces()
        try terms.check(form.termsVersion, for: .individual)
        try Self.check(
            form.password,
            of: .init(
                email: form.email.description, names: [form.profile.name, form.profile.surname],
                fiscalCode: form.profile.fiscalCode.description))
        let account = NewAccount(
            id: .random(), kind: .individual, email: form.email, language: form.language,
            owner: store.columns.index(form.email))
        let sealed = try store.columns.seal(encoding: form.profile, .person, row: account.id)
        let index = store.columns.index(form.profile.fiscalCode)
        let hash = try await hasher.hash(form.password, for: HashingTurns.Client(address, isKnown: false))
        try await insert(account, passwordHash: hash, termsVersion: form.termsVersion) { transaction in
            try await transaction.execute(
                "insert into person (account, fiscal_code_index, profile) values (\(account.id), \(index), \(sealed))")
        }
        return account.id
    }

    /// As for individuals; `kind` is third party or organiser.
    func register(
        _ form: CompanyForm, as kind: AccountKind, from address: SocketAddress?
    ) async throws -> UUID {
        try form.profile.check()
        try terms.check(form.termsVersion, for: kind)
        try Self.check(form.password, of: .init(email: form.email.description, names: [form.profile.companyName]))
        let vatIndex = store.columns.index(form.profile.vatNumber)
        let account = NewAccount(
            id: .random(), kind: kind, email: form.email, language: form.language, owner: vatIndex)
        let sealed = try store.columns.seal(encoding: form.profile, .company, row: account.id)
        let nameIndex = store.columns.index(companyName: form.profile.companyName)
        let hash = try await hasher.hash(form.password, for: HashingTurns.Client(address, isKnown: false))
        try await insert(account, passwordHash: hash, termsVersion: form.termsVersion) { transaction in
            try await transaction.execute(
                """
                insert into company (account, kind, vat_index, name_index, profile)
                values (\(account.id), \(kind.rawValue), \(vatIndex), \(nameIndex), \(sealed))
                """)
        }
        return account.id
    }

    private func insert(
        _ account: NewAccount, passwordHash: String, termsVersion: String,
        _ details: @Sendable (Transaction) async throws -> Void
    ) async throws {
        do {
            try await store.transaction { transaction in
                try await account.insert(
                    passwordHash: passwordHash, termsVersion: termsVersion, store: store, in: transaction)
                try await details(transaction)
                try await confirmation.sendLink(to: account.id, in: transaction)
            }
        } catch {
            throw RegistrationConflict.meaning(of: error)
        }
    }

    /// Refuses a weak password with the reason.
    static func check(
        _ password: String, at pointer: String = "/password", of person: PasswordPolicy.Person
    ) throws(Refusal) {
        do throws(PasswordRefusal) {
            try PasswordPolicy.check(password, of: person)
        } catch {
            throw .invalid(pointer, error.sentence, code: "weak-password")
        }
    }
}
