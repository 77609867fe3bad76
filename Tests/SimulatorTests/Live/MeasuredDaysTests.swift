import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient
import Testing

@testable import Simulator

@Suite("What devices measure as time passes")
struct MeasuredDaysTests {
    private static let people = Population(count: 40).people
    private static let start = Timestamp("2026-05-04T06:00:00Z")!
    /// After the next midnight in Italy.
    private static let end = Timestamp("2026-05-04T23:00:00Z")!

    private func days(_ index: Int, hasOneDevice: Bool = false, backlog: Duration = .seconds(86_400)) -> MeasuredDays {
        MeasuredDays(
            Self.people[index], index, hasOneDevice: hasOneDevice, sentBefore: Self.start, backlogMax: backlog)
    }

    /// One line for each sample.
    private func lines(_ series: [SampleSeries]) -> [String] {
        series.flatMap { one in
            (0..<one.count).map { index in
                "\(one.type.name) \(one.time(index)) \(one.durations?[index] ?? 0) "
                    + "\(one.values?[index] ?? one.latitudes?[index] ?? 0)"
            }
        }.sorted()
    }

    /// The same by the days themselves.
    private func expected(_ index: Int, _ span: Range<Timestamp>) -> SimulatedDay {
        let days = [4, 5].map { CalendarDate(year: 2026, month: 5, day: $0)! }
        let wearer = Self.people[index].wearer(index, through: days[0]...days[1])
        var all = SimulatedDay()
        for day in days.map({ wearer.day($0).during(span) }) {
            all.watch += day.watch
            all.phone += day.phone
        }
        return all
    }

    @Test(
        "sent bit by bit it is what watch and phone measure in a day, each sample once, across midnight",
        arguments: [0, 7])
    func whole(index: Int) {
        var days = days(index)
        var (watch, phone): ([String], [String]) = ([], [])
        var now = Self.start
        while now < Self.end {
            now = min(Self.end, now + .seconds(7 * 61))
            let measured = days.measured(before: now)
            watch += lines(measured.watch)
            phone += lines(measured.phone)
            days.sent(before: now)
        }
        let expected = expected(index, Self.start..<Self.end)
        #expect(watch.sorted() == lines(expected.watch) && phone.sorted() == lines(expected.phone))
        #expect(watch.count > 5000 && phone.contains { $0.hasPrefix("position") })
    }

    @Test("what could not be sent comes with what is measured later, up to a limit")
    func backlog() {
        var days = days(3, backlog: .seconds(1800))
        let first = days.measured(before: Self.start + .seconds(600))
        #expect(!first.watch.isEmpty && days.measured(before: Self.start + .seconds(600)) == first)
        let later = Self.start + .seconds(4000)
        #expect(
            lines(days.measured(before: later).watch)
                == lines(expected(3, later - .seconds(1800)..<later).watch))
        days.sent(before: later)
        #expect(days.measured(before: later) == SimulatedDay())
        // A clock that was set back.
        #expect(days.measured(before: Self.start) == SimulatedDay())
    }

    @Test("one device sends what it provides: nothing twice, and positions")
    func oneDevice() {
        var days = days(20, hasOneDevice: true)
        let measured = days.measured(before: Self.end)
        #expect(measured.phone.isEmpty)
        #expect(Set(measured.watch.map(\.type)).isSubset(of: SimulatedPerson.dataTypes))
        #expect(measured.watch.contains { $0.type == .position } && measured.watch.contains { $0.type == .heartRate })
        let steps = lines(measured.watch.filter { $0.type == .steps })
        #expect(steps == lines(expected(20, Self.start..<Self.end).watch.filter { $0.type == .steps }))
    }
}
