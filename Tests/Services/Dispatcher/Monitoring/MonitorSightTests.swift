import Contracts
import Domain
import Primitives
import Testing

@testable import Dispatcher

/// What the monitor can see, and what it makes of uploads that cannot be.
@Suite struct MonitorSightTests {
    private func zeros(from: Double, through: Double) -> [Beat] { beats(0, from: from, through: through) }

    @Test("SOS-11: a strap that slips off after a critical value is blind, not alerted for ever")
    func slippedOff() {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 5))
        #expect(monitor.live([(6, 38)]) == [.alert])
        let actions = monitor.live(zeros(from: 7, through: 600))
        #expect(actions == [.blind(since: time(7.1))])
        #expect(monitor.phase == .blind)
        #expect(monitor.live([(601, 70)]) == [.sighted])
    }

    @Test("SOS-04 SOS-11: a device that is replaced after a critical value keeps nobody alerted")
    func replaced() {
        var monitor = Monitor()
        _ = monitor.live([(0, 70), (1, 38)])
        for second in 2..<120 {
            _ = monitor.observe(upload([(Double(second), 70)], source: phone), of: .aged(70))
        }
        #expect(monitor.phase == .normal)
    }

    @Test("SOS-11: positions do not make up for a sensor that is silent")
    func positionsAlone() {
        var monitor = Monitor()
        _ = monitor.live([(0, 70)])
        var actions: [MonitorAction] = []
        for second in stride(from: 10.0, through: 900, by: 10) {
            var seen = upload([], sent: second, source: phone)
            seen.fixes = [PositionFix(time: time(second), coordinate: Coordinate(latitude: 45, longitude: 9)!)]
            actions += monitor.observe(seen, of: .aged(70)) + monitor.endSilence(now: time(second + 5))
        }
        #expect(actions == [.blind(since: time(0.1))])
        #expect(monitor.phase == .blind)
        #expect(monitor.live([(901, 70)]) == [.sighted])
    }

    @Test("SOS-11: somebody of whom nothing was ever heard is blind after five minutes, too")
    func neverHeard() {
        var begun = Monitor(begunAt: time(0))
        #expect(begun.endSilence(now: time(301)) == [.blind(since: time(0))])
    }

    @Test("SOS-05: a critical stretch inside one upload is judged whole, however much comes after it")
    func stretchInsideUpload() {
        var quick = Monitor()
        let third = 1.0 / 3
        let held = beats(38, from: 0, through: 4, every: third) + beats(70, from: 4.4, through: 10, every: third)
        #expect(quick.observe(upload(held, sent: 10), of: .aged(70)).dispatched.count == 1)
        var slow = Monitor()
        let late = beats(38, from: 0, through: 8) + beats(70, from: 9, through: 30)
        let actions = slow.observe(upload(late, sent: 30), of: .aged(70))
        #expect(actions.dispatched.isEmpty && actions.reported.count == 1)
        #expect(slow.tracks.values.allSatisfy { $0.entries.count <= VitalTrack.keptMax })
    }

    // MARK: Contact

    /// Heart rates of a sensor that says whether it touches the person, a second apart, as the ingestion service passes
    /// them on.
    private func told(_ values: [Double], contact: [Bool]?, from: Double = 0) throws -> Observation {
        let last = time(from + Double(values.count - 1))
        return try #require(
            Observation(
                Ingestion.LiveSamples(
                    accountID: watch, deviceID: watch, receivedAt: last, sentAt: last,
                    series: [
                        SampleSeries(
                            type: .heartRate, start: time(from), offsets: values.indices.map { Int64($0) * 1000 },
                            values: values, contact: contact)
                    ]), now: last, heldFor: .zero))
    }

    @Test("SOS-02a SOS-11: a heart that stands still under a sensor with contact is an emergency, not a lost sensor")
    func standstill() throws {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 5))
        let still = try told([0, 0, 0, 0], contact: [true, true, true, true], from: 6)
        #expect(still.hasVital)
        let actions = monitor.observe(still, of: .aged(70))
        let finding = try #require(actions.dispatched.first)
        #expect(finding.value == 0 && finding.limit == "<= 40.0" && finding.firstCriticalAt == time(6))
        #expect(monitor.lastVitals[.heartRate]?.value == 0)
        #expect(!actions.isBlind && monitor.phase == .confirmed)
        #expect(try stored(monitor) == monitor)
    }

    @Test(
        "SOS-11b: readings of a sensor without contact are a lost sensor, whatever their value", arguments: [25.0, 70])
    func withoutContact(_ value: Double) throws {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 5))
        let values = [Double](repeating: value, count: 600)
        let lost = try told(values, contact: values.map { _ in false }, from: 6)
        #expect(!lost.hasVital)
        #expect(monitor.observe(lost, of: .aged(70)) == [.blind(since: time(6))])
        #expect(monitor.lastVitals[.heartRate]?.time ?? time(6) < time(6))
    }

    @Test("SOS-11: what a device does not say of contact its values say: zero is a lost sensor")
    func contactUntold() throws {
        var monitor = Monitor()
        #expect(try monitor.observe(told([0, 0, 0, 0], contact: nil), of: .aged(70)).isBlind)
        #expect(
            try monitor.observe(told([38, 38, 38, 38], contact: nil, from: 10), of: .aged(70)).dispatched.count == 1)
    }

    // MARK: What cannot be

    private func live(sent: Timestamp, from: Timestamp, offsets: [Int64], value: Double = 38) -> Observation? {
        let values = offsets.map { _ in value }
        return Observation(
            Ingestion.LiveSamples(
                accountID: watch, deviceID: watch, receivedAt: start, sentAt: sent,
                series: [
                    SampleSeries(type: .heartRate, start: from, offsets: offsets, values: values),
                    SampleSeries(
                        type: .position, start: from, offsets: offsets, latitudes: values, longitudes: values),
                    SampleSeries(type: .motion, start: from, offsets: offsets, values: offsets.map { _ in 9 }),
                ]), now: start, heldFor: .zero)
    }

    @Test(
        "SOS-02 SOS-05: times that cannot be are left out; no upload stops the watching of others",
        arguments: [
            "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-05-01T08:00:00Z", "9999-12-31T23:59:59Z",
        ])
    func impossibleTimes(_ sent: String) throws {
        let sent = try #require(Timestamp(sent))
        let wild: [Int64] = [
            0, 9_221_576_817_654_775, -9_221_576_817_654_775, 1_000_000_000_000, -300_000_000_000_000, .max, .min,
        ]
        for from in [sent, start, Timestamp("0001-01-01T00:00:00Z")!, Timestamp("9999-12-31T23:59:59Z")!] {
            var monitor = Monitor()
            if let seen = live(sent: sent, from: from, offsets: wild) {
                #expect(monitor.observe(seen, of: .aged(70)).dispatched.isEmpty)
            }
            let restored = try stored(monitor)
            #expect(restored == monitor)
            // Whatever was in it: what comes next is judged as ever, once the wrist has been still for 3 s.
            #expect(monitor.live(beats(38, from: 4, through: 8)).dispatched.count == 1)
        }
    }
}
