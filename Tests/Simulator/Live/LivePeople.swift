import Contracts
import Domain
import LoadGenerator
import Primitives
import SimulatedPeople
import SuiteClient

/// Finds the accounts and devices of the people who shall live: by log-in of those whose log-ins are shown, by provisioning, which
/// repeats its answer, of the others.
struct LivePeople {
    /// What is made good for people whose log-ins are shown: somebody looks at their days.
    private static let demoBacklogMax: Duration = .seconds(3 * 86_400)
    private static let backlogMax: Duration = .seconds(3600)
    private static let provisionMax: Duration = .seconds(60)
    private static let tries = 10

    let suite: Suite
    let tokens: AccessTokens

    func all(of population: Population) async throws(SuiteError) -> [LivePerson] {
        let now = Timestamp.now()
        var people: [LivePerson] = []
        for (index, person) in population.people.prefix(DemoPeople.peopleCount).enumerated() {
            if let found = try await demo(person, index, at: now) { people.append(found) }
        }
        for first in stride(from: DemoPeople.peopleCount, to: population.people.count, by: History.batchMax) {
            people += try await provisioned(
                first..<min(population.people.count, first + History.batchMax), of: population, at: now)
        }
        return people
    }

    /// `nil` when the person cannot log in any more, as after a change of the password.
    private func demo(
        _ person: SimulatedPerson, _ index: Int, at now: Timestamp
    ) async throws(SuiteError) -> LivePerson? {
        let individual: Individual
        do throws(SuiteError) {
            individual = try await .logIn(person, password: DemoPeople.password, api: API(suite))
        } catch {
            guard !error.isOutage, case .refused = error else { throw error }
            Output.event("\(person.name) \(person.surname) cannot log in, and is left out: \(error)")
            return nil
        }
        let api = individual.api.patient
        let paired = try await api.devices()
        func device(_ types: [DataType]) -> LiveDevice? {
            paired.first { Set($0.offeredTypes).isSuperset(of: types) }
                .map { LiveDevice(id: $0.deviceID, of: individual.id, tokens: tokens, at: now) }
        }
        // Whatever came last: all of before was sent with it.
        let latest = try await api.latest().filter { $0.type == .heartRate || $0.type == .position }.map(\.time).max()
        return LivePerson(
            person, index, account: individual.id, watch: device(SimulatedWearer.watchTypes),
            phone: device(SimulatedWearer.phoneTypes), tokens: tokens,
            days: MeasuredDays(
                person, index, hasOneDevice: false, sentBefore: min(now, latest ?? now - Self.demoBacklogMax),
                backlogMax: Self.demoBacklogMax))
    }

    private func provisioned(
        _ range: Range<Int>, of population: Population, at now: Timestamp
    ) async throws(SuiteError) -> [LivePerson] {
        let params = Accounts.Provision.Params(
            population: try suite.configuration.populationSecret(),
            people: population.people[range].map(\.provision))
        let answers = try await patiently(tries: Self.tries) { () throws(SuiteError) in
            try await suite.call(Accounts.Provision.self, of: .accounts, params, within: Self.provisionMax)
        }.people
        try expect(answers.count == range.count, "accounts.provision answered for another number of people.")
        return zip(range, answers).map { index, answer in
            let person = population.people[index]
            let device = LiveDevice(id: answer.deviceID, of: answer.accountID, tokens: tokens, at: now)
            return LivePerson(
                person, index, account: answer.accountID, watch: device, phone: device, tokens: tokens,
                days: MeasuredDays(person, index, hasOneDevice: true, sentBefore: now, backlogMax: Self.backlogMax))
        }
    }
}
