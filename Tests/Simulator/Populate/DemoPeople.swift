import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// The accounts whose log-ins are printed: people of the population, a third party and an organiser, made as people make
/// them, by registration and the link in a mail. Each of these people has a watch and a phone that measured for weeks as devices do:
/// vital signs every 30 s, steps that both count, sleep, positions of ways.
struct DemoPeople {
    static let peopleCount = Population.inMilan
    static let password = "tram-giallo-dodici"
    private static let thirdPartyName = "Lombardy Heart Study"
    private static let organiserName = "Corse sul Naviglio"
    /// Registrations at the same time: passwords are hashed few at a time anyway.
    private static let lanes = 3

    struct Accounts: Sendable {
        let people: [SimulatedPerson]
        let thirdPartyForm: CompanyForm
        let organiserForm: CompanyForm
    }

    let suite: Suite
    let population: Population
    /// Of the history that each of them has.
    let days: [CalendarDate]
    /// Nothing was measured later.
    let now: Timestamp

    /// Registers whoever is not there yet.
    func register() async throws -> Accounts {
        let people = Array(population.people.prefix(Self.peopleCount))
        let progress = Progress("Registering people", total: people.count + 2)
        let door = FrontDoor(api: API(suite), mailbox: Mailbox(directory: suite.configuration.mailDirectory))
        let thirdPartyForm = try Self.company(Self.thirdPartyName, vat: "12345678903", email: "heart@example.com")
        let organiserForm = try Self.organiserForm()
        return try await withThrowingTaskGroup { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for index in stride(from: lane, to: people.count, by: Self.lanes) {
                        try await register(people[index], index, at: door)
                        progress.add(1)
                    }
                }
            }
            try await door.company(thirdPartyForm, as: .thirdParty)
            _ = try await suite.call(
                Contracts.Accounts.Admit.self, of: .accounts,
                .init(email: thirdPartyForm.email, reason: "Simulated company"))
            try await door.company(organiserForm, as: .organiser)
            progress.add(2)
            try await group.waitForAll()
            return Accounts(
                people: people, thirdPartyForm: thirdPartyForm, organiserForm: organiserForm)
        }
    }

    /// With devices that have uploaded the person's history. Of who was there before, that may be lacking.
    private func register(
        _ person: SimulatedPerson, _ index: Int, at door: FrontDoor
    ) async throws(SuiteError) {
        let individual = try await door.individual(person, password: Self.password)
        guard try await individual.api.latest().isEmpty else { return }
        let watch = try await individual.pairDevice(name: "Demo watch", types: SimulatedWearer.watchTypes)
        let phone = try await individual.pairDevice(name: "Demo phone", types: SimulatedWearer.phoneTypes)
        let wearer = person.wearer(index, through: days[0]...days[days.count - 1])
        for (number, day) in days.enumerated() {
            let measured = wearer.day(day).before(now)
            // The watch first: who counts the same and came first is the one that is counted.
            try await watch.api.upload(patiently: number + 1, measured.watch)
            try await phone.api.upload(patiently: number + 1, measured.phone)
        }
    }

    static func organiserForm() throws(SuiteError) -> CompanyForm {
        try company(organiserName, vat: "10000000017", email: "corse@example.com")
    }

    static func company(_ name: String, vat: String, email: String) throws(SuiteError) -> CompanyForm {
        guard let number = VATNumber(vat), let address = EmailAddress(email) else {
            throw .local("\(vat) or \(email) is not valid.")
        }
        return CompanyForm(
            companyName: name, vatNumber: number, email: address, password: password, termsVersion: API.termsVersion,
            language: .english)
    }
}
