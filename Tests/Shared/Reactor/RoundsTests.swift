import ReactorTesting
import Synchronization
import Testing

@testable import Reactor

@Suite struct RoundsTests {
    private struct Failure: Error {}

    @Test("rounds begin at once, go on after a raise or the interval, also when they fail, and end with their task")
    func rounds() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (wake, begun) = (EventCounter(), EventCounter())
            let told = Mutex(0)
            func run(every interval: Duration) -> Task<Void, Never> {
                loops.loops[0].task {
                    await wake.rounds(every: interval) {
                        begun.raise()
                        throw Failure()
                    } failed: { _ in
                        told.withLock { $0 += 1 }
                    }
                }
            }
            let raised = run(every: .seconds(600))
            #expect(await begun.wait(after: 0, deadline: .after(.seconds(10))) == 1)
            wake.raise()
            #expect(await begun.wait(after: 1, deadline: .after(.seconds(10))) == 2)
            raised.cancel()
            await raised.value
            #expect(begun.value == 2 && told.withLock { $0 } == 2)

            let timed = run(every: .milliseconds(1))
            let end = Deadline.after(.seconds(10))
            while begun.value <= 12, !end.hasPassed { _ = await begun.wait(after: begun.value, deadline: end) }
            #expect(begun.value > 12)
            timed.cancel()
            await timed.value
            // Of those in a row the first eight.
            #expect(told.withLock { $0 } == 10)
        }
    }

    @Test("a round that its task's cancellation breaks off is no failure")
    func cancelled() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (wake, begun, told) = (EventCounter(), EventCounter(), EventCounter())
            let loop = loops.loops[0]
            let task = loop.task {
                await wake.rounds(every: .seconds(600)) {
                    begun.raise()
                    try await loop.sleep(until: .never)
                } failed: { _ in
                    told.raise()
                }
            }
            _ = await begun.wait(after: 0, deadline: .after(.seconds(10)))
            task.cancel()
            await task.value
            #expect(told.value == 0)
        }
    }
}
