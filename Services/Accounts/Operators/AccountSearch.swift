import Domain
import Postgres
import Primitives
import Service

/// Finds accounts for operators, by exactly what their owners are known by. Each question is in the audit trail, with its reason, as
/// each account that it finds is; what is told is what an operator's act needs: no names of people, no addresses.
struct AccountSearch: Sendable {
    /// What the audit trail calls a question.
    static let action = "operator.find"

    struct Form: Decodable, Sendable {
        let email: EmailAddress?
        let fiscalCode: FiscalCode?
        let vatNumber: VATNumber?
        let reason: String
    }

    struct Found: Encodable, Sendable {
        let id: UUID
        let kind: AccountKind
        /// Of a company.
        let companyName: String?
        let language: Language
        let createdAt: Timestamp
        let confirmedAt: Timestamp?
        let suspendedAt: Timestamp?
        /// Since when a third party may ask about groups.
        let admittedAt: Timestamp?
        /// Since when mail to the account comes back, and with which status (RFC 3463).
        let undeliverableSince: Timestamp?
        let undeliverableStatus: String?
        let hasSecondFactor: Bool
    }

    let store: Store
    let audit: AuditTrail

    func find(_ form: Form, by actor: String) async throws -> [Found] {
        guard [form.email != nil, form.fiscalCode != nil, form.vatNumber != nil].filter(\.self).count == 1 else {
            throw Refusal(.invalid, "one-of-three", "Give exactly one of email, fiscal_code and vat_number.")
        }
        try Directory.check(purpose: form.reason)
        let email = form.email.map { store.columns.index($0) } ?? []
        let code = form.fiscalCode.map { store.columns.index($0) } ?? []
        let vatNumber = form.vatNumber.map { store.columns.index($0) } ?? []
        let rows = try await store.transaction { transaction in
            let found = try await transaction.query(
                """
                select a.id, a.kind, a.language, a.pseudonym, a.created_at, a.confirmed_at, a.suspended_at, a.admitted_at,
                  a.undeliverable_since, a.undeliverable_status, c.profile,
                  exists (select from second_factor f where f.account = a.id and f.confirmed_at is not null)
                    or exists (select from passkey k where k.account = a.id) as has_factor
                from account a left join company c on c.account = a.id
                where a.id in (
                  select id from account where email_index = \(email)
                  union all select account from person where fiscal_code_index = \(code)
                  union all select account from company where vat_index = \(vatNumber))
                order by a.kind
                """
            ) { row throws(PostgresError) in try Row(row) }
            let pseudonyms = found.isEmpty ? [nil] : found.map { Optional($0.pseudonym) }
            try await audit.append(
                pseudonyms.map {
                    .init(actor: actor, action: Self.action, pseudonym: $0, purpose: form.reason)
                }, in: transaction)
            return found
        }
        let keys = try await store.keys(of: rows.filter { $0.company != nil }.map(\.id))
        return try rows.map { try $0.told(store.columns, keys) }
    }

    private struct Row: Sendable {
        let id: UUID
        let kind: String
        let language: String
        let pseudonym: UUID
        let createdAt: Timestamp
        let confirmedAt: Timestamp?
        let suspendedAt: Timestamp?
        let admittedAt: Timestamp?
        let undeliverableSince: Timestamp?
        let status: String?
        let company: [UInt8]?
        let hasFactor: Bool

        init(_ row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            kind = try row["kind"]
            language = try row["language"]
            pseudonym = try row["pseudonym"]
            createdAt = try row["created_at"]
            confirmedAt = try row["confirmed_at"]
            suspendedAt = try row["suspended_at"]
            admittedAt = try row["admitted_at"]
            undeliverableSince = try row["undeliverable_since"]
            status = try row["undeliverable_status"]
            company = try row["profile"]
            hasFactor = try row["has_factor"]
        }

        func told(_ columns: PersonalColumns, _ keys: SubjectKeySet) throws -> Found {
            Found(
                id: id, kind: try AccountKind.stored(kind),
                companyName: try company.map {
                    try columns.open($0, as: CompanyProfile.self, .company, row: id, with: try keys.key(of: id))
                        .companyName
                }, language: try Language.stored(language), createdAt: createdAt, confirmedAt: confirmedAt,
                suspendedAt: suspendedAt, admittedAt: admittedAt, undeliverableSince: undeliverableSince,
                undeliverableStatus: status,
                hasSecondFactor: hasFactor)
        }
    }
}
