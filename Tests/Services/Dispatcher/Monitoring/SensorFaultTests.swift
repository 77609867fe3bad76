import Domain
import Glibc
import Primitives
import Testing

@testable import Dispatcher

/// Readings that are none of the person, and readings that are doubtful.
@Suite struct SensorFaultTests {
    private func seconds(_ value: Double, _ range: ClosedRange<Int>) -> [Beat] {
        range.map { (Double($0), value) }
    }

    // MARK: Flat lines

    @Test("SOS-11b: a heart rate that does not change at all for a quarter of an hour is a faulty sensor: blind")
    func flat() {
        var monitor = Monitor()
        let actions = monitor.live(seconds(62, 0...1200))
        #expect(actions == [.blind(since: time(900.1))])
        #expect(monitor.live([(1201, 63)]) == [.sighted])
    }

    @Test(
        "SOS-11: a heart rate that changes by a beat now and then is none, and neither is a saturation of 98 for hours")
    func living() {
        var monitor = Monitor()
        let beats = (0...3600).map { (Double($0), $0 % 500 == 0 ? 61.0 : 60) }
        #expect(monitor.live(beats).isEmpty)
        var saturation = Monitor()
        #expect(saturation.live(seconds(98, 0...3600), type: .oxygenSaturation).isEmpty)
    }

    @Test("SOS-05d: a critical value that never changes is an emergency, not a fault")
    func flatAndCritical() {
        var monitor = Monitor()
        let actions = monitor.live(seconds(36, 0...1800))
        #expect(actions.dispatched.count == 1 && !actions.isBlind && monitor.phase == .confirmed)
    }

