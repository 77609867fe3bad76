import Postgres

/// What is registered already by somebody else.
enum RegistrationConflict {
    static let email = conflict("email-taken", "/email", "An account with this e-mail address exists already.")
    static let fiscalCode = conflict(
        "fiscal-code-taken", "/fiscal_code", "An account with this fiscal code exists already.")
    static let vatNumber = conflict(
        "vat-number-taken", "/vat_number", "This company is registered already, or with another e-mail address.")
    static let companyName = conflict(
        "company-name-taken", "/company_name", "A third party with this name is registered already.")

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
