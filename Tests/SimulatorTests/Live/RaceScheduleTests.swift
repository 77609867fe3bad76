import Primitives
import Testing

@testable import Simulator

@Suite("When simulated runs are")
struct RaceScheduleTests {
    private static let now = Timestamp("2026-05-04T10:07:12.345Z")!
    private let schedule = RaceSchedule(at: Self.now)

    @Test("the first run starts at the full minute that leaves time to enrol and check in", arguments: 0..<60)
    func first(second: Int) {
        let now = Self.now + .seconds(second)
        let first = RaceSchedule(at: now).first
        #expect(first.milliseconds % 60_000 == 0)
        #expect(first - now >= RaceSchedule.preparationMin && first - now <= RaceSchedule.preparationMin + .seconds(60))
    }

    @Test("one run begins when the one before it ends, so that one is always under way")
    func always() {
        for number in 0..<100 { #expect(schedule.end(of: number) == schedule.start(of: number + 1)) }
        #expect(schedule.start(of: 0) == schedule.first)
    }

    @Test(
        "the next run is prepared from the start of one on; after an outage those are left out that cannot be prepared")
    func next() {
        #expect(schedule.next(after: 0, at: schedule.first) == 1)
        #expect(schedule.next(after: 0, at: schedule.first - .seconds(3600)) == 1)
        #expect(schedule.next(after: 4, at: schedule.start(of: 4) + .seconds(800)) == 5)
        #expect(schedule.next(after: 4, at: schedule.start(of: 5) - .seconds(10)) == 6)
        #expect(schedule.next(after: 4, at: schedule.start(of: 40) + .seconds(1)) == 41)
        for seconds in stride(from: 0, to: 5000, by: 7) {
            let now = schedule.first + .seconds(seconds)
            #expect(schedule.start(of: schedule.next(after: 0, at: now)) - now >= RaceSchedule.preparationMin)
        }
    }

    @Test("times of day are those of Italy, in summer and winter")
    func clock() {
        #expect(RaceSchedule.clock(Timestamp("2026-05-04T22:05:59Z")!) == "00:05")
        #expect(RaceSchedule.clock(Timestamp("2026-12-04T08:30:00Z")!) == "09:30")
    }
}
