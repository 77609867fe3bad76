import Contracts
import Domain
import LoadGenerator
import Primitives
import Security
import SuiteClient

/// `trackme-simulator sandbox`: a third party with a program, and ten people with two days of data, made as everybody is
/// made. Done again it completes what is missing, wherever it was broken off, and makes nothing twice.
struct SandboxMaker {
    private static let companyName = "Sandbox"
    private static let programName = "Sandbox"

    let suite: Suite
    /// What was uploaded to before is known by its id alone: its secret is gone.
    let tokens: AccessTokens

    static func form() throws(SuiteError) -> CompanyForm {
        try DemoPeople.company(companyName, vat: "12345670017", email: "sandbox@example.com")
    }

    func run() async throws {
        guard let sandbox = suite.configuration.sandbox else {
            throw SuiteError.local("simulator.json names no sandbox.")
        }
        let door = FrontDoor(api: API(suite), mailbox: Mailbox(directory: suite.configuration.mailDirectory))
        let people = SandboxPopulation.people(SandboxRole.allCases.count)
        let progress = Progress("Registering the sandbox", total: people.count + 1)
        for (index, (role, person)) in zip(SandboxRole.allCases, people).enumerated() {
            try await register(person, index, role, at: door)
            progress.add(1)
        }
        let form = try Self.form()
        try await door.company(form, as: .thirdParty)
        _ = try await suite.call(
            Contracts.Accounts.Admit.self, of: .accounts, .init(email: form.email, reason: "Simulated company"))
        let company = try await Company.logIn(form, as: .thirdParty, api: API(suite))
        let client = try await program(of: company)
        progress.end()
        try File.write(SandboxFile(form: form, client: client, people: people).text, to: sandbox.file)
    }

    private func register(
        _ person: SimulatedPerson, _ index: Int, _ role: SandboxRole, at door: FrontDoor
    ) async throws {
        let individual = try await door.individual(person, password: DemoPeople.password)
        let watch: UUID
        if let known = try await individual.sandboxWatch() {
            watch = known
        } else {
            watch = try await individual.pairDevice(name: "Sandbox watch", types: role.types).id
        }
        let api = API(suite, token: try tokens.device(watch, of: individual.id))
        for (number, series) in SandboxHistory.uploads(of: person, index, role, at: .now()) {
            try await api.upload(patiently: number, series)
        }
    }

    /// One whose secret was not written down is of no use to anybody.
    private func program(of company: Company) async throws(SuiteError) -> ClientSecret {
        for client in try await company.api.clients() where client.name == Self.programName {
            try await company.api.removeClient(client.clientID)
        }
        return try await company.api.createClient(name: Self.programName, scopes: ["requests", "groups"])
    }
}

extension Individual {
    /// What a person of the sandbox measures with.
    func sandboxWatch() async throws(SuiteError) -> UUID? {
        try await api.patient.devices().first { $0.offeredTypes.contains(.heartRate) }?.deviceID
    }
}
