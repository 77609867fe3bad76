import Contracts
import Domain
import Primitives
import SeededRandom
import SimulatedPeople
import Testing

@Suite("Simulated histories")
struct SimulatedHistoryTests {
    /// Clocks change among them.
    private static let days = (0..<30).map { CalendarDate(year: 2026, month: 3, day: 10)!.adding(days: $0) }
    private let people = (0..<20).map { SimulatedWearer(seed: 7, number: $0) }

    private func count(_ series: [SampleSeries], _ type: DataType) -> Int {
        series.filter { $0.type == type }.reduce(0) { $0 + $1.count }
    }

    private func sum(_ series: [SampleSeries], _ type: DataType) -> Double {
        series.filter { $0.type == type }.flatMap { $0.values ?? [] }.reduce(0, +)
    }

    @Test("a sparse history has about 20 samples a day in few series, all plausible, and every night")
    func sparse() {
        for person in people {
            let history = person.sparseHistory(Self.days, positions: false)
            #expect(history.count == 8, "four types with two offsets from UTC")
            #expect((15 * 30...21 * 30).contains(history.reduce(0) { $0 + $1.count }))
            for series in history {
                #expect(series.shapeError == nil && series.zoneOffset != nil)
                #expect((series.values ?? []).allSatisfy(series.type.plausible.contains))
            }
            #expect(count(history, .sleep) == 30)
        }
    }

    @Test("with positions a sparse history says where the person was, and the rest stays the same")
    func positions() throws {
        let history = people[3].sparseHistory(Self.days, positions: true)
        let fixes = history.filter { $0.type == .position }
        #expect(fixes.allSatisfy { $0.shapeError == nil } && (30 * 15...30 * 80).contains(count(fixes, .position)))
        let first = try #require(fixes.first)
        let home = try #require(
            Coordinate(latitude: first.latitudes?[0] ?? 0, longitude: first.longitudes?[0] ?? 0))
        #expect(home.distance(to: people[3].body.home) < 50)
        #expect(history.filter { $0.type != .position } == people[3].sparseHistory(Self.days, positions: false))
    }

    @Test("a day of a sparse history is the same whichever days are made with it")
    func determinism() throws {
        let day = Self.days[4]
        let alone = people[7].sparseHistory([day], positions: true)
        for series in people[7].sparseHistory(Self.days, positions: true) {
            let times = Set((0..<series.count).map(series.time))
            for one in alone where one.type == series.type && one.zoneOffset == series.zoneOffset {
                #expect(times.isSuperset(of: (0..<one.count).map(one.time)))
            }
        }
        #expect(
            SimulatedWearer(seed: 8, number: 7).sparseHistory([day], positions: true) != alone)
    }

    @Test("however seldom the watch counts, the person has walked as much")
    func steps() {
        for person in people {
            let day = Self.days[8]
            #expect(sum(person.sparseHistory([day], positions: false), .steps) == sum(person.day(day).watch, .steps))
        }
    }

    @Test("of a day that is not over, what was measured and over before a time is there, and nothing else")
    func before() throws {
        let (whole, noon) = (people[5].day(Self.days[3]), try #require(Timestamp("2026-03-13T11:00:00Z")))
        let part = whole.before(noon)
        func ends(_ series: [SampleSeries], _ type: DataType) -> [Timestamp] {
            series.filter { $0.type == type }.flatMap { one in
                (0..<one.count).map { one.time($0) + .milliseconds(one.durations?[$0] ?? 0) }
            }
        }
        for type in SimulatedWearer.watchTypes {
            #expect(ends(part.watch, type) == ends(whole.watch, type).filter { $0 < noon })
        }
        for type in SimulatedWearer.phoneTypes {
            #expect(ends(part.phone, type) == ends(whole.phone, type).filter { $0 < noon })
        }
        #expect((part.watch + part.phone).allSatisfy { $0.shapeError == nil && $0.count > 0 })
        #expect(whole.before(noon + .seconds(2 * 86_400)) == whole)
        #expect(whole.before(noon - .seconds(2 * 86_400)) == SimulatedDay())
    }

    @Test("what was over in spans of time that follow one another is the whole day, each sample in one of them")
    func during() throws {
        let whole = people[5].day(Self.days[3])
        let noon = try #require(Timestamp("2026-03-13T11:00:00Z"))
        let spans = [noon - .seconds(86_400)..<noon, noon..<noon + .seconds(86_400)].map(whole.during)
        for type in SimulatedWearer.watchTypes {
            #expect(spans.reduce(0) { $0 + count($1.watch, type) } == count(whole.watch, type))
        }
        for type in SimulatedWearer.phoneTypes {
            #expect(spans.reduce(0) { $0 + count($1.phone, type) } == count(whole.phone, type))
        }
        #expect(spans[0] == whole.before(noon))
    }

    @Test("a body lives in the city it is said to live in")
    func residence() throws {
        for (code, latitude, longitude) in [("F205", 45.4642, 9.19), ("I829", 46.1699, 9.8715)] {
            var generator = SeededGenerator(seed: 3)
            let centre = try #require(Coordinate(latitude: latitude, longitude: longitude))
            for _ in 0..<20 {
                let body = SimulatedBody(age: 40, residence: BelfioreCode(code), using: &generator)
                #expect(body.home.distance(to: centre) < 7000 && body.age == 40)
            }
        }
    }

    @Test("who falls ill once a year does so on the same day of each year")
    func yearly() throws {
        let years = try #require(CalendarDate("2025-12-20"))...(try #require(CalendarDate("2027-01-10")))
        let all = (0..<200).map { Illness.yearly(seed: 7, number: $0, years) }
        for illnesses in all {
            #expect(illnesses.map(\.begins.year) == [2025, 2026, 2027] && Set(illnesses.map(\.days)).count == 1)
            #expect(Set(illnesses.map(\.kind)).count == 1)
        }
        #expect(Set(all.map { $0[0].begins }).count > 100 && Set(all.map { $0[0].kind }).count == 3)
    }
}
