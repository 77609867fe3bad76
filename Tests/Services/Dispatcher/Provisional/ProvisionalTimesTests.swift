import Domain
import Primitives
import Testing

@testable import Dispatcher

@Suite struct ProvisionalTimesTests {
    private let wearer = Wearer.aged(70)

    private func provisional(_ beats: [Beat], sent: Double? = nil, received: Double? = nil) -> Observation {
        var seen = upload(beats, sent: sent, received: received)
        seen.isProvisional = true
        return seen
    }

    @Test(
        "SOS-05d SOS-14: an emergency counts as stored when each of its samples has come, in whatever order and pieces")
    func pieces() throws {
        var monitor = Monitor()
        let run = beats(30, from: 0, through: 4)
        let found = monitor.observe(provisional(run), of: wearer).dispatched
        #expect(found.map(\.isProvisional) == [true])
        monitor = try stored(monitor)
        for index in [4, 0, 3, 1] {
            let actions = monitor.observe(upload([run[index]], sent: 10), of: wearer)
            #expect(!actions.contains { if case .stored = $0 { true } else { false } } && actions.dispatched.isEmpty)
        }
        #expect(monitor.observe(upload([run[2]], sent: 11), of: wearer).contains(.stored(found[0].origin)))
        #expect(!monitor.observe(upload(run, sent: 12), of: wearer).contains(.stored(found[0].origin)))
        #expect(monitor.provisional.raised.isEmpty)
    }

    @Test("SOS-05d: an emergency that was confirmed by a stored sample is provisional when some before it was")
    func mixed() {
        var monitor = Monitor()
        _ = monitor.observe(provisional([(0, 30)]), of: wearer)
        for second in 1...2 { _ = monitor.observe(upload([(Double(second), 30)]), of: wearer) }
        #expect(monitor.observe(upload([(3, 30)]), of: wearer).dispatched.map(\.isProvisional) == [true])
        var other = Monitor()
        _ = other.observe(provisional([(0, 30)]), of: wearer)
        for second in 0...2 { _ = other.observe(upload([(Double(second), 30)]), of: wearer) }
        #expect(other.observe(upload([(3, 30)]), of: wearer).dispatched.map(\.isProvisional) == [false])
    }

    @Test("SOS-05d: nothing is judged twice when the device's clock is set before it sends the samples again")
    func clockSet() {
        var monitor = Monitor()
        let run = beats(30, from: 0, through: 4)
        #expect(monitor.observe(provisional(run), of: wearer).dispatched.count == 1)
        // As it was sent then, received two minutes later.
        #expect(monitor.observe(upload(run, sent: 4, received: 124), of: wearer).dispatched.isEmpty)
    }

    @Test("NFR-03b: what is kept of provisional samples is bounded, and nothing when there were none")
    func bounded() {
        var monitor = Monitor()
        #expect(monitor.live(beats(30, from: 0, through: 4)).dispatched.map(\.isProvisional) == [false])
        #expect(monitor.provisional.isEmpty)
        var times = ProvisionalTimes()
        for source in 0..<100 {
            for second in 0..<300 { times.add(time(Double(second)), UUID(high: 5, low: UInt64(source)), .heartRate) }
        }
        for number in 0..<100 {
            let source = UUID(high: 5, low: 99)
            let first = time(Double(299 - number % 50))
            var run = VitalTrack.Run(first)
            run.last = time(299)
            times.raise(
                run, .init(source: source, type: .heartRate, time: time(Double(number))))
        }
        #expect(times.raised.count == ProvisionalTimes.raisedMax)
        #expect(times.raised.allSatisfy { $0.times.count <= ProvisionalTimes.timesMax })
        var packer = Packer(bytesExpected: 0)
        times.pack(into: &packer)
        #expect(packer.bytes.count < 50_000)
    }
}
