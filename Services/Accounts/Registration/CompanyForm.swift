import Domain
import Security

/// The form of a third party or organiser (ACC-03, ACC-04), with nothing wrong in it.
struct CompanyForm: Sendable {
    let profile: CompanyProfile
    let email: EmailAddress
    let password: String
    let termsVersion: String
    let language: Language
}

/// The form as far as it can be read.
struct CompanyDraft: Sendable {
    let email: EmailAddress?
    let vatNumber: VATNumber?
    let companyName: String?
    /// `nil` when something is wrong, which is in the reader then.
    let form: CompanyForm?

    init(_ reader: inout FormReader, as kind: AccountKind, terms: TermsCatalogue) {
        let profile = CompanyProfile(&reader)
        vatNumber = profile?.vatNumber ?? reader.peek("vat_number")
        companyName = profile?.companyName ?? reader.peek("company_name")
        email = reader.required("email")
        let language: Language = reader.optional("language") ?? .italian
        let termsVersion = terms.read(&reader, for: kind)
        let password = Registration.password(
            &reader, of: .init(email: email?.description ?? "", names: companyName.map { [$0] } ?? []))
        guard let profile, let email, let termsVersion, let password else {
            form = nil
            return
        }
        form = CompanyForm(
            profile: profile, email: email, password: password, termsVersion: termsVersion, language: language)
    }
}
