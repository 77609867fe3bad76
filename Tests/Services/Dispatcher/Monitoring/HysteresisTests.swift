import Domain
import Primitives
import Testing

@testable import Dispatcher

/// Values at a limit: one emergency is one incident, and one update when it becomes much worse.
@Suite struct HysteresisTests {
    private func restored(_ monitor: Monitor) throws -> Monitor { try stored(monitor) }

    /// Seconds of values, one after the other.
    private func beats(_ values: [Double], from begin: Double = 0) -> [Beat] {
        values.enumerated().map { (begin + Double($0.offset), $0.element) }
    }

    @Test("SOS-05d SOS-07: a heart rate that swings about the limit for ten minutes is one emergency, not fifty")
    func swinging() {
        var monitor = Monitor()
        let pattern: [Double] = [40, 40, 39, 40, 41, 41, 40, 39, 40, 42, 40, 40, 41]
        let values = (0..<600).map { pattern[$0 % pattern.count] }
        let actions = monitor.live(beats(values))
        #expect(actions.dispatched.count == 1)
        #expect(monitor.phase == .confirmed)
    }

    @Test("SOS-05d: a single normal reading in the middle of an emergency makes no second one")
    func wrongNormal() {
        var monitor = Monitor()
        var values = [Double](repeating: 36, count: 120)
        for index in stride(from: 10, to: 120, by: 15) { values[index] = 75 }
        #expect(monitor.live(beats(values)).dispatched.count == 1)
    }

    @Test("SOS-05d SOS-07: what is over for three seconds and comes again is found again")
    func again() {
        var monitor = Monitor()
        let values = [Double](repeating: 38, count: 10) + [70, 70, 70, 70] + [Double](repeating: 38, count: 10)
        #expect(monitor.live(beats(values)).dispatched.count == 2)
    }

    @Test("SOS-05d: what nobody saw for a minute and is there again is found again")
    func afterSilence() {
        var monitor = Monitor()
        #expect(monitor.live(beats([38, 38, 38, 38])).dispatched.count == 1)
        #expect(monitor.live(beats([38, 38, 38, 38], from: 60)).dispatched.count == 1)
    }

    @Test(
        "SOS-05d: an emergency that becomes much worse is told again, once, and is an incident of its own if the first is over"
    )
    func worse() {
        var monitor = Monitor()
        let first = monitor.live(beats([40, 40, 40, 40, 40])).dispatched
        #expect(first.count == 1)
        let worse = monitor.live(beats([30, 29, 28, 27, 28, 29, 30, 28, 40, 29, 28, 27, 26], from: 5)).dispatched
        #expect(worse.count == 1)
        #expect(worse.first?.firstCriticalAt == time(5.1))
        #expect(
            first.first.map { IncidentID.of(watch, $0.origin) } != worse.first.map { IncidentID.of(watch, $0.origin) })
    }

    @Test("SOS-05d: also one that was severe for a moment when it began, and lasts so only later")
    func worseFromTheFirst() {
        var monitor = Monitor()
        let first = monitor.live(beats([30, 39, 39, 39, 39])).dispatched
        let worse = monitor.live(beats([30, 30, 30, 30], from: 5)).dispatched
        #expect(first.count == 1 && worse.count == 1)
        #expect(worse.first?.firstCriticalAt == first.first?.firstCriticalAt)
        #expect(
            first.first.map { IncidentID.of(watch, $0.origin) } != worse.first.map { IncidentID.of(watch, $0.origin) })
    }

    @Test("SOS-05d: what is severe from the beginning is told once")
    func severeAtOnce() {
        var monitor = Monitor()
        #expect(monitor.live(beats([Double](repeating: 20, count: 60))).dispatched.count == 1)
    }

    @Test("SOS-04: before it has lasted, a normal value close to the limit interrupts as any other")
    func nearBefore() {
        var monitor = Monitor()
        #expect(monitor.live(beats([40, 40, 41, 40, 40, 41, 40, 40])).dispatched.isEmpty)
    }

    @Test("SOS-07: the state of an emergency survives storage, and the order of what is read within it")
    func storage() throws {
        var monitor = Monitor()
        _ = monitor.live(beats([Double](repeating: 39, count: 40)))
        monitor = try restored(monitor)
        #expect(monitor.live(beats([41, 41, 40, 40, 40, 40, 40], from: 40)).dispatched.isEmpty)
        let begun = try #require(monitor.tracks.values.first?.runs.last)
        #expect(begun.first == time(0))
    }

    @Test("SOS-07: an emergency that goes on for an hour keeps its first moment in a state that does not grow")
    func long() throws {
        var monitor = Monitor()
        let actions = monitor.live(beats([Double](repeating: 38, count: 3600)))
        #expect(actions.dispatched.count == 1)
        let track = try #require(monitor.tracks.values.first)
        #expect(track.runs.count == 1 && track.runs.first?.first == time(0))
        #expect(track.entries.count <= VitalTrack.keptMin + 1)
        #expect(MemoryLayout<VitalTrack.Entry>.stride == 8)
    }
}
