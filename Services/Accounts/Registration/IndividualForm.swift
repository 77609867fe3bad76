import Contracts
import Domain
import Primitives
import Security

/// The form of an individual (ACC-02), with nothing wrong in it.
struct IndividualForm: Sendable {
    let profile: PersonProfile
    let email: EmailAddress
    let password: String
    let termsVersion: String
    let language: Language
    /// None of what a relative has filled in: the person consents at the first log-in.
    let consents: Accounts.Consents
    let helper: RegistrationHelper?
}

/// The form as far as it can be read.
struct IndividualDraft: Sendable {
    let email: EmailAddress?
    let fiscalCode: FiscalCode?
    /// `nil` when something is wrong, which is in the reader then.
    let form: IndividualForm?

    init(_ reader: inout FormReader, terms: TermsCatalogue, today: CalendarDate) {
        let profile = PersonProfile(&reader, today: today)
        let birthDate: CalendarDate? = profile?.birthDate ?? reader.peek("birth_date")
        fiscalCode = profile?.fiscalCode ?? reader.peek("fiscal_code")
        email = reader.required("email")
        let language: Language = reader.optional("language") ?? .italian
        let helper = RegistrationHelper.read(&reader, bornOn: birthDate, fiscalCode, today: today)
        let consents = Self.consents(&reader, helper)
        let termsVersion = terms.read(&reader, for: .individual)
        let names: [String?] = [profile?.name ?? reader.peek("name"), profile?.surname ?? reader.peek("surname")]
        let password = Registration.password(
            &reader,
            of: .init(
                email: email?.description ?? "", names: names.compactMap { $0 },
                fiscalCode: fiscalCode?.description ?? ""))
        guard let profile, let email, let termsVersion, let password else {
            form = nil
            return
        }
        form = IndividualForm(
            profile: profile, email: email, password: password, termsVersion: termsVersion, language: language,
            consents: consents, helper: helper)
    }

    private static func consents(_ reader: inout FormReader, _ helper: RegistrationHelper?) -> Accounts.Consents {
        let given: Accounts.Consents? = reader.optional("consents")
        guard case .relative = helper, let given, given != .none else { return given ?? .none }
        reader.faults.add(
            .invalid(
                "/consents", "The person consents at the first log-in, nobody else.", code: "not-yours-to-give"))
        return .none
    }
}
