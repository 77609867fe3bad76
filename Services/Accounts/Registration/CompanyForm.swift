import Domain

/// The form of a third party or organiser (ACC-03, ACC-04).
struct CompanyForm: Decodable, Sendable {
    let profile: CompanyProfile
    let email: EmailAddress
    let password: String
    let termsVersion: String
    let language: Language

    private enum CodingKeys: String, CodingKey { case email, password, language, termsVersion }

    init(from decoder: any Decoder) throws {
        profile = try CompanyProfile(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        email = try container.decode(EmailAddress.self, forKey: .email)
        password = try container.decode(String.self, forKey: .password)
        termsVersion = try container.decode(String.self, forKey: .termsVersion)
        language = try container.decodeIfPresent(Language.self, forKey: .language) ?? .italian
    }
}