    @Test("SOS-11: with another sensor that lives the person is not blind; a pacemaker keeps its rate for hours")
    func notBlind() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<1500 {
            actions += monitor.observe(upload([(Double(second), 62)], source: watch), of: .aged(70))
            let other = Double(60 + second % 3)
            actions += monitor.observe(upload([(Double(second) + 0.4, other)], source: phone), of: .aged(70))
        }
        #expect(actions.isEmpty)
        var paced = Wearer.aged(80)
        paced.thresholds = PersonalThresholds(hasPacemaker: true, doctor: .init(name: "Dr. Anna Verdi"))
        var patient = Monitor()
        #expect(patient.live(seconds(60, 0...3600), of: paced).isEmpty)
    }

    // MARK: Contact

    @Test(
        "SOS-04d SOS-11b: a sensor that finds contact and loses it again, and reads nonsense between, is loose: blind")
    func flapping() {
        var monitor = Monitor()
        _ = monitor.live(seconds(70, 0...9))
        // Two of three readings without contact, the third beyond all limits.
        let beats = (10...120).map { (Double($0), $0 % 3 == 0 ? 180.0 : 0) }
        let actions = monitor.live(beats)
        #expect(actions.dispatched.isEmpty && actions.isBlind)
        #expect(monitor.live(seconds(70, 121...160)).contains(.sighted))
        #expect(monitor.live(seconds(38, 161...165)).dispatched.count == 1)
    }

    @Test("SOS-04d: what jumps from one extreme to the other is no state")
    func extremes() {
        var monitor = Monitor()
        #expect(monitor.live((0...60).map { (Double($0), $0 % 2 == 0 ? 20.0 : 200) }).dispatched.isEmpty)
    }

    @Test(
        "SOS-04d: nonsense of an oximeter that comes off, with a single reading without contact in it, is no emergency",
        arguments: [(DataType.oxygenSaturation, 97.0), (.respirationRate, 15)])
    func comesOff(_ type: DataType, _ usual: Double) {
        let nonsense: [Double] =
            type == .oxygenSaturation ? [88, 73, 0, 90, 0, 0, 81, 0, 0] : [38, 31, 0, 36, 0, 0, 33, 0, 0]
        var monitor = Monitor()
        _ = monitor.live(seconds(usual, 0...9), type: type)
        let beats = nonsense.enumerated().map { (10 + Double($0.offset), $0.element) }
        #expect(monitor.live(beats, type: type).dispatched.isEmpty)
    }

    @Test("SOS-05d: an emergency with a single reading without contact in it is found within 7 s")
    func oneLoss() {
        var monitor = Monitor()
        _ = monitor.live(seconds(97, 0...9), type: .oxygenSaturation)
        let beats = seconds(85, 10...11) + [(12, 0)] + seconds(85, 13...20)
        let finding = monitor.live(beats, type: .oxygenSaturation).dispatched.first
        #expect(finding?.firstCriticalAt == time(10.1))
        #expect(finding.map { $0.confirmedAt <= time(17.1) } == true)
    }

    // MARK: Thermometer

    @Test(
        "SOS-11: a thermometer that comes loose shows the air: blind, and no hypothermia, however long it hangs there")
    func loose() {
        var monitor = Monitor()
        let warm = stride(from: 0.0, through: 1800, by: 60).map { ($0, 36.6) }
        #expect(monitor.live(warm, type: .bodyTemperature).isEmpty)
        let air = stride(from: 1860.0, through: 9000, by: 60).map { ($0, 29.5) }
        let actions = monitor.live(air, type: .bodyTemperature)
        #expect(actions.dispatched.isEmpty && actions.isBlind)
        #expect(monitor.live([(9060, 36.4)], type: .bodyTemperature) == [.sighted])
    }

    @Test("SOS-11: a thermometer that cools within a quarter of an hour is loose, too")
    func looseSlowly() {
        var monitor = Monitor()
        let warm = stride(from: 0.0, through: 600, by: 30).map { ($0, 36.6) }
        let falling = stride(from: 30.0, through: 3600, by: 30).map { (600 + $0, 30 + 6.6 * exp(-$0 / 600)) }
        let actions = monitor.live(warm + falling, type: .bodyTemperature)
        #expect(actions.dispatched.isEmpty && actions.isBlind)
    }

    @Test("SOS-11: a thermometer that is put on again after hours begins with the air: it is believed once it was warm")
    func putOnAgain() {
        var monitor = Monitor()
        _ = monitor.live(stride(from: 0.0, through: 600, by: 60).map { ($0, 36.6) }, type: .bodyTemperature)
        let cold = stride(from: 10_000.0, through: 11_800, by: 60).map { ($0, 29.0) }
        #expect(monitor.live(cold, type: .bodyTemperature).dispatched.isEmpty)
        let falling = (0..<60).map { (12_000 + Double($0) * 60, 36.6 - Double($0) * 0.05) }
        #expect(monitor.live(falling, type: .bodyTemperature).dispatched.count == 1)
    }

    /// A thermometer that nears what it touches with a delay of 400 s, each second of a range.
    private func approach(_ end: Double, from begin: Double, _ range: ClosedRange<Int>, after: Double) -> [Beat] {
        range.map { (after + Double($0), end + (begin - end) * exp(-Double($0) / 400)) }
    }

    @Test("SOS-04d SOS-11: a thermometer that is put on after half an hour warms up: neither an emergency nor blind")
    func warmingUp() {
        var monitor = Monitor()
        _ = monitor.live(stride(from: 0.0, through: 600, by: 30).map { ($0, 36.6) }, type: .bodyTemperature)
        // Each second, with a sensor's noise, from a warm charger's 31 °C.
        let warming = approach(36.6, from: 31, 0...1800, after: 2400).map { beat in
            (beat.second, beat.value + (Int(beat.second) % 9 < 5 ? -0.03 : 0.03))
        }
        #expect(monitor.live(warming, type: .bodyTemperature).isEmpty)
        #expect(monitor.live((0...60).map { (4300 + Double($0), 34.0) }, type: .bodyTemperature).isEmpty)
    }

    @Test(
        "SOS-04d: who enrols, or ends a pause, and then puts on a cold watch is no emergency; who is cold and worn is one"
    )
    func firstReadings() {
        var monitor = Monitor()
        #expect(monitor.live(approach(36.6, from: 23, 0...1800, after: 0), type: .bodyTemperature).isEmpty)
        var cold = Monitor()
        #expect(cold.live((0...10).map { (Double($0), 33.0) }, type: .bodyTemperature).dispatched.count == 1)
    }

    @Test("SOS-04d: a thermometer that comes off again as soon as it was warm shows the air, too")
    func offAgain() {
        var monitor = Monitor()
        _ = monitor.live(stride(from: 0.0, through: 600, by: 30).map { ($0, 36.6) }, type: .bodyTemperature)
        let warming = approach(36.6, from: 31, 0...780, after: 2400)
        let falling = approach(23, from: 35.8, 1...300, after: 3180)
        #expect(monitor.live(warming + falling, type: .bodyTemperature).dispatched.isEmpty)
    }

    @Test("SOS-02b: a thermometer that slips for some seconds hides no body that cools")
    func slipWhileCooling() {
        var monitor = Monitor()
        // 3 °C an hour, each 5 s, from 35.6 on; no contact for 20 s at 35.3.
        let cooling = (0..<200).map { index -> Beat in
            let second = Double(index) * 5
            return (second, (72..<76).contains(index) ? 0 : 35.6 - second / 1200)
        }
        #expect(monitor.live(cooling, type: .bodyTemperature).dispatched.count == 1)
    }

    @Test(
        "SOS-02b: a thermometer that measures every half hour, or was away for five minutes, is believed",
        arguments: [(1800.0, 1800.0), (30, 300)])
    func afterSilence(_ period: Double, _ silence: Double) {
        var monitor = Monitor()
        let calm = (0...5).map { (Double($0) * period, 36.0 - Double($0) * 0.01) }
        _ = monitor.live(calm, type: .bodyTemperature)
        let cold = (0...2).map { (5 * period + silence + Double($0) * period, 34.9 - Double($0) * 0.1) }
        #expect(monitor.live(cold, type: .bodyTemperature).dispatched.count == 1)
    }

    @Test("SOS-02b: a body that cools by 3 °C an hour is found")
    func cooling() {
        var monitor = Monitor()
        let falling = (0..<60).map { (Double($0) * 60, 36.6 - Double($0) * 0.05) }
        let actions = monitor.live(falling, type: .bodyTemperature)
        #expect(actions.dispatched.count == 1 && !actions.isBlind)
    }

    // MARK: Doubt

    /// Heart rates with a wrist that moves in each second of `moving`.
    private func observed(
        _ beats: [Beat], moving: ClosedRange<Int>, _ monitor: inout Monitor, type: DataType = .heartRate
    ) -> [MonitorAction] {
        beats.flatMap { beat in
            var seen = upload([beat], type: type)
            if moving.contains(Int(beat.second)) { seen.unrest = [time(beat.second)] }
            return monitor.observe(seen, of: .aged(70))
        }
    }

    @Test(
        "SOS-04d: a burst of motion artefacts that lasts up to 20 s raises nothing; a pulse alerts the device all the same",
        arguments: [DataType.heartRate, .oxygenSaturation, .respirationRate])
    func burst(_ type: DataType) {
        let values: [DataType: (Double, Double)] = [
            .heartRate: (70, 165), .oxygenSaturation: (97, 82), .respirationRate: (15, 40),
        ]
        let (usual, wrong) = values[type] ?? (0, 0)
        var monitor = Monitor()
        let beats = seconds(usual, 0...9) + seconds(wrong, 10...30) + seconds(usual, 31...40)
        let actions = observed(beats, moving: 8...31, &monitor, type: type)
        #expect(actions.dispatched.isEmpty && actions.contains(.alert) == (type == .heartRate))
    }

    /// One upload with movement in some of its seconds.
    private func batch(_ beats: [Beat], moving: [Double], type: DataType) -> Observation {
        var seen = upload(beats, type: type)
        seen.unrest = moving.map(time)
        return seen
    }

    @Test(
        "SOS-04d: each reading of an upload is judged by the movement around it, also when later seconds moved again",
        arguments: [DataType.oxygenSaturation, .respirationRate])
    func movedTwice(_ type: DataType) {
        let (usual, wrong) = type == .oxygenSaturation ? (97.0, 76.0) : (15, 38)
        var monitor = Monitor()
        _ = monitor.live(seconds(usual, 0...9), type: type)
        // The link was down from 14 to 18.
        let first = monitor.observe(
            batch(seconds(wrong, 10...13) + [(19, wrong)], moving: [10, 11, 12, 13, 19], type: type), of: .aged(70))
        #expect(first.isEmpty)
        // The hand came to rest at 19, and moves once more at the end of the upload.
        let next = monitor.observe(
            batch(seconds(wrong, 20...22) + seconds(usual, 23...28), moving: [28], type: type), of: .aged(70))
        #expect(next.isEmpty)
        let still = monitor.observe(batch(seconds(wrong, 32...36), moving: [], type: type), of: .aged(70))
        #expect(still.dispatched.count == 1)
    }

    @Test("SOS-05d: what is critical between two movements of one upload, while the wrist is still, is found")
    func stillBetween() {
        var monitor = Monitor()
        _ = monitor.live(seconds(97, 0...9), type: .oxygenSaturation)
        let seen = batch(seconds(82, 10...30), moving: [10, 30], type: .oxygenSaturation)
        let finding = monitor.observe(seen, of: .aged(70)).dispatched.first
        #expect(finding?.firstCriticalAt == time(14.1) && finding?.confirmedAt == time(17.1))
    }

    @Test("SOS-05d: what lasts is an emergency also while the wrist moves, after 25 s")
    func convulsing() {
        var monitor = Monitor()
        let actions = observed(seconds(70, 0...9) + seconds(170, 10...40), moving: 8...60, &monitor)
        let finding = actions.dispatched.first
        #expect(finding.map { $0.confirmedAt - $0.firstCriticalAt } == .seconds(25))
    }

    @Test("SOS-05a: once the wrist is still again three seconds are enough")
    func stillAgain() {
        var monitor = Monitor()
        let actions = observed(seconds(70, 0...9) + seconds(38, 10...40), moving: 8...10, &monitor)
        let finding = actions.dispatched.first
        #expect(finding.map { $0.confirmedAt - $0.firstCriticalAt <= .seconds(8) } == true)
    }

    @Test("SOS-04d: the first readings after a sensor slipped are doubtful")
    func settling() {
        var monitor = Monitor()
        let actions = monitor.live(seconds(70, 0...5) + seconds(0, 6...7) + seconds(30, 8...11) + seconds(70, 12...20))
        #expect(actions.dispatched.isEmpty)
    }
}
