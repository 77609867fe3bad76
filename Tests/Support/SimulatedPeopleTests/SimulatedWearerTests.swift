import Contracts
import Domain
import Primitives
import SeededRandom
import SimulatedPeople
import Testing

@Suite("Simulated wearers")
struct SimulatedWearerTests {
    private static let day = CalendarDate(year: 2026, month: 6, day: 16)!
    private let people = (0..<20).map { SimulatedWearer(seed: 7, number: $0) }

    private func mean(_ values: some Collection<Double>) -> Double { values.reduce(0, +) / Double(values.count) }

    private func values(_ series: [SampleSeries], _ type: DataType) throws -> [Double] {
        try #require(series.first { $0.type == type }?.values)
    }

    @Test("a day is the same whenever it is made; another person, day or seed gives another")
    func determinism() {
        let day = people[3].day(Self.day)
        #expect(SimulatedWearer(seed: 7, number: 3).day(Self.day) == day)
        #expect(people[4].day(Self.day) != day)
        #expect(people[3].day(Self.day.adding(days: 1)).watch[0].values != day.watch[0].values)
        #expect(SimulatedWearer(seed: 8, number: 3).day(Self.day) != day)
    }

    @Test(
        "every sample is plausible and begins on its local day, also when clocks change",
        arguments: ["2026-06-16", "2026-03-29", "2026-10-25", "2026-01-01"])
    func plausible(text: String) throws {
        let day = try #require(CalendarDate(text))
        let (begin, end) = (ItalianTime.midnight(day), ItalianTime.midnight(day.adding(days: 1)))
        for person in people {
            let made = person.day(day)
            for series in made.watch + made.phone {
                #expect(series.shapeError == nil)
                #expect((series.values ?? []).allSatisfy(series.type.plausible.contains))
                let times = (0..<series.count).map(series.time)
                #expect(series.type == .sleep || times.allSatisfy { (begin..<end).contains($0) })
            }
        }
    }

    @Test("vital signs come every 30 s, up to 200 ms early or late, with gaps")
    func rhythm() throws {
        var gaps = 0
        for person in people {
            let offsets = try #require(person.vitals(on: Self.day).first { $0.type == .heartRate }).offsets
            #expect(offsets.count > 1900 && offsets.count < 2880)
            let late = offsets.map { abs($0 % 30_000 - 15_000) }
            #expect(try #require(late.max()) <= 200)
            #expect(Set(late).count > 100)
            gaps += zip(offsets, offsets.dropFirst()).count { $1 - $0 > 60_000 }
        }
        #expect(gaps >= people.count)
    }

    @Test("the heart beats slower at night, and faster the more the person runs")
    func rhythmOfDays() throws {
        for person in people {
            let series = try #require(person.vitals(on: Self.day).first { $0.type == .heartRate })
            let rates = zip(series.offsets, try #require(series.values)).filter { $1 > 0 }
            let night = rates.filter { $0.0 < 4 * 3_600_000 }.map(\.1)
            let day = rates.filter { (10 * 3_600_000..<20 * 3_600_000).contains($0.0) }.map(\.1)
            #expect(mean(night) + 4 < mean(day))
            #expect(abs(mean(night) - person.body.restingHeartRate) < 15)
        }
    }

    @Test("watch and phone count the same steps, the phone some fewer")
    func sources() throws {
        for person in people {
            let day = person.day(Self.day)
            let (watch, phone) = (try values(day.watch, .steps), try values(day.phone, .steps))
            let share = phone.reduce(0, +) / watch.reduce(0, +)
            #expect(share > 0.75 && share < 1.6, "\(share)")
            #expect(watch.reduce(0, +) > 800)
        }
    }

    @Test("a night is one interval that ends on the day it belongs to")
    func nights() throws {
        for person in people {
            let sleep = try #require(person.day(Self.day).watch.first { $0.type == .sleep })
            let length = try #require(sleep.durations?.first)
            #expect(sleep.count == 1 && sleep.zoneOffset == ZoneOffset(minutes: 120))
            let end = sleep.time(0) + .milliseconds(length)
            #expect(ItalianTime.day(at: end) == Self.day && sleep.time(0) < ItalianTime.midnight(Self.day))
            #expect((4 * 3_600_000..<13 * 3_600_000).contains(length))
        }
    }

    @Test("people are at home at night and in Italy by day")
    func places() throws {
        for person in people {
            let fixes = try #require(person.day(Self.day).phone.first { $0.type == .position })
            let places = try zip(try #require(fixes.latitudes), try #require(fixes.longitudes)).map {
                try #require(Coordinate(latitude: $0, longitude: $1))
            }
            #expect(places.count > 200)
            #expect(places[0].distance(to: person.body.home) < 50)
            #expect(places.allSatisfy { (36.5...47.2).contains($0.latitude) && (6.5...18.6).contains($0.longitude) })
            let speeds = zip(zip(places, places.dropFirst()), zip(fixes.offsets, fixes.offsets.dropFirst())).map {
                $0.0.distance(to: $0.1) / (Double($1.1 - $1.0) / 1000)
            }
            // Where a phase ends just after a fix, a few metres lie within milliseconds.
            #expect(speeds.sorted()[speeds.count * 95 / 100] < 20)
        }
    }

    @Test("an illness raises temperature and pulse while it lasts, and passes")
    func illness() throws {
        let begin = Self.day.adding(days: -2)
        for number in 0..<5 {
            let well = SimulatedWearer(seed: 7, number: number)
            let ill = SimulatedWearer(
                seed: 7, number: number, illnesses: [Illness(.influenza, begins: begin, days: 6)])
            for (type, rise) in [(DataType.bodyTemperature, 1.5), (.heartRate, 3), (.respirationRate, 1)] {
                let fever = mean(try values(ill.vitals(on: Self.day), type))
                #expect(fever > mean(try values(well.vitals(on: Self.day), type)) + rise)
            }
            let after = Self.day.adding(days: 20)
            #expect(ill.day(after) == well.day(after))
        }
    }

    @Test("local time follows the European rule")
    func zone() throws {
        for (text, minutes) in [
            ("2026-03-29T00:59:59Z", 60), ("2026-03-29T01:00:00Z", 120), ("2026-10-25T00:59:59Z", 120),
            ("2026-10-25T01:00:00Z", 60), ("2024-03-31T01:00:00Z", 120), ("2026-07-01T12:00:00Z", 120),
        ] {
            #expect(ItalianTime.offsetMinutes(at: try #require(Timestamp(text))) == minutes)
        }
        #expect(ItalianTime.milliseconds(of: try #require(CalendarDate("2026-03-29"))) == 23 * 3_600_000)
        #expect(ItalianTime.milliseconds(of: try #require(CalendarDate("2026-10-25"))) == 25 * 3_600_000)
        #expect(ItalianTime.midnight(Self.day) == Timestamp("2026-06-15T22:00:00Z"))
    }
}
