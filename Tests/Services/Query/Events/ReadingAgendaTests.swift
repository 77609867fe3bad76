import Contracts
import Domain
import Primitives
import Reactor
import Testing

@testable import Query

/// Which readings go on next, without I/O.
@Suite struct ReadingAgendaTests {
    private let company = UUID.random()
    private let person = UUID.random()

    /// Expectations call nothing that mutates.
    private final class Held {
        var agenda = ReadingAgenda()
        var now = World.start

        func take(_ countMax: Int) -> [Reading] { agenda.take(countMax) }
        func arrived(_ individuals: Set<UUID>) -> Bool { agenda.arrived(individuals, at: now) }
        func wake() -> Bool { agenda.wake(at: now) }
        func listen(_ requester: UUID, to scope: ReadingAgenda.Scope) -> Bool {
            agenda.listen(requester, to: scope).isDue
        }
    }

    private func reading(
        _ individual: UUID? = nil, _ granularity: ConsentRequest.Granularity = .raw,
        _ frequency: UpdateFrequency = .live
    ) -> Reading {
        Reading(
            request: .random(), requester: company, individual: individual ?? person, types: [.heartRate],
            from: World.start, to: World.start + .seconds(60), granularity: granularity, frequency: frequency,
            acceptedAt: World.start, saved: .beginning, place: .beginning)
    }

