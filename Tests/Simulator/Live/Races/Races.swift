import Domain
import LoadGenerator
import Primitives
import Reactor
import Security
import SuiteClient

/// Runs of the organiser whose log-in is shown, one after the other; the next one is announced when one starts.
struct Races {
    private let suite: Suite
    private let organiser: @Sendable () throws(SuiteError) -> API
    private let people: [LivePerson]
    private let courses: [RaceCourse]

    /// `nil` when the organiser cannot log in any more: then there are no runs.
    static func organised(
        suite: Suite, tokens: AccessTokens, people: [LivePerson]
    ) async throws(SuiteError) -> Races? {
        let company: Company
        do throws(SuiteError) {
            company = try await .logIn(DemoPeople.organiserForm(), as: .organiser, api: API(suite))
        } catch {
            guard !error.isOutage, case .refused = error else { throw error }
            Output.event("The organiser cannot log in, so there are no runs: \(error)")
            return nil
        }
        let account = company.id
        return Races(
            suite: suite,
            organiser: { () throws(SuiteError) in
                do throws(SecurityError) {
                    return API(suite, token: try tokens.owner(.organiser, of: account, session: account))
                } catch { throw .local("The organiser's token cannot be made: \(error).") }
            }, people: people, courses: try RaceCourse.milan())
    }

    /// Ends with the program.
    func run() async throws(SuiteError) {
        guard let loop = EventLoop.current else { preconditionFailure("runs outside an event loop") }
        let outage = Outage("Runs")
        let schedule = RaceSchedule(at: .now())
        var number = 0
        while true {
            if let race = try await prepared(number, schedule, outage) {
                // It ends by itself when the run is over.
                loop.task { await race.run(outage) }
            }
            try await pause(for: max(.zero, schedule.start(of: number) - .now()))
            number = schedule.next(after: number, at: .now())
        }
    }

    /// The run, announced, with runners who have checked in; `nil` when that could not be done before the start.
    private func prepared(
        _ number: Int, _ schedule: RaceSchedule, _ outage: Outage
    ) async throws(SuiteError) -> LiveRace? {
        var race = LiveRace(
            number, from: schedule.start(of: number), to: schedule.end(of: number), among: people, suite: suite)
        while true {
            do throws(SuiteError) {
                try await race.prepare(courses, by: organiser())
                outage.succeeded()
                return race
            } catch {
                let wait = outage.failed(error)
                guard Timestamp.now() + wait < race.start else { return race.isAnnounced ? race : nil }
                try await pause(for: wait)
            }
        }
    }
}
