import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// `trackme-simulator sandbox`: a third party with a program, and ten people with two days of data, made as everybody is
/// made. Done again it goes on where it was broken off.
struct SandboxMaker {
    private static let companyName = "Sandbox"
    private static let historyDays = 2
    /// Beyond those of any population: what somebody's devices measure depends on it.
    private static let firstIndex = Arguments.peopleMax

    let suite: Suite

    static func form() throws(SuiteError) -> CompanyForm {
        try DemoPeople.company(companyName, vat: "12345670017", email: "sandbox@example.com")
    }

    func run() async throws(SuiteError) {
        guard let sandbox = suite.configuration.sandbox else { throw .local("simulator.json names no sandbox.") }
        let door = FrontDoor(api: API(suite), mailbox: Mailbox(directory: suite.configuration.mailDirectory))
        let people = SandboxPopulation.people(SandboxRole.allCases.count)
        let progress = Progress("Registering the sandbox", total: people.count + 1)
        for (index, (role, person)) in zip(SandboxRole.allCases, people).enumerated() {
            try await register(person, Self.firstIndex + index, role, at: door)
            progress.add(1)
        }
        let form = try Self.form()
        try await door.company(form, as: .thirdParty)
        _ = try await suite.call(
            Contracts.Accounts.Admit.self, of: .accounts, .init(email: form.email, reason: "Simulated company"))
        let company = try await Company.logIn(form, as: .thirdParty, api: API(suite))
        let client = try await company.api.createClient(name: "Sandbox", scopes: ["requests", "groups"])
        progress.end()
        try File.write(SandboxFile(form: form, client: client, people: people).text, to: sandbox.file)
    }

    private func register(
        _ person: SimulatedPerson, _ index: Int, _ role: SandboxRole, at door: FrontDoor
    ) async throws(SuiteError) {
        let individual = try await door.individual(person, password: DemoPeople.password)
        guard try await individual.api.latest().isEmpty else { return }
        let watch = try await individual.pairDevice(name: "Sandbox watch", types: role.types)
        let now = Timestamp.now()
        let today = ItalianTime.day(at: now)
        let days = (0...Self.historyDays).reversed().map { today.adding(days: -$0) }
        let wearer = person.wearer(index, through: days[0]...today)
        for (number, day) in days.enumerated() {
            let measured = wearer.day(day).before(now)
            let series = measured.watch + measured.phone.filter { $0.type == .position }
            try await watch.api.upload(patiently: number + 1, series.filter { role.types.contains($0.type) })
        }
    }
}
