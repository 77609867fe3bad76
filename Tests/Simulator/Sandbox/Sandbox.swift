import Domain
import HTTP
import LoadGenerator
import Primitives
import Reactor
import SuiteClient

/// The sandbox while the suite runs: its people answer and measure, and a receiver takes what webhooks are sent.
struct Sandbox {
    let suite: Suite
    let people: [SandboxPerson]

    /// Those of its people who can log in: nobody in a suite without a sandbox. Errors: as of a service that is away.
    static func awake(suite: Suite, tokens: AccessTokens) async throws(SuiteError) -> Sandbox? {
        guard suite.configuration.sandbox != nil else { return nil }
        var people: [SandboxPerson] = []
        let everybody = zip(SandboxRole.allCases, SandboxPopulation.people(SandboxRole.allCases.count))
        for (index, (role, person)) in everybody.enumerated() {
            do throws(SuiteError) {
                let individual = try await Individual.logIn(person, password: DemoPeople.password, api: API(suite))
                guard let watch = try await individual.sandboxWatch() else { continue }
                let latest = try await individual.api.patient.latest().filter { $0.type == .heartRate }.map(\.time)
                    .max()
                let missing = SandboxHistory.missing(
                    of: person, index, role, since: latest ?? Timestamp(microseconds: 0), at: .now())
                people.append(
                    SandboxPerson(
                        role: role, person, account: individual.id, session: try individual.session, missing: missing,
                        watch: LiveDevice(id: watch, of: individual.id, tokens: tokens), tokens: tokens,
                        suite: suite))
            } catch {
                guard !error.isOutage, case .refused = error else { throw error }
                Output.event("\(person.name) \(person.surname) of the sandbox cannot log in, and is left out: \(error)")
            }
        }
        return people.isEmpty ? nil : Sandbox(suite: suite, people: people)
    }

    /// Ends with the program.
    func run() async throws {
        Output.event("\(people.count) people of the sandbox answer who asks them.")
        let receiver = await receiver()
        let tasks = people.flatMap { person in
            let madeGood = suite.loops.next().throwingTask { try await person.makeGood() }
            return [
                madeGood,
                // So whoever is given data gets that of the last days, too.
                suite.loops.next().throwingTask {
                    try await madeGood.value
                    try await person.answer()
                },
                suite.loops.next().throwingTask {
                    try await madeGood.value
                    try await person.measure()
                },
                suite.loops.next().throwingTask { try await person.pauseInTurns() },
            ]
        }
        await withTaskCancellationHandler {
            for task in tasks { _ = await task.result }
        } onCancel: {
            for task in tasks { task.cancel() }
        }
        await receiver?.shutdown(grace: .zero)
    }

    /// `nil` when its address is taken: then only webhooks lack something.
    private func receiver() async -> HTTPServer? {
        guard let address = suite.configuration.sandbox?.listen, let endpoint = Endpoint(address) else { return nil }
        do throws(IOError) {
            return try await HTTPServer.start(at: endpoint, router: SandboxReceiver().router, loops: suite.loops)
        } catch {
            Output.event("The sandbox's receiver of webhooks cannot listen at \(address): \(error)")
            return nil
        }
    }
}
