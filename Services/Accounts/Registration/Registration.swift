import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service

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

    /// Registers an individual; returns the account's id. Throws `Refusal` with all faults of the form, and `IOError.limit`
    /// when too many register at once.
    func registerIndividual(_ reader: FormReader, from address: SocketAddress?) async throws -> UUID {
        var reader = reader
        let draft = IndividualDraft(&reader, terms: terms, today: store.now().dateUTC)
        let conflicts = RegistrationConflict(store: store)
        try await conflicts.gather(email: draft.email, fiscalCode: draft.fiscalCode, &reader.faults)
        let form = try reader.complete(draft.form)
        let account = NewAccount(
            id: .random(), kind: .individual, email: form.email, language: form.language,
            owner: store.columns.index(form.email))
        let index = store.columns.index(form.profile.fiscalCode)
        let hash = try await hasher.hash(form.password, for: HashingTurns.Client(address, isKnown: false))
        try await insert(account, passwordHash: hash) { transaction, key in
            let sealed = try store.columns.seal(encoding: form.profile, .person, row: account.id, with: key)
            try await transaction.execute(
                "insert into person (account, fiscal_code_index, profile) values (\(account.id), \(index), \(sealed))")
            try await consents(form, of: account, key, in: transaction)
        }
        return account.id
    }

    /// What was agreed to: by the person at once, by a parent when the link is opened, by who was helped at the first log-in.
    private func consents(
        _ form: IndividualForm, of account: NewAccount, _ key: SubjectKey, in transaction: Transaction
    ) async throws {
        if let helper = form.helper {
            let stored = helper.stored(form.consents, form.termsVersion, bornOn: form.profile.birthDate)
            let sealed = try store.columns.seal(encoding: stored, .helper, row: account.id, with: key)
            try await transaction.execute(
                """
                insert into registration_helper (account, relation, content)
                values (\(account.id), \(helper.relation.rawValue), \(sealed))
                """)
        } else {
            let now = store.now()
            try await TermsAcceptance.record(
                form.termsVersion, by: account.id, way: .registration, at: now, in: transaction)
            try await Consents.record(
                form.consents, way: .registration, language: form.language, of: account.id, at: now, in: transaction)
        }
    }

    /// As for individuals; `kind` is third party or organiser.
    func registerCompany(
        _ reader: FormReader, as kind: AccountKind, from address: SocketAddress?
    ) async throws -> UUID {
        var reader = reader
        let draft = CompanyDraft(&reader, as: kind, terms: terms)
        let conflicts = RegistrationConflict(store: store)
        try await conflicts.gather(draft, as: kind, &reader.faults)
        let form = try reader.complete(draft.form)
        let vatIndex = store.columns.index(form.profile.vatNumber)
        let account = NewAccount(
            id: .random(), kind: kind, email: form.email, language: form.language, owner: vatIndex)
        let nameIndex = store.columns.index(companyName: form.profile.companyName)
        let hash = try await hasher.hash(form.password, for: HashingTurns.Client(address, isKnown: false))
        try await insert(account, passwordHash: hash) { transaction, key in
            let sealed = try store.columns.seal(encoding: form.profile, .company, row: account.id, with: key)
            try await transaction.execute(
                """
                insert into company (account, kind, vat_index, name_index, profile)
                values (\(account.id), \(kind.rawValue), \(vatIndex), \(nameIndex), \(sealed))
                """)
            try await TermsAcceptance.record(
                form.termsVersion, by: account.id, way: .registration, at: store.now(), in: transaction)
        }
        return account.id
    }

    private func insert(
        _ account: NewAccount, passwordHash: String,
        _ details: @Sendable (Transaction, SubjectKey) async throws -> Void
    ) async throws {
        do {
            try await store.withNewKeys(for: [account.id]) { keys in
                try await store.transaction { transaction in
                    let key = try keys.key(of: account.id)
                    try await account.insert(passwordHash: passwordHash, key, store: store, in: transaction)
                    try await details(transaction, key)
                    try await confirmation.sendLinks(to: account.id, in: transaction)
                }
            }
        } catch {
            throw RegistrationConflict.meaning(of: error)
        }
    }

    /// The member `password` of a form, if it is strong.
    static func password(_ form: inout FormReader, of person: PasswordPolicy.Person) -> String? {
        guard let password: String = form.required("password") else { return nil }
        form.faults.gather { () throws(Refusal) in try check(password, of: person) }
        return password
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
