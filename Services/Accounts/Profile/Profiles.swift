import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security

/// The own profile of an account that has logged in (ACC-11).
struct Profiles: Sendable {
    struct Own: Encodable, Sendable {
        let id: UUID
        let kind: AccountKind
        let email: EmailAddress
        let language: Language
        /// Since when mail to the address comes back.
        let emailUndeliverableSince: Timestamp?
        let createdAt: Timestamp
        let person: PersonProfile?
        let sex: Sex?
        let birthplace: BelfioreCode?
        /// As a reader of the account's language knows it.
        let birthplaceTitle: String?
        let residenceTitle: String?
        let company: CompanyProfile?
        let filledInBy: FilledInBy?
        /// When the person's picture was put there.
        let pictureChangedAt: Timestamp?
    }

    /// Who has filled in the form for the person.
    struct FilledInBy: Encodable, Sendable {
        let relation: RegistrationHelper.Relation
        let name: String
        let surname: String
        /// When the person has confirmed it at a log-in.
        let confirmedAt: Timestamp?
    }

    let store: Store

    func own(_ account: UUID) async throws -> Own {
        let found = try await store.database.queryOne(
            "select \(sql: StoredProfile.columns) where a.id = \(account)", as: StoredProfile.self)
        guard let found else { throw Refusal.notFound }
        let key = try await store.key(of: account)
        let person = try found.person(store.columns, key)
        let helper = try await RegistrationHelpers(store: store).read(of: account, in: store.database)
        let pictureChangedAt = try await store.database.queryOne(
            "select changed_at from picture where account = \(account)", as: Timestamp.self)
        let language = try Language.stored(found.language)
        func title(_ code: BelfioreCode?) -> String? {
            code.flatMap { PlaceTable.standard[$0] }?.title(in: language)
        }
        return Own(
            id: account, kind: try AccountKind.stored(found.kind),
            email: try store.columns.openEmail(found.email, of: account, with: key),
            language: language, emailUndeliverableSince: found.undeliverableSince, createdAt: found.createdAt,
            person: person,
            sex: person?.fiscalCode.sex, birthplace: person?.fiscalCode.birthplace,
            birthplaceTitle: title(person?.fiscalCode.birthplace), residenceTitle: title(person?.residence),
            company: try found.company(store.columns, key),
            filledInBy: helper.map {
                FilledInBy(
                    relation: $0.relation, name: $0.content.name, surname: $0.content.surname, confirmedAt: $0.ownAt)
            }, pictureChangedAt: pictureChangedAt)
    }

    /// Refuses a weak new password of that account with the reason.
    func check(_ newPassword: String, of account: UUID) async throws {
        let own = try await own(account)
        let names = [own.person?.name, own.person?.surname, own.company?.companyName].compactMap { $0 }
        try Registration.check(
            newPassword, at: "/new_password",
            of: .init(
                email: own.email.description, names: names, fiscalCode: own.person?.fiscalCode.description ?? ""))
    }

    /// Changes the members that the change holds.
    func change(_ account: UUID, _ change: ProfileChange) async throws -> Own {
        try change.checkUnchangeable()
        let key = try await store.key(of: account)
        do {
            try await store.transaction { transaction in
                let version = try await Store.requiredVersion(of: account, in: transaction)
                if let language = change.language {
                    try await transaction.execute(
                        "update account set language = \(language.rawValue) where id = \(account)")
                }
                let person = try await transaction.queryOne(
                    "select profile, subject from person where account = \(account)", as: [UInt8].self, Int32?.self)
                if let (sealed, subject) = person {
                    let isMoved = try await changePerson(account, sealed, subject, change, key, in: transaction)
                    if isMoved || change.language != nil {
                        try await AccountFeeds.publishChange(
                            of: account, version: version, store: store, in: transaction)
                    }
                } else {
                    try await changeCompany(account, change, key, in: transaction)
                }
            }
        } catch {
            throw RegistrationConflict.meaning(of: error)
        }
        return try await own(account)
    }

    /// Whether the person lives in another time zone now.
    private func changePerson(
        _ account: UUID, _ sealed: [UInt8], _ subject: Int32?, _ change: ProfileChange, _ key: SubjectKey,
        in transaction: Transaction
    ) async throws -> Bool {
        let before = try store.columns.open(sealed, as: PersonProfile.self, .person, row: account, with: key)
        var profile = before
        change.apply(to: &profile)
        guard profile != before else { return false }
        try profile.check(today: store.now().dateUTC)
        if profile.residence != before.residence { try profile.checkResidence() }
        let resealed = try store.columns.seal(encoding: profile, .person, row: account, with: key)
        // In the order in which `ProfileReleases` takes the two rows.
        if let subject, (profile.residence, profile.occupation) != (before.residence, before.occupation) {
            try await ProfileReleases.note([subject], at: store.now(), in: transaction)
        }
        try await transaction.execute("update person set profile = \(resealed) where account = \(account)")
        return profile.zone != before.zone
    }

    private func changeCompany(
        _ account: UUID, _ change: ProfileChange, _ key: SubjectKey, in transaction: Transaction
    ) async throws {
        let sealed = try await transaction.queryOne(
            "select profile from company where account = \(account)", as: [UInt8].self)
        guard let sealed else { throw Refusal.notFound }
        var profile = try store.columns.open(sealed, as: CompanyProfile.self, .company, row: account, with: key)
        change.apply(to: &profile)
        try profile.check()
        let resealed = try store.columns.seal(encoding: profile, .company, row: account, with: key)
        try await transaction.execute(
            """
            update company set profile = \(resealed), name_index = \(store.columns.index(companyName: profile.companyName))
            where account = \(account)
            """)
    }
}
