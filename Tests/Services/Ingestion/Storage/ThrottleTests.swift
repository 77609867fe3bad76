import Reactor
import Testing

@testable import Ingestion

@Suite struct ThrottleTests {
    @Test("While uploads are committed, work that can wait rests for a multiple of what it took, up to a limit")
    func rests() {
        let long = Duration.milliseconds(10)
        #expect(Throttle.rest(after: long, busy: .zero) == .zero)
        #expect(Throttle.rest(after: long, busy: .milliseconds(5)) == long * (Throttle.restsMax / 2))
        #expect(Throttle.rest(after: long, busy: long) == long * Throttle.restsMax)
        #expect(Throttle.rest(after: long, busy: .seconds(1)) == long * Throttle.restsMax)
        #expect(Throttle.rest(after: .seconds(60), busy: .seconds(60)) == Throttle.restMax)
    }

    @Test("A piece of work is followed by its rest, its errors come at once")
    func runs() async throws {
        struct Failed: Error {}
        try await EventLoopGroup.withLoops(1) { loops in
            try await loops.loops[0].throwingTask {
                let commits = BusyMeter()
                let throttle = Throttle(uploads: commits)
                commits.begin()
                let (start, piece) = (Deadline.now(), Duration.milliseconds(2))
                let result = try await throttle.run {
                    while Deadline.now().since(start) < piece {}
                    return 1
                }
                #expect(result == 1)
                #expect(Deadline.now().since(start) >= piece * (1 + Throttle.restsMax))
                await #expect(throws: Failed.self) { try await throttle.run { throw Failed() } }
            }.value
        }
    }

    @Test("Time under way is counted once, however much is under way")
    func meter() {
        let meter = BusyMeter()
        #expect(meter.total == .zero)
        let start = Deadline.now()
        meter.begin()
        meter.begin()
        meter.end()
        let before = meter.total
        while meter.total == before {}
        meter.end()
        let total = meter.total
        #expect(total > before && total <= Deadline.now().since(start))
        #expect(meter.total == total)
    }
}
