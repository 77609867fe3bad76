import Contracts
import Primitives
import SimulatedPeople
import SuiteClient

/// Fills a running suite: a dozen people through registration, the others by provisioning, all data through
/// the upload. Can be done again after an interruption: what is there already stays as it is.
struct Populate {
    static let historyDays = 30
    /// Days close 48 hours after their end.
    static let openDays = 3

    let suite: Suite
    let population: Population
    let today: CalendarDate

    init(suite: Suite, count: Int) {
        self.suite = suite
        population = Population(count: count)
        today = Timestamp.now().dateUTC
    }

    func run() async throws {
        let watch = Stopwatch()
        let now = Timestamp.now()
        let demo = DemoPeople(suite: suite, population: population, days: days + begun(at: now), now: now)
        let accounts = try await demo.register()
        try await History(suite: suite, population: population, days: days).load()
        let closed = try await Statistics(suite: suite, population: population, days: days)
            .close(through: today.adding(days: -Self.openDays), as: accounts.thirdPartyForm)
        try File.write(
            DemoFile(configuration: suite.configuration, accounts: accounts).text, to: suite.configuration.demoFile)
        Output.line(
            "\(population.people.count) people with \(days.count) days of data, \(closed) day values in the anonymous "
                + "store, in \(watch.elapsed.brief).")
    }

    /// The last days before today.
    private var days: [CalendarDate] { (1...Self.historyDays).reversed().map { today.adding(days: -$0) } }

    /// From today to the day that it is in Italy.
    private func begun(at now: Timestamp) -> [CalendarDate] {
        let last = ItalianTime.day(at: now)
        return today < last ? [today, last] : [today]
    }
}
