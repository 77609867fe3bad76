import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service

/// Answers other services' questions about accounts. Every question about a person is audited before it is answered
/// (NFR-06).
struct Directory: Sendable {
    let store: Store
    let audit: AuditTrail

    /// `accounts.find`: the confirmed individual with that fiscal code or address (REQ-01, REQ-02).
    func find(_ params: Accounts.Find.Params, caller: String) async throws -> UUID {
        guard (params.fiscalCode == nil) != (params.email == nil) else {
            throw Refusal(.invalid, "one-of-two", "Give exactly one of fiscal_code and email.")
        }
        let code = params.fiscalCode.map { store.columns.index($0) } ?? []
        let email = params.email.map { store.columns.index($0) } ?? []
        let purpose = params.purpose ?? "request"
        try Self.check(purpose: purpose)
        let found = try await store.database.queryOne(
            """
            with found as materialized (
              select a.id, a.pseudonym from account a
              where a.kind = 'individual' and a.confirmed_at is not null and a.id in (
                select account from person where fiscal_code_index = \(code)
                union all select id from account where email_index = \(email))),
            noted as (\(sql: noting(Accounts.Find.name, caller, purpose, params.onBehalfOf)))
            select id from found
            """, as: UUID.self)
        guard let found else { throw Refusal(.notFound, "no-such-individual", "There is no such individual.") }
        return found
    }

    /// Writes the entry in the statement that reads `found`.
    private func noting(_ action: String, _ caller: String, _ purpose: String, _ asker: UUID?) -> SQL {
        audit.noting(
            action, by: caller, purpose: purpose, of: "(select pseudonym from found)",
            onBehalfOf: "(select pseudonym from account where id = \(asker))")
    }

    /// `accounts.name`.
    func name(_ params: Accounts.ReadParams, caller: String) async throws -> Accounts.Name.Result {
        let (found, key) = try await read(params, for: Accounts.Name.name, caller)
        return .init(kind: try AccountKind.stored(found.kind), name: try name(of: found, key))
    }

    /// `accounts.requester`.
    func requester(_ params: Accounts.ReadParams, caller: String) async throws -> Accounts.Requester.Result {
        let (found, key) = try await read(params, for: Accounts.Requester.name, caller)
        return .init(
            kind: try AccountKind.stored(found.kind), name: try name(of: found, key),
            email: try store.columns.openEmail(found.email, of: found.id, with: key),
            vatNumber: try found.company(store.columns, key)?.vatNumber)
    }

    /// `accounts.active`.
    func active(_ accounts: [UUID]) async throws -> [UUID] {
        guard accounts.count <= Accounts.Active.accountsMax else {
            throw Refusal(.invalid, "too-many-accounts", "Ask about \(Accounts.Active.accountsMax) accounts at most.")
        }
        return try await store.database.query(
            """
            select id from account
            where id = any (\(accounts)) and kind = 'third-party' and confirmed_at is not null and suspended_at is null
            """, as: UUID.self)
    }

    /// `accounts.identity`.
    func identity(_ params: Accounts.ReadParams, caller: String) async throws -> Accounts.Identity.Result {
        Self.identity(of: try await person(params, for: Accounts.Identity.name, caller))
    }

    /// `accounts.wearer`.
    func wearer(_ params: Accounts.ReadParams, caller: String) async throws -> Accounts.Wearer.Result {
        let person = try await person(params, for: Accounts.Wearer.name, caller)
        let collected = try await DataCollection(store: store).own(params.accountID)
        let provided = try await store.database.query(
            "select distinct unnest(data_types) from device where account = \(params.accountID) order by 1",
            as: Int16.self)
        let types = try DataType.stored(provided)
        // Registration has refused a fiscal code that does not agree with the date of birth (ACC-02).
        return .init(
            identity: Self.identity(of: person), deviceTypes: types.filter { !collected.excludedTypes.contains($0) },
            collectsHealth: collected.health.isCollected, collectsPosition: collected.position.isCollected)
    }

    private static func identity(of person: PersonProfile) -> Accounts.Identity.Result {
        .init(
            name: person.name, surname: person.surname, fiscalCode: person.fiscalCode, birthDate: person.birthDate,
            sex: person.fiscalCode.sex)
    }

