public import Domain
public import Primitives

/// A third party or organiser that has an account and is logged in.
public struct Company: Sendable {
    public let id: UUID
    public let name: String
    public let email: EmailAddress
    /// As the company's people.
    public let api: API

    /// Registers, confirms by the link in the mail, logs in. Errors: all.
    public static func register(
        _ form: CompanyForm, as kind: AccountKind, api: API, mailbox: Mailbox
    ) async throws(SuiteError) -> Company {
        _ = try await api.patient.register(form, as: kind)
        try await api.patient.confirm(link: try await mailbox.link(to: form.email, containing: "/confirm#"))
        return try await logIn(form, as: kind, api: api)
    }

    public static func logIn(
        _ form: CompanyForm, as kind: AccountKind, api: API
    ) async throws(SuiteError) -> Company {
        let tokens = try await api.patient.logIn(form.email.description, password: form.password, kind: kind)
        return Company(
            id: tokens.account.id, name: form.companyName, email: form.email, api: api.with(token: tokens.accessToken))
    }

    /// The API as a program of this third party uses it, with a token of OAuth 2.0 client credentials.
    public func program(name: String, scopes: [String]) async throws(SuiteError) -> API {
        let secret = try await api.patient.createClient(name: name, scopes: scopes)
        let anybody = API(api.suite)
        return anybody.with(
            token: try await anybody.patient.grantToken("client", id: secret.clientID, secret: secret.clientSecret))
    }
}
