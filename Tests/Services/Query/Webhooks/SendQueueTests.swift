import Primitives
import Reactor
import Testing

@testable import Query

@Suite struct SendQueueTests {
    private let anna = UUID.random()
    private let luca = UUID.random()

    private func event(_ number: Int64) -> Event {
        Event(
            requester: anna, number: number, id: .random(), request: .random(), kind: .accepted, types: [], data: nil,
            createdAt: World.start)
    }

    private func next(of queue: inout SendQueue, only: UUID? = nil) throws -> (lane: UUID, event: Event) {
        let found = queue.take(only: only)
        return try #require(found)
    }

    @Test("SUB-02c SUB-02e: each person has one event under way, and the position stays before what is not done")
    func position() throws {
        var queue = SendQueue(position: 0)
        queue.add([(anna, event(1)), (anna, event(2)), (luca, event(3))], through: 4)
        #expect(queue.position == 0 && queue.backlog == 3)
        let first = try next(of: &queue, only: nil)
        let second = try next(of: &queue, only: nil)
        #expect(first.event.number == 1 && second.event.number == 3)
        #expect(!queue.hasReady(only: nil))
        queue.done(luca, second.event)
        #expect(queue.position == 0)
        queue.done(anna, first.event)
        #expect(queue.position == 1)
        let third = try next(of: &queue, only: nil)
        queue.done(anna, third.event)
        #expect(third.event.number == 2 && queue.position == 4)
    }

    @Test(
        "SUB-02c SUB-02e: a person whose event fails is held: others go on, and hers are read again from there until they join"
    )
    func held() throws {
        var queue = SendQueue(position: 0)
        queue.add([(anna, event(1)), (luca, event(2)), (anna, event(3))], through: 3)
        let first = try next(of: &queue, only: nil)
        queue.failed(anna, first.event, attempts: 1, pause: .zero)
        #expect(queue.heldCount == 1 && queue.position == 1)
        let second = try next(of: &queue, only: nil)
        queue.done(luca, second.event)
        #expect(second.event.number == 2 && queue.position == 3)
        // What comes meanwhile is left to the held lane.
        queue.add([(anna, event(4)), (luca, event(5))], through: 5)
        #expect(queue.backlog == 1)
        let due = queue.due(max: 10, only: nil)
        #expect(due.map(\.lane) == [anna] && due.map(\.from) == [1])
        // Beyond what was read of the others is not for the lane.
        let joined = queue.loaded([1, 3, 4, 6].map { event($0) }, of: anna, last: 6)
        #expect(!joined)
        for number: Int64 in [5, 1, 3, 4] {
            let next = try next(of: &queue, only: nil)
            #expect(next.event.number == number)
            queue.done(next.lane, next.event)
        }
        #expect(!queue.hasReady(only: nil))
        #expect(queue.held(anna)?.from == 5 && queue.held(anna)?.attempts == 0)
        let again = queue.due(max: 10, only: nil)
        #expect(again.map(\.from) == [5])
        let isOver = queue.loaded([event(6)], of: anna, last: 6)
        #expect(isOver && queue.heldCount == 0)
        queue.add([(anna, event(6))], through: 6)
        let last = try next(of: &queue)
        #expect(last.event.number == 6)
    }

    @Test("SUB-02c: a held person is left alone until her pause is over, unless she is the one that is tried")
    func pause() throws {
        var queue = SendQueue(position: 0)
        queue.hold(anna, from: 7, attempts: 2, due: .after(.seconds(3600)))
        queue.hold(luca, from: 8, attempts: 1, due: .after(.seconds(3600)))
        let none = queue.due(max: 10, only: nil)
        #expect(none.isEmpty && !queue.nextDue.hasPassed)
        let probe = try #require(queue.probe)
        let one = queue.due(max: 10, only: probe)
        #expect(one.count == 1)
        queue.add([], through: 9)
        let joined = queue.loaded([event(8)], of: probe, last: 8)
        #expect(!joined)
        let taken = try next(of: &queue, only: probe)
        queue.failed(probe, taken.event, attempts: 2, pause: .seconds(60))
        // In turn.
        #expect(queue.probe != probe)
        queue.allDue()
        let both = queue.due(max: 10, only: nil)
        #expect(both.count == 2)
    }

    @Test("SUB-02c: an event is tried for three days at least, with pauses that grow, and given up then")
    func schedule() {
        let times = WebhookTimes()
        var total = Duration.zero
        var last = Duration.zero
        for failures in 1...times.pauses.count {
            let pause = times.pause(afterFailures: failures) ?? .zero
            #expect(pause >= last)
            total += pause
            last = pause / 1.2
        }
        #expect(total >= .seconds(3 * 86_400) && total <= .seconds(4 * 86_400))
        #expect(times.pause(afterFailures: times.pauses.count + 1) == nil)
    }
}
