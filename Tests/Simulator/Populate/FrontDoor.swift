import Domain
import SuiteClient

/// Registration that can be done again: after an interruption at any point it goes on where it was.
struct FrontDoor {
    /// While the service is busy.
    private static let triesMax = 5

    let api: API
    let mailbox: Mailbox

    /// The person, logged in.
    func individual(
        _ person: SimulatedPerson, password: String
    ) async throws(SuiteError) -> Individual {
        try await register(person.email) { () throws(SuiteError) in
            _ = try await api.register(person.form(password: password))
        }
        return try await logIn(person.email) { () throws(SuiteError) in
            try await Individual.logIn(person, password: password, api: api)
        }
    }

    /// Logs in only to find out whether the account of before was confirmed.
    func company(_ form: CompanyForm, as kind: AccountKind) async throws(SuiteError) {
        try await register(form.email) { () throws(SuiteError) in _ = try await api.register(form, as: kind) }
        _ = try await logIn(form.email) { () throws(SuiteError) in try await Company.logIn(form, as: kind, api: api) }
    }

    /// Registers and confirms, unless the account is there already.
    private func register(
        _ email: EmailAddress, _ send: () async throws(SuiteError) -> Void
    ) async throws(SuiteError) {
        do throws(SuiteError) {
            try await patiently(send)
        } catch {
            guard error.code?.hasSuffix("-taken") ?? false else { throw error }
            return
        }
        try await api.confirm(link: try await mailbox.link(to: email, containing: "/confirm#"))
    }

    private func logIn<T: Sendable>(
        _ email: EmailAddress, _ send: () async throws(SuiteError) -> T
    ) async throws(SuiteError) -> T {
        do throws(SuiteError) {
            return try await patiently(send)
        } catch {
            guard error.code == "not-confirmed" else { throw error }
        }
        try await api.sendConfirmationAgain(to: email)
        try await api.confirm(link: try await mailbox.link(to: email, containing: "/confirm#"))
        return try await patiently(send)
    }

    private func patiently<T: Sendable>(_ send: () async throws(SuiteError) -> T) async throws(SuiteError) -> T {
        for attempt in 1..<Self.triesMax {
            do throws(SuiteError) { return try await send() } catch {
                guard error.isPassing else { throw error }
                try await pause(for: .milliseconds(500 * attempt))
            }
        }
        return try await send()
    }
}
