import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// What a person of the sandbox has measured before anybody asks: two days, and today until now. Each day is an upload under its own
/// number, so that one that is sent again, also on another day, is stored once.
enum SandboxHistory {
    private static let days = 2
    /// Beyond those of any population: what somebody's devices measure depends on it.
    private static let firstIndex = Arguments.peopleMax

    static func uploads(
        of person: SimulatedPerson, _ index: Int, _ role: SandboxRole, at now: Timestamp
    ) -> [(number: Int, series: [SampleSeries])] {
        measured(by: person, index, role, at: now) { $0.before(now) }
    }

    /// The same of what was over since a time at which something was measured: nothing was while the suite stood still.
    static func missing(
        of person: SimulatedPerson, _ index: Int, _ role: SandboxRole, since time: Timestamp, at now: Timestamp
    ) -> [[SampleSeries]] {
        guard time < now else { return [] }
        return measured(by: person, index, role, at: now) { $0.during(time + .milliseconds(1)..<now) }.map(\.series)
            .filter { !$0.isEmpty }
    }

    private static func measured(
        by person: SimulatedPerson, _ index: Int, _ role: SandboxRole, at now: Timestamp,
        _ wanted: (SimulatedDay) -> SimulatedDay
    ) -> [(number: Int, series: [SampleSeries])] {
        let today = ItalianTime.day(at: now)
        let days = (0...days).reversed().map { today.adding(days: -$0) }
        let wearer = person.wearer(firstIndex + index, through: days[0]...today)
        return days.map { day in
            let measured = wanted(wearer.day(day))
            let series = measured.watch + measured.phone.filter { $0.type == .position }
            return (Int(day.daysSinceEpoch), series.filter { role.types.contains($0.type) })
        }
    }
}