    private static let noSuchAccount = Refusal(.notFound, "no-such-account", "There is no such account.")

    private func person(
        _ params: Accounts.ReadParams, for method: String, _ caller: String
    ) async throws -> PersonProfile {
        let (found, key) = try await read(params, for: method, caller)
        guard let person = try found.person(store.columns, key) else { throw Self.noSuchAccount }
        return person
    }

    private func name(of found: StoredProfile, _ key: SubjectKey) throws -> String {
        if let company = try found.company(store.columns, key) { return company.companyName }
        guard let person = try found.person(store.columns, key) else { throw Self.noSuchAccount }
        return "\(person.name) \(person.surname)"
    }

    /// What is stored, with the key that it is sealed with: both are asked for at the same time.
    private func read(
        _ params: Accounts.ReadParams, for method: String, _ caller: String
    ) async throws -> (StoredProfile, SubjectKey) {
        try Self.check(purpose: params.purpose)
        async let keys = store.keys(of: [params.accountID])
        let found = try await store.database.queryOne(
            """
            with found as materialized (
              select \(sql: StoredProfile.columns) where a.id = \(params.accountID) and a.confirmed_at is not null),
            noted as (\(sql: noting(method, caller, params.purpose, params.onBehalfOf)))
            select * from found
            """, as: StoredProfile.self)
        guard let found else { throw Self.noSuchAccount }
        return (found, try await keys.key(of: found.id))
    }

    static func check(purpose: String) throws(Refusal) {
        let max = Accounts.ReadParams.purposeBytesMax
        guard (1...max).contains(purpose.utf8.count) else {
            throw Refusal(.invalid, "no-purpose", "Say for what purpose, in at most \(max) bytes.")
        }
    }

    /// `accounts.notify`.
    func notify(_ params: Accounts.Notify.Params) async throws {
        guard let template = MessageCatalogue[params.template] else {
            throw Refusal(.invalid, "unknown-template", "There is no message of that name.")
        }
        try await store.transaction { transaction in
            let consent = EmergencyConsent.isGiven(by: params.template)
            // Held while receipts are numbered.
            let held: SQL = consent == nil ? "" : "for no key update"
            let found = try await transaction.queryOne(
                "select true from account where id = \(params.accountID) \(sql: held)", as: Bool.self)
            guard found == true else {
                throw Refusal(.notFound, "no-such-account", "There is no such account.")
            }
            if let consent {
                try await EmergencyConsent.record(consent, of: params.accountID, at: store.now(), in: transaction)
            }
            guard let values = try await withDeviceName(params, in: transaction) else { return }
            try await Inbox.put(
                template, values, id: params.id, to: params.accountID, email: params.email, store: store,
                in: transaction)
        }
    }

    /// `accounts.mail`.
    func mail(_ params: Accounts.Mail.Params) async throws {
        guard let template = MessageCatalogue[params.template], MessageCatalogue.isForOutside(params.template) else {
            throw Refusal(.invalid, "unknown-template", "There is no such message to somebody without an account.")
        }
        try await store.transaction { transaction in
            try await MailOutbox.put(
                template, params.values, id: params.id, at: params.address, language: params.language, store: store,
                in: transaction)
        }
    }

    /// The values of a message about one of the person's devices, with its name in the place `device`; `nil` when the device
    /// was removed, and the message with it.
    private func withDeviceName(
        _ params: Accounts.Notify.Params, in transaction: Transaction
    ) async throws -> [String: String]? {
        guard let text = params.values[Accounts.Notify.deviceValue] else { return params.values }
        guard let device = UUID(text) else {
            throw Refusal.invalid("/values/\(Accounts.Notify.deviceValue)", "Write the device's id.")
        }
        let sealed = try await transaction.queryOne(
            "select name from device where id = \(device) and account = \(params.accountID)", as: [UInt8].self)
        guard let sealed else { return nil }
        var values = params.values
        let key = try await store.key(of: params.accountID)
        values["device"] = try store.columns.open(sealed, .deviceName, row: device, with: key)
        return values
    }
}
