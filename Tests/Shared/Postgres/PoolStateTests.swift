import Reactor
import Testing

@testable import Postgres

@Suite struct PoolStateTests {
    typealias State = PoolState<Int>

    private func state(connections: Int = 2, waiters: Int = 3) -> State {
        State(
            limits: .init(
                connectionsMax: connections, waitersMax: waiters, idleNanoseconds: 1000, lifetimeNanoseconds: 100_000,
                reconnect: BackOff(base: .nanoseconds(100), max: .nanoseconds(1000))))
    }

    private func wait(_ state: inout State) -> Int {
        guard case .wait(let number) = state.lease() else {
            Issue.record("expected to wait")
            return 0
        }
        return number
    }

    @Test("A waiting caller gets the connection that is opened for it")
    func opens() {
        var state = state()
        let waiter = wait(&state)
        #expect(state.growth(now: 0) == .now)
        #expect(state.growth(now: 0) == .none)
        guard case .granted(waiter, let entry) = state.opened(7, now: 5, jitter: 0) else {
            Issue.record("not granted")
            return
        }
        #expect(entry.connection == 7)
        #expect(state.leasedCount == 1)
        guard case .parked = state.giveBack(entry, isUsable: true, now: 6) else {
            Issue.record("not parked")
            return
        }
        guard case .ready(let again) = state.lease() else {
            Issue.record("not ready")
            return
        }
        #expect(again.connection == 7)
    }

    @Test(
        "Connections of before a change of place are closed: idle ones at once, leased and opening ones when they come")
    func retires() {
        var state = state()
        let waiter = wait(&state)
        #expect(state.growth(now: 0) == .now)
        guard case .granted(waiter, let leased) = state.opened(1, begun: 0, now: 5, jitter: 0) else {
            Issue.record("not granted")
            return
        }
        let second = wait(&state)
        #expect(state.growth(now: 6) == .now)
        #expect(state.retire(now: 10).isEmpty)
        guard case .close = state.opened(2, begun: 6, now: 11, jitter: 0) else {
            Issue.record("one that leads to the old place was lent")
            return
        }
        guard case .close = state.giveBack(leased, isUsable: true, now: 12) else {
            Issue.record("one that leads to the old place was kept")
            return
        }
        #expect(state.growth(now: 12) == .now)
        guard case .granted(second, let new) = state.opened(3, begun: 12, now: 13, jitter: 0) else {
            Issue.record("not granted")
            return
        }
        guard case .parked = state.giveBack(new, isUsable: true, now: 14) else {
            Issue.record("not parked")
            return
        }
        #expect(state.retire(now: 15).map(\.connection) == [3])
        #expect(state.count == 0)
    }

    @Test("No more connections than the limit, no more waiters than theirs, first come first served")
    func limits() {
        var state = state(connections: 1, waiters: 2)
        let first = wait(&state)
        #expect(state.growth(now: 0) == .now)
        let second = wait(&state)
        #expect(state.growth(now: 0) == .none)
        guard case .overloaded = state.lease() else {
            Issue.record("the third should be refused")
            return
        }
        guard case .granted(first, let entry) = state.opened(1, now: 0, jitter: 0) else {
            Issue.record("the first should be served")
            return
        }
        guard case .granted(second, _) = state.giveBack(entry, isUsable: true, now: 1) else {
            Issue.record("the second should be served")
            return
        }
        #expect(state.count == 1)
    }

    @Test("A broken connection is replaced for those who wait")
    func replaces() {
        var state = state(connections: 1)
        _ = wait(&state)
        _ = state.growth(now: 0)
        guard case .granted(_, let entry) = state.opened(1, now: 0, jitter: 0) else { return }
        _ = wait(&state)
        guard case .close = state.giveBack(entry, isUsable: false, now: 1) else {
            Issue.record("should be closed")
            return
        }
        #expect(state.growth(now: 1) == .now)
    }

    @Test("Failed attempts pause longer each time, one at a time, up to a limit")
    func pauses() {
        var state = state()
        _ = wait(&state)
        _ = wait(&state)
        #expect(state.growth(now: 0) == .now)
        #expect(state.growth(now: 0) == .now)
        #expect(state.openFailed(.unreachable, now: 0, jitter: 1) == [])
        #expect(state.growth(now: 50) == .at(100))
        #expect(state.openFailed(.unreachable, now: 60, jitter: 1) == [])
        #expect(state.growth(now: 100) == .at(260))
        #expect(state.growth(now: 260) == .now)
        #expect(state.growth(now: 260) == .none)
        for _ in 0..<10 {
            _ = state.openFailed(.unreachable, now: 300, jitter: 0)
            #expect(state.growth(now: 1300) == .now)
        }
        #expect(state.waiters.count == 2)
        _ = state.opened(1, now: 2000, jitter: 0)
        #expect(state.failureCount == 0)
    }

