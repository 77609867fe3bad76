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

    func check() throws(Refusal) {
        let optional = [
            ("/legal_address", legalAddress), ("/billing_address", billingAddress), ("/sector", sector),
            ("/payment_method", paymentMethod), ("/legal_representative/name", legalRepresentative?.name),
            ("/legal_representative/surname", legalRepresentative?.surname),
            ("/legal_representative/office_address", legalRepresentative?.officeAddress),
        ]
        try PlainText.check(companyName, charactersMax: Self.textCharactersMax, at: "/company_name")
        for case (let pointer, let text?) in optional {
            try PlainText.check(text, charactersMax: Self.textCharactersMax, at: pointer)
        }
    }
}
