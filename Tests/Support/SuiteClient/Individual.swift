public import Domain
import JSON
public import Primitives

/// A person who has an account and is logged in.
public struct Individual: Sendable {
    public let id: UUID
    public let name: String
    public let fiscalCode: FiscalCode
    public let email: EmailAddress
    /// As this person.
    public let api: API

    /// Registers, confirms by the link in the mail, logs in. Errors: all.
    public static func register(
        _ person: SimulatedPerson, password: String, language: Language = .italian, api: API, mailbox: Mailbox
    ) async throws(SuiteError) -> Individual {
        _ = try await api.patient.register(person.form(password: password, language: language))
        try await api.patient.confirm(link: try await mailbox.link(to: person.email, containing: "/confirm#"))
        return try await logIn(person, password: password, api: api)
    }

    public static func logIn(
        _ person: SimulatedPerson, password: String, api: API
    ) async throws(SuiteError) -> Individual {
        let tokens = try await api.patient.logIn(person.email.description, password: password)
        return Individual(
            id: tokens.account.id, name: "\(person.name) \(person.surname)", fiscalCode: person.fiscalCode,
            email: person.email, api: api.with(token: tokens.accessToken))
    }

    /// The session that the log-in has begun, as the access token names it. Errors: `local`.
    public var session: UUID {
        get throws(SuiteError) {
            let parts = (api.token ?? "").split(separator: ".")
            guard parts.count == 3, let claims = Base64.url.decode(parts[1]),
                let session = try? JSONDecoder().decode(Claims.self, from: claims).sid
            else { throw .local("The access token of \(name) names no session.") }
            return session
        }
    }

    private struct Claims: Decodable { let sid: UUID }

    /// Pairs a new device: it shows six digits, the person enters them, the device claims its secret and logs in.
    public func pairDevice(name: String, types: [DataType]) async throws(SuiteError) -> Device {
        let device = API(api.suite).patient
        let pairing = try await device.openPairing(name: name, types: types)
        let id = try await api.patient.acceptPairing(code: pairing.code)
        let secret = try await device.claim(pairing)
        try expect(secret.deviceID == id, "The device that claimed its pairing is not the one that was accepted.")
        let token = try await device.grantToken("device", id: id, secret: secret.deviceSecret)
        return Device(id: id, api: device.with(token: token))
    }
}