    @Test("NFR-02a: No connection is to be had when none can be opened and nobody has one that comes back")
    func cutOff() {
        var state = state(connections: 3)
        for _ in 0..<3 { _ = wait(&state) }
        for _ in 0..<3 { #expect(state.growth(now: 0) == .now) }
        #expect(!state.isCutOff, "nothing is known yet")
        _ = state.openFailed(.unreachable, now: 0, jitter: 0)
        #expect(state.isCutOff)
        guard case .granted(_, let entry) = state.opened(7, now: 1, jitter: 0) else {
            Issue.record("not granted")
            return
        }
        _ = state.openFailed(.unreachable, now: 2, jitter: 0)
        #expect(!state.isCutOff, "somebody has one")
        for _ in 0..<2 {
            guard case .granted = state.giveBack(entry, isUsable: true, now: 3) else {
                Issue.record("not granted")
                return
            }
        }
        guard case .parked = state.giveBack(entry, isUsable: true, now: 4) else {
            Issue.record("not parked")
            return
        }
        #expect(!state.isCutOff, "one is idle")
        guard case .ready(let last) = state.lease() else {
            Issue.record("not ready")
            return
        }
        guard case .close = state.giveBack(last, isUsable: false, now: 5) else {
            Issue.record("not closed")
            return
        }
        #expect(state.isCutOff, "the last one broke")
    }

    @Test("A server that answers and has no room is asked less often than one that is not there")
    func noRoom() {
        var state = state()
        _ = wait(&state)
        for attempt in 1...10 {
            let time = UInt64(attempt) * 10_000
            #expect(state.growth(now: time) == .now)
            #expect(state.openFailed(.unreachable, now: time, jitter: 1) == [])
        }
        #expect(state.growth(now: 100_000) == .at(101_000))
        #expect(state.growth(now: 101_000) == .now)
        #expect(state.openFailed(.refused, now: 101_000, jitter: 1) == [])
        #expect(state.growth(now: 101_000) == .at(109_000))
    }

    @Test("A final refusal is told to everybody who waits")
    func refusal() {
        var state = state()
        let waiters = [wait(&state), wait(&state)]
        _ = state.growth(now: 0)
        #expect(state.openFailed(.final, now: 0, jitter: 0) == waiters)
        #expect(state.waiters.isEmpty)
        #expect(state.growth(now: 5000) == .none)
    }

    @Test("Who leaves the queue is skipped; who was granted already has to give back")
    func leaving() {
        var state = state(connections: 1)
        let first = wait(&state)
        let second = wait(&state)
        _ = state.growth(now: 0)
        let hadWaited = state.waiterLeft(first)
        #expect(hadWaited)
        guard case .granted(second, _) = state.opened(1, now: 0, jitter: 0) else {
            Issue.record("the second should be served")
            return
        }
        let waitsStill = state.waiterLeft(second)
        #expect(!waitsStill)
    }

    @Test("Connections that are idle for long, too old or dead are swept out; used ones are replaced at their age")
    func sweeping() {
        var state = state(connections: 3)
        var entries: [State.Entry] = []
        for connection in 1...3 {
            _ = wait(&state)
            _ = state.growth(now: 0)
            guard case .granted(_, let entry) = state.opened(connection, now: 0, jitter: 1) else { return }
            entries.append(entry)
        }
        _ = state.giveBack(entries[0], isUsable: true, now: 100)
        _ = state.giveBack(entries[1], isUsable: true, now: 1000)
        let swept = state.sweep(now: 1100) { $0 != 2 }
        #expect(swept.map(\.connection) == [1, 2])
        guard case .close = state.giveBack(entries[2], isUsable: true, now: 90_000) else {
            Issue.record("should have reached its age")
            return
        }
        #expect(state.count == 0)
    }

    @Test("Closing refuses callers, hands out what is to be closed, and closes what comes back")
    func closing() {
        var state = state(connections: 2)
        _ = wait(&state)
        _ = state.growth(now: 0)
        guard case .granted(_, let entry) = state.opened(1, now: 0, jitter: 0) else { return }
        let waiter = wait(&state)
        let closed = state.close()
        #expect(closed.waiters == [waiter] && closed.idle.isEmpty)
        guard case .closed = state.lease() else {
            Issue.record("should be closed")
            return
        }
        guard case .close = state.giveBack(entry, isUsable: true, now: 1) else {
            Issue.record("should be closed")
            return
        }
        #expect(state.leasedCount == 0)
    }
}
