import Domain
import Postgres
import Primitives
import Security

/// An account with the profile of its person or company, as it is stored.
struct StoredProfile: PostgresRowDecodable, Sendable {
    static let columns: SQL = """
        a.id, a.kind, a.email, a.language, a.pseudonym, a.created_at, a.undeliverable_since, p.profile as person, c.profile as company
        from account a left join person p on p.account = a.id left join company c on c.account = a.id
        """

    let id: UUID
    let kind: String
    let email: [UInt8]
    let language: String
    let pseudonym: UUID
    let createdAt: Timestamp
    let undeliverableSince: Timestamp?
    private let sealedPerson: [UInt8]?
    private let sealedCompany: [UInt8]?

    init(row: PostgresRow) throws(PostgresError) {
        id = try row["id"]
        kind = try row["kind"]
        email = try row["email"]
        language = try row["language"]
        pseudonym = try row["pseudonym"]
        createdAt = try row["created_at"]
        undeliverableSince = try row["undeliverable_since"]
        sealedPerson = try row["person"]
        sealedCompany = try row["company"]
    }

    func person(_ columns: PersonalColumns, _ key: SubjectKey) throws -> PersonProfile? {
        try sealedPerson.map { try columns.open($0, as: PersonProfile.self, .person, row: id, with: key) }
    }

    func company(_ columns: PersonalColumns, _ key: SubjectKey) throws -> CompanyProfile? {
        try sealedCompany.map { try columns.open($0, as: CompanyProfile.self, .company, row: id, with: key) }
    }
}
