import Domain
import Postgres

/// What is registered already by somebody else. All of it is told at once before anything is stored; of registrations at the
/// same time the constraints tell it.
struct RegistrationConflict: Sendable {
    static let email = conflict("email-taken", "/email", "An account with this e-mail address exists already.")
    static let fiscalCode = conflict(
        "fiscal-code-taken", "/fiscal_code", "An account with this fiscal code exists already.")
    static let vatNumber = conflict(
        "vat-number-taken", "/vat_number", "This company is registered already, or with another e-mail address.")
    static let companyName = conflict(
        "company-name-taken", "/company_name", "A third party with this name is registered already.")

    let store: Store

    /// Adds what an individual's form has of others.
    func gather(email: EmailAddress?, fiscalCode: FiscalCode?, _ faults: inout Faults) async throws(PostgresError) {
        let address = email.map { store.columns.index($0) } ?? []
        let code = fiscalCode.map { store.columns.index($0) } ?? []
        let taken = try await store.database.queryOne(
            """
            select exists (select from email_owner where email_index = \(address)),
              exists (select from person where fiscal_code_index = \(code))
            """, as: Bool.self, Bool.self)
        if taken?.0 == true { faults.add(Self.email) }
        if taken?.1 == true { faults.add(Self.fiscalCode) }
    }

    /// Adds what a company's form has of others.
    func gather(_ draft: CompanyDraft, as kind: AccountKind, _ faults: inout Faults) async throws(PostgresError) {
        let address = draft.email.map { store.columns.index($0) } ?? []
        let vat = draft.vatNumber.map { store.columns.index($0) } ?? []
        let name = draft.companyName.map { store.columns.index(companyName: $0) } ?? []
        let taken = try await store.database.queryOne(
            """
            select exists (select from email_owner where email_index = \(address) and owner_index <> \(vat)),
              exists (select from account where email_index = \(address) and kind = \(kind.rawValue)),
              exists (select from email_owner where owner_index = \(vat) and email_index <> \(address)),
              exists (select from company where name_index = \(name) and kind = 'third-party')
            """, as: Bool.self, Bool.self, Bool.self, Bool.self)
        guard let taken else { return }
        if taken.0 && draft.vatNumber != nil || taken.1 { faults.add(Self.email) }
        if taken.2, draft.email != nil { faults.add(Self.vatNumber) }
        if taken.3, kind == .thirdParty { faults.add(Self.companyName) }
    }

    /// The conflict that a violated constraint stands for; other errors stay as they are.
    static func meaning(of error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        return switch error.constraint {
        case "account_email_key", "account_email_owner", "email_owner_key": email
        case "person_fiscal_code_key": fiscalCode
        case "company_vat_key", "email_owner_owner_key": vatNumber
        case "company_name_key": companyName
        default: error
        }
    }

    private static func conflict(_ code: String, _ pointer: String, _ detail: String) -> Refusal {
        Refusal(.conflict, code, detail, pointer: pointer)
    }
}
