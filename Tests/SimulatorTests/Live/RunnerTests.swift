import Contracts
import Domain
import Primitives
import SuiteClient
import Testing

@testable import Simulator

@Suite("Simulated runners")
struct RunnerTests {
    private static let start = Timestamp("2026-05-04T10:00:00Z")!
    private let people = Population(count: 20_000, first: 300).people
    private let lines: [Polyline]

    init() throws { lines = try RaceCourse.milan().map(\.line) }

    private func plan(_ person: Int, _ fate: RunnerPlan.Fate, _ length: Double) -> RunnerPlan {
        var generator = SeededGenerator(seed: 7, stream: person)
        return RunnerPlan(people[person], length: length, fate: fate, using: &generator)
    }

    @Test("everybody runs forwards, no faster than people can, and has arrived before the run ends")
    func arrival() {
        for (person, line) in people.indices.lazy.map({ ($0, lines[$0 % lines.count]) }) {
            let plan = plan(person, .runsThrough, line.length)
            #expect(plan.distance(at: RunnerPlan.begin) == 0 && plan.distance(at: plan.crosses) == 0)
            var before = 0.0
            for second in 0...Int(plan.ends) {
                let distance = plan.distance(at: Double(second))
                #expect(distance >= before && distance - before < 7)
                before = distance
            }
            #expect(before == line.length)
            #expect(plan.ends < Double(RaceSchedule.period.milliseconds) / 1000 - 30)
        }
    }

    @Test("people run at different paces: minutes lie between the first and the last")
    func paces() {
        let times = people.indices.map { plan($0, .runsThrough, 3000) }.map { $0.crosses + $0.lasts }
        #expect((times.max() ?? 0) - (times.min() ?? 0) > 120)
        #expect(Set(times).count == times.count)
    }

    @Test("who gives up has stopped between two and three quarters of the way before the devices fall silent")
    func givesUp() {
        for person in people.indices {
            let plan = plan(person, .givesUp, 3000)
            let last = plan.distance(at: plan.ends)
            #expect((1200...2100).contains(last))
            #expect(plan.distance(at: plan.ends - 25) == last && plan.distance(at: 10_000) == last)
        }
    }

    @Test("who loses the signal is silent for more than a minute on the way, and heard before and after")
    func silence() throws {
        for person in people.indices {
            let plan = plan(person, .losesSignal, 3000)
            let silent = try #require(plan.silent)
            #expect(silent.upperBound - silent.lowerBound > 60 && silent.upperBound < plan.ends - 60)
            #expect(!plan.isHeard(at: silent.lowerBound) && plan.isHeard(at: silent.upperBound))
            #expect(plan.isHeard(at: 0) && plan.isHeard(at: plan.ends))
        }
        #expect(plan(0, .runsThrough, 3000).silent == nil)
    }

    @Test("devices measure a fix and a heart rate a second, some metres beside where the runner is")
    func track() throws {
        for (place, line) in lines.enumerated() {
            let plan = plan(20 + place, .runsThrough, line.length)
            var track = RunnerTrack(plan, along: line, from: Self.start, using: SeededGenerator(seed: 3))
            track.measure(before: Self.start + RaceSchedule.period)
            let (rates, positions) = track.unsent
            let fixes = try #require(positions.first)
            #expect(rates[0].shapeError == nil && fixes.shapeError == nil)
            #expect(fixes.count == rates[0].count && fixes.count == Int(plan.ends.rounded(.up)) + 20)
            var off: [Double] = []
            for index in 0..<fixes.count {
                let seconds = Double((fixes.time(index) - Self.start).milliseconds) / 1000
                #expect(seconds == Double(index) + RunnerPlan.begin)
                let fix = try #require(
                    Coordinate(latitude: fixes.latitudes![index], longitude: fixes.longitudes![index]))
                off.append(fix.distance(to: line.point(at: plan.distance(at: seconds))))
            }
            #expect((off.max() ?? 0) < 40 && off.reduce(0, +) / Double(off.count) > 1)
            #expect(rates[0].values!.allSatisfy { (50...200).contains($0) })
            #expect((rates[0].values!.max() ?? 0) > rates[0].values![0] + 10)
        }
    }

    @Test("what is measured in parts is what is measured at once; what was sent is not sent again")
    func parts() {
        let line = lines[0]
        let plan = plan(30, .losesSignal, line.length)
        var whole = RunnerTrack(plan, along: line, from: Self.start, using: SeededGenerator(seed: 3))
        var parts = whole
        whole.measure(before: Self.start + .seconds(100))
        var latitudes: [Double] = []
        #expect(parts.unsent.positions.isEmpty)
        for second in stride(from: -19, through: 101, by: 8) {
            parts.measure(before: Self.start + .seconds(min(100, second)))
            if second % 3 == 0 || second >= 100 {
                latitudes += parts.unsent.positions.first?.latitudes ?? []
                parts.sent()
                #expect(parts.unsent.rates.isEmpty)
            }
        }
        #expect(latitudes == whole.unsent.positions[0].latitudes)
    }
}
