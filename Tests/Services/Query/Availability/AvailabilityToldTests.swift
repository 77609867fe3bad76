import Primitives
import Testing

@testable import Query

@Suite struct AvailabilityToldTests {
    private let start = World.start
    private let hour = Duration.seconds(3600)

    @Test("SUB-04b: Of each type is told once that it is gone, and once that it is back")
    func changes() {
        var told = AvailabilityTold()
        #expect(told.tell(missing: 0, at: start, pause: hour) == .init())
        #expect(told.tell(missing: 0b11, at: start, pause: hour) == .init(gone: 0b11))
        #expect(told.tell(missing: 0b11, at: start + .seconds(9), pause: hour) == .init())
        #expect(told.tell(missing: 0b01, at: start + .seconds(9), pause: hour) == .init(back: 0b10))
        #expect(told == .init(unavailable: 0b01, unavailableAt: start, availableAt: start + .seconds(9)))
    }

    @Test("SUB-04b: Each of the two is told at most once in the pause, and the rest when it is over")
    func pauses() {
        var told = AvailabilityTold()
        _ = told.tell(missing: 0b01, at: start, pause: hour)
        _ = told.tell(missing: 0, at: start + .seconds(600), pause: hour)
        let before = told
        #expect(told.tell(missing: 0b01, at: start + .seconds(1200), pause: hour) == .init(restAt: start + hour))
        #expect(told == before)
        // What is back again by then was never told.
        #expect(told.tell(missing: 0, at: start + hour, pause: hour) == .init())
        #expect(told.tell(missing: 0b01, at: start + hour, pause: hour) == .init(gone: 0b01))
        #expect(
            told.tell(missing: 0, at: start + hour, pause: hour) == .init(restAt: start + .seconds(600) + hour))
        // One type goes while another comes back.
        #expect(
            told.tell(missing: 0b10, at: start + .seconds(600) + hour, pause: hour)
                == .init(back: 0b01, restAt: start + hour + hour))
    }

    @Test("SUB-04b NFR-04: Times of before the clock was set back hold nothing up")
    func setBack() {
        var told = AvailabilityTold(unavailableAt: start + .seconds(86_400))
        #expect(told.tell(missing: 0b01, at: start, pause: hour) == .init(gone: 0b01))
        #expect(told.unavailableAt == start)
    }

    @Test("SUB-04b: Over any history of states no more is told than once in the pause, and in the end what holds")
    func histories() {
        for seed in 0..<200 {
            var (told, random) = (AvailabilityTold(), UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1)
            var (known, goneAt, backAt): (Int64, [Timestamp], [Timestamp]) = (0, [], [])
            var now = start
            func next() -> UInt64 {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                return random
            }
            func step(_ missing: Int64) {
                let answer = told.tell(missing: missing, at: now, pause: hour)
                known = (known | answer.gone) & ~answer.back
                #expect(answer.gone & ~missing == 0 && answer.back & missing == 0)
                if answer.gone != 0 { goneAt.append(now) }
                if answer.back != 0 { backAt.append(now) }
                #expect((known == missing) == (answer.restAt == nil))
            }
            for _ in 0..<50 {
                step(Int64(next() % 8))
                now = now + .seconds(Int64(next() % 3000))
            }
            now = now + hour
            step(0b101)
            #expect(known == 0b101)
            for times in [goneAt, backAt] {
                #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= hour }, "seed \(seed)")
            }
        }
    }
}
