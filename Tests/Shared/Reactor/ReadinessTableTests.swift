import SeededRandom
import Testing

@testable import Reactor

@Suite struct ReadinessTableTests {
    private typealias Table = ReadinessTable<String>

    private func entry(_ id: UInt64, _ waiter: String, due: UInt64 = .max) -> Table.Entry {
        .init(id: id, due: due, waiter: waiter)
    }

    @Test("reading interest is armed once and stays armed while readers come back")
    func readInterestStays() {
        var table = Table()
        let key = table.register()
        #expect(table.wait(key, .read, entry(1, "a")) == .waiting(arm: .read))
        var wakes = table.event(key, readable: true, writable: false, hungUp: false)
        #expect(wakes.reader == "a" && wakes.arm == nil)
        #expect(table.wait(key, .read, entry(2, "b")) == .waiting(arm: nil))
        wakes = table.event(key, readable: true, writable: false, hungUp: false)
        #expect(wakes.reader == "b" && wakes.arm == nil)
        wakes = table.event(key, readable: true, writable: false, hungUp: false)
        #expect(wakes.reader == nil && wakes.arm == [])
    }

    @Test("writing interest exists only while a writer waits")
    func writeInterestEnds() {
        var table = Table()
        let key = table.register()
        #expect(table.wait(key, .write, entry(1, "w")) == .waiting(arm: .write))
        let wakes = table.event(key, readable: false, writable: true, hungUp: false)
        #expect(wakes.writer == "w" && wakes.arm == [])
    }

    @Test("a second waiter of one direction is refused; the two directions do not disturb each other")
    func oneEach() {
        var table = Table()
        let key = table.register()
        #expect(table.wait(key, .read, entry(1, "r")) == .waiting(arm: .read))
        #expect(table.wait(key, .read, entry(2, "x")) == .occupied)
        #expect(table.wait(key, .write, entry(3, "w")) == .waiting(arm: [.read, .write]))
        let wakes = table.event(key, readable: false, writable: true, hungUp: false)
        #expect(wakes.writer == "w" && wakes.reader == nil && wakes.arm == .read)
    }

    @Test("a stale event, timer or cancellation never reaches the next owner of a slot")
    func generations() {
        var table = Table()
        let old = table.register()
        _ = table.wait(old, .read, entry(1, "old"))
        #expect(table.needsTimer(old, due: 5) == true)
        let failed = table.deregister(old)
        #expect(failed.reader == "old")
        let new = table.register()
        #expect(new.slot == old.slot && new != old)
        _ = table.wait(new, .read, entry(2, "new", due: 9))
        #expect(table.event(old, readable: true, writable: true, hungUp: true).reader == nil)
        #expect(table.timerFired(old, due: 5, now: 100).reader == nil)
        #expect(table.cancel(old, id: 2) == nil)
        #expect(table.wait(old, .read, entry(3, "x")) == .closed)
        #expect(table.cancel(new, id: 2) == "new")
        #expect(table.deregister(old).reader == nil)
    }

    @Test(
        "a hang-up wakes both sides; with nobody waiting the kernel must forget the descriptor, and the next wait is ready"
    )
    func hangUp() {
        var table = Table()
        let key = table.register()
        _ = table.wait(key, .read, entry(1, "r"))
        _ = table.wait(key, .write, entry(2, "w"))
        let wakes = table.event(key, readable: false, writable: false, hungUp: true)
        #expect(wakes.reader == "r" && wakes.writer == "w" && !wakes.forget)
        #expect(table.event(key, readable: false, writable: false, hungUp: true).forget == true)
        #expect(table.wait(key, .read, entry(3, "later")) == .ready)
    }

    @Test("one timer per slot: a later deadline sets none, and a fired timer asks for the next")
    func lazyTimers() {
        var table = Table()
        let key = table.register()
        _ = table.wait(key, .read, entry(1, "a", due: 100))
        #expect(table.needsTimer(key, due: 100) == true)
        _ = table.event(key, readable: true, writable: false, hungUp: false)
        _ = table.wait(key, .read, entry(2, "b", due: 200))
        #expect(table.needsTimer(key, due: 200) == false)
        var fired = table.timerFired(key, due: 100, now: 100)
        #expect(fired.reader == nil && fired.next == 200)
        fired = table.timerFired(key, due: 200, now: 201)
        #expect(fired.reader == "b" && fired.next == nil)
        #expect(table.needsTimer(key, due: 300) == true)
    }
}

@Suite struct TimerQueueTests {
    @Test("timers come in the order of their times, equal ones in the order they were set, cancelled ones never")
    func order() {
        var queue = TimerQueue<Int>()
        var generator = SeededGenerator(seed: 7)
        var expected: [(UInt64, Int)] = []
        for number in 0..<2000 {
            let due = UInt64.random(in: 0..<500, using: &generator)
            let id = queue.add(due: due, number)
            if Bool.random(using: &generator) {
                #expect(queue.cancel(id) == number)
                #expect(queue.cancel(id) == nil)
            } else {
                expected.append((due, number))
            }
        }
        expected.sort { $0 < $1 }
        var got: [Int] = []
        while let next = queue.popDue(400) { got.append(next.payload) }
        #expect(got == expected.filter { $0.0 <= 400 }.map(\.1))
        #expect(queue.count == expected.count - got.count)
    }
}