    @Test("SUB-01b: Updates at an interval come at its multiples since the acceptance, whatever arrives meanwhile")
    func intervals() {
        let held = Held()
        var one = reading(nil, .raw, .every(minutes: 30))
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one], of: company, .all, after: 0, at: held.now)
        #expect(held.take(1).count == 1)
        held.now = World.start + .seconds(100)
        one.nextAt = one.next(after: held.now)
        #expect(one.nextAt == World.start + .seconds(1800))
        held.agenda.giveBack(one, hasMore: false, at: held.now)
        #expect(!held.arrived([person]) && held.agenda.progress(company, .all) == .caughtUp && !held.wake())
        held.now = World.start + .seconds(1800)
        #expect(held.wake() && held.take(1).count == 1)
        held.now = World.start + .seconds(9001)
        one.nextAt = one.next(after: held.now)
        #expect(one.nextAt == World.start + .seconds(10_800))
        held.agenda.giveBack(one, hasMore: false, at: held.now)
        // Nothing has arrived since.
        held.now = World.start + .seconds(10_800)
        #expect(!held.wake())
        #expect(held.arrived([person]) && held.take(1).count == 1)
        // The clock is set back by a day: not for longer than an interval.
        held.agenda.giveBack(one, hasMore: false, at: held.now)
        held.now = World.start + .seconds(-86_400)
        #expect(held.arrived([person]))
        #expect(reading(nil, .raw, .weekly).next(after: World.start) == World.start + .seconds(7 * 86_400))
        #expect(reading(nil, .hour, .live).next(after: World.start) == World.start + Reading.sumsPause)
        #expect(reading().next(after: World.start) == nil)
    }

    @Test("SUB-01b: Sums whose time is not over are looked at again, although nothing arrives")
    func waitingSums() {
        let held = Held()
        var one = reading(nil, .hour)
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one], of: company, .all, after: 0, at: held.now)
        #expect(held.take(1).count == 1)
        one.place.touched = [.init(type: .heartRate, start: World.start, end: World.start + .seconds(3600))]
        one.nextAt = one.next(after: held.now)
        held.agenda.giveBack(one, hasMore: false, at: held.now)
        #expect(!held.wake())
        held.now = World.start + Reading.sumsPause
        #expect(held.wake())
    }

    @Test("SUB-01a: What is loaded is due once, and then when something arrives of the person")
    func arrivals() {
        let held = Held()
        let (one, other) = (reading(), reading(.random()))
        _ = held.agenda.listen(company, to: .all)
        #expect(held.agenda.progress(company, .all) != .caughtUp)
        held.agenda.load([one, other], of: company, .all, after: 0, at: World.start)
        #expect(Set(held.take(10).map(\.request)) == [one.request, other.request])
        #expect(held.take(10).isEmpty && held.agenda.progress(company, .all) != .caughtUp)
        for reading in [one, other] { held.agenda.giveBack(reading, hasMore: false, at: World.start) }
        #expect(held.agenda.progress(company, .all) == .caughtUp)
        #expect(held.arrived([person]))
        #expect(!held.arrived([person, .random()]))
        #expect(held.take(10).map(\.request) == [one.request])
        // While it is being read: once more afterwards.
        #expect(!held.arrived([person]))
        held.agenda.giveBack(one, hasMore: false, at: World.start)
        #expect(held.take(10).map(\.request) == [one.request])
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        #expect(held.take(10).count == 1)
        held.agenda.mayHaveArrived(at: World.start)
        #expect(held.take(10).map(\.request) == [other.request])
    }

    @Test("SUB-02d: What is unread is known, and what of it could not be read when it was tried last")
    func unread() {
        let held = Held()
        let (one, other) = (reading(), reading(.random()))
        #expect(held.agenda.unread(of: company) == nil)
        _ = held.agenda.listen(company, to: .all)
        #expect(held.agenda.unread(of: company) == nil)
        held.agenda.load([one, other], of: company, .all, after: 0, at: World.start)
        func unread(_ requests: Set<UUID>, _ failing: Set<UUID>) {
            let unread = held.agenda.unread(of: company)
            #expect(unread?.requests == requests && unread?.failing == failing)
        }
        unread([one.request, other.request], [])
        #expect(held.take(10).count == 2)
        held.agenda.failed(one)
        held.agenda.giveBack(other, hasMore: false, at: World.start)
        unread([one.request], [one.request])
        // While it is tried again, too.
        #expect(held.wake() && held.take(10).map(\.request) == [one.request])
        unread([one.request], [one.request])
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        unread([one.request], [])
        #expect(held.take(10).count == 1)
        held.agenda.failed(one)
        held.agenda.remove(one.request)
        unread([], [])
    }

    @Test("SUB-01a: What has just arrived goes before what is read up, which still goes on")
    func order() {
        let held = Held()
        let readings = (0..<20).map { _ in reading(.random()) }
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load(readings, of: company, .all, after: 0, at: World.start)
        let first = held.take(4)
        for reading in first { held.agenda.giveBack(reading, hasMore: false, at: World.start) }
        #expect(held.arrived(Set(first.map(\.individual))))
        let next = held.take(4)
        #expect(Set(next.prefix(2).map(\.request)).isSubset(of: first.map(\.request)))
        #expect(Set(next.suffix(2).map(\.request)).isDisjoint(with: first.map(\.request)))
    }

    @Test("SUB-02: Who listens to one request gets only that one read, and who leaves is forgotten after a while")
    func scopes() {
        let held = Held()
        let (one, other) = (reading(), reading())
        _ = held.agenda.listen(company, to: .request(one.request))
        held.agenda.load([one], of: company, .request(one.request), after: 0, at: World.start)
        #expect(held.take(10).map(\.request) == [one.request])
        held.agenda.giveBack(one, hasMore: false, at: World.start)
        #expect(
            held.agenda.progress(company, .request(one.request)) == .caughtUp && !held.agenda.isLoaded(company, .all))
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one, other], of: company, .all, after: 0, at: World.start)
        #expect(held.take(10).map(\.request) == [other.request])
        held.agenda.giveBack(other, hasMore: false, at: World.start)
        let now = Deadline.now()
        held.agenda.leave(company, .all, at: now)
        held.agenda.forget(leftBefore: now.advanced(by: .seconds(-1)))
        #expect(held.agenda.isLoaded(company, .all))
        held.agenda.forget(leftBefore: now)
        #expect(!held.agenda.isLoaded(company, .all) && held.agenda.isLoaded(company, .request(one.request)))
        #expect(held.arrived([person]))
        #expect(held.take(10).map(\.request) == [one.request])
        held.agenda.leave(company, .request(one.request), at: now)
        held.agenda.forget(leftBefore: now)
        #expect(held.agenda.listening.isEmpty && !held.arrived([person]) && held.take(1).isEmpty)
    }

    @Test("SUB-02a: Of who has left no more is read than what was begun; who comes back has it go on")
    func resting() {
        let held = Held()
        let one = reading()
        let scope = ReadingAgenda.Scope.request(one.request)
        #expect(!held.listen(company, to: scope))
        held.agenda.load([one], of: company, scope, after: 0, at: World.start)
        #expect(held.take(10).count == 1)
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        held.agenda.leave(company, scope, at: .now())
        #expect(held.take(10).count == 1)
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        #expect(held.take(10).isEmpty && !held.arrived([person]) && !held.wake())
        #expect(held.agenda.progress(company, scope) == .behind)
        #expect(!held.listen(company, to: .request(.random())) && held.take(10).isEmpty)
        for scope in [.all, scope] {
            #expect(held.listen(company, to: scope))
            #expect(held.take(10).map(\.request) == [one.request])
            held.agenda.leave(company, scope, at: .now())
            held.agenda.giveBack(one, hasMore: true, at: World.start)
        }
        _ = held.agenda.listen(company, to: scope)
        #expect(held.take(10).count == 1)
        held.agenda.giveBack(one, hasMore: false, at: World.start)
        #expect(held.agenda.progress(company, scope) == .caughtUp)
    }

    @Test("SUB-02e: What could not be read is tried again, and is not caught up until then")
    func failures() {
        let held = Held()
        let one = reading()
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one], of: company, .all, after: 0, at: World.start)
        for _ in 0..<3 {
            #expect(held.take(10).count == 1)
            held.agenda.failed(one)
            #expect(
                !held.arrived([person]) && held.take(10).isEmpty && held.agenda.progress(company, .all) != .caughtUp)
            #expect(held.wake() && !held.wake())
        }
        #expect(held.take(10).count == 1)
        held.agenda.giveBack(one, hasMore: false, at: World.start)
        #expect(held.agenda.progress(company, .all) == .caughtUp)
    }

    @Test("SUB-02e: What fails again and again is told apart, holds nobody up, and comes once it can be read")
    func stuck() {
        let held = Held()
        let (one, other) = (reading(), reading(.random()))
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one, other], of: company, .all, after: 0, at: World.start)
        #expect(held.take(10).count == 2)
        held.agenda.giveBack(other, hasMore: false, at: World.start)
        for _ in 1..<ReadingAgenda.failuresMax {
            held.agenda.failed(one)
            #expect(held.agenda.progress(company, .all) == .behind && held.agenda.failing == [one.request])
            #expect(held.wake() && held.take(10).count == 1)
        }
        held.agenda.failed(one)
        #expect(held.agenda.progress(company, .all) == .stuck)
        #expect(held.agenda.progress(company, .request(one.request)) == .stuck)
        #expect(held.agenda.progress(company, .request(other.request)) == .caughtUp)
        // While it is tried once more; another one that is due is not held for stuck.
        #expect(held.wake() && held.take(10).count == 1 && held.agenda.progress(company, .all) == .stuck)
        _ = held.arrived([other.individual])
        #expect(held.agenda.progress(company, .all) == .behind)
        _ = held.take(10)
        held.agenda.giveBack(other, hasMore: false, at: World.start)
        #expect(held.agenda.progress(company, .all) == .stuck)
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        #expect(held.agenda.progress(company, .all) == .behind && held.agenda.failing.isEmpty)
        _ = held.take(10)
        held.agenda.giveBack(one, hasMore: false, at: World.start)
        #expect(held.agenda.progress(company, .all) == .caughtUp)
    }

    @Test("REQ-10b SUB-02e: A reading that fails and ends leaves nothing behind")
    func failingAndOver() {
        let held = Held()
        let one = reading()
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one], of: company, .all, after: 0, at: World.start)
        for _ in 0..<ReadingAgenda.failuresMax {
            _ = held.take(1)
            held.agenda.failed(one)
            _ = held.wake()
        }
        #expect(held.agenda.progress(company, .all) == .stuck)
        held.agenda.load([], of: company, .all, after: 0, at: World.start)
        #expect(held.agenda.progress(company, .all) == .caughtUp && held.agenda.failing.isEmpty)
    }

    @Test("SUB-02e: What was read from the database before a change is loaded again")
    func changes() {
        let held = Held()
        let one = reading()
        _ = held.agenda.listen(company, to: .all)
        held.agenda.unload(company)
        held.agenda.load([one], of: company, .all, after: 0, at: held.now)
        #expect(held.take(1).isEmpty && !held.agenda.isLoaded(company, .all))
        #expect(held.agenda.unloaded(10).map(\.requester) == [company])
        held.agenda.load([one], of: company, .all, after: held.agenda.changes(of: company), at: held.now)
        #expect(held.take(1).count == 1 && held.agenda.unloaded(10).isEmpty)
    }

    @Test("REQ-10b: A reading that is over is not taken up again, whatever comes of the person")
    func over() {
        let held = Held()
        let (one, other) = (reading(), reading())
        _ = held.agenda.listen(company, to: .all)
        held.agenda.load([one, other], of: company, .all, after: 0, at: World.start)
        _ = held.take(1)
        held.agenda.load([other], of: company, .all, after: 0, at: World.start)
        held.agenda.giveBack(one, hasMore: true, at: World.start)
        #expect(held.take(10).map(\.request) == [other.request])
        _ = held.arrived([person])
        held.agenda.giveBack(other, hasMore: false, at: World.start)
        #expect(held.take(10).map(\.request) == [other.request])
    }
}
