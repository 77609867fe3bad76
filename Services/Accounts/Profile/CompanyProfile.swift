import Domain

/// The data of a third party or organiser (ACC-03, ACC-04); stored as one sealed value.
struct CompanyProfile: Codable, Sendable, Equatable {
    static let textCharactersMax = 200

    struct Representative: Codable, Sendable, Equatable {
        var name: String
        var surname: String
        var officeAddress: String?
        var phone: PhoneNumber?
        var email: EmailAddress?
        var fiscalCode: FiscalCode?
    }

    var companyName: String
    let vatNumber: VATNumber
    var legalAddress: String?
    var billingAddress: String?
    var sector: String?
    var legalRepresentative: Representative?
    var paymentMethod: String?

    /// Reads the members of a company's form; `nil` when something is wrong with them, which is in the reader then.
    init?(_ form: inout FormReader) {
        let before = form.faults.refusals.count
        let companyName: String? = form.required("company_name")
        let vatNumber: VATNumber? = form.required("vat_number")
        legalAddress = form.optional("legal_address")
        billingAddress = form.optional("billing_address")
        sector = form.optional("sector")
        legalRepresentative = form.optional("legal_representative")
        paymentMethod = form.optional("payment_method")
        Self.check(
            [
                ("/company_name", companyName), ("/legal_address", legalAddress), ("/billing_address", billingAddress),
                ("/sector", sector), ("/payment_method", paymentMethod),
            ] + Self.texts(of: legalRepresentative), &form.faults)
        guard let companyName, let vatNumber, form.faults.refusals.count == before else { return nil }
        (self.companyName, self.vatNumber) = (companyName, vatNumber)
    }

    /// Refuses texts that cannot be a company's, all at once.
    func check() throws(Refusal) {
        var faults = Faults()
        Self.check(
            [
                ("/company_name", companyName), ("/legal_address", legalAddress), ("/billing_address", billingAddress),
                ("/sector", sector), ("/payment_method", paymentMethod),
            ] + Self.texts(of: legalRepresentative), &faults)
        try faults.check()
    }

    private static func check(_ texts: [(pointer: String, text: String?)], _ faults: inout Faults) {
        for case (let pointer, let text?) in texts {
            faults.gather { () throws(Refusal) in
                try PlainText.check(text, charactersMax: textCharactersMax, at: pointer)
            }
        }
    }

    private static func texts(of representative: Representative?) -> [(pointer: String, text: String?)] {
        [
            ("/legal_representative/name", representative?.name),
            ("/legal_representative/surname", representative?.surname),
            ("/legal_representative/office_address", representative?.officeAddress),
        ]
    }
}
