import Contracts
import Domain
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// Repetitive shaking: a convulsion is told, exercise and everyday life are not.
@Suite struct ShakingTests {
    /// One second of the device, with the heart's rate.
    private struct Second {
        var frequency: Double
        var amplitude: Double
        var heart: Double?
    }

    private func actions(
        _ seconds: [Second], from begin: Int = 0, _ monitor: inout Monitor, activity: Activity? = nil,
        wearer: Wearer = .aged(40)
    ) throws -> [MonitorAction] {
        var actions: [MonitorAction] = []
        for (index, second) in seconds.enumerated() {
            let at = time(Double(begin + index))
            var series = [
                SampleSeries(type: .shakingFrequency, start: at, offsets: [0], values: [second.frequency]),
                SampleSeries(type: .shakingAmplitude, start: at, offsets: [0], values: [second.amplitude]),
            ]
            if let heart = second.heart {
                series.append(.init(type: .heartRate, start: at, offsets: [0], values: [heart]))
            }
            if let activity {
                series.append(.init(type: .activity, start: at, offsets: [0], values: [activity.value]))
            }
            let live = Ingestion.LiveSamples(
                accountID: watch, deviceID: watch, receivedAt: at, sentAt: at, series: series)
            let seen = try #require(Observation(live, now: at, heldFor: .zero))
            actions += monitor.observe(seen, of: wearer)
        }
        return actions
    }

    /// Fast and strong at first, slower from second to second, with a heart that races.
    private func seizure(seconds: Int = 45, heart: Double? = 120) -> [Second] {
        (0..<seconds).map { second in
            let part = Double(second) / Double(seconds)
            return Second(frequency: 5.5 - 3 * part, amplitude: 0.6 + 0.6 * part, heart: heart)
        }
    }

    private let rest = [Second](repeating: Second(frequency: 0.5, amplitude: 0.02, heart: 68), count: 60)

    @Test("SOS-02d SOS-09c: a convulsion is told to the contacts within half a minute, once, and calls no ambulance")
    func convulsion() throws {
        var monitor = Monitor()
        #expect(try actions(rest, &monitor).isEmpty)
        let found = try actions(seizure(), from: 60, &monitor)
        let finding = try #require(found.toContacts.first)
        #expect(found.toContacts.count == 1 && found.dispatched.isEmpty)
        #expect(finding.type == .shakingAmplitude && finding.concern == .contacts && !finding.isDelayed)
        #expect(finding.firstCriticalAt == time(60))
        #expect(finding.confirmedAt <= time(90))
    }

    @Test("SOS-02d: it is found without a heart rate, and survives storage in the middle")
    func withoutHeart() throws {
        var monitor = Monitor()
        let seconds = seizure(heart: nil)
        _ = try actions(Array(seconds.prefix(8)), &monitor)
        monitor = try stored(monitor)
        let found = try actions(Array(seconds.dropFirst(8)), from: 8, &monitor)
        #expect(found.toContacts.count == 1 && found.toContacts.first?.firstCriticalAt == time(0))
    }

    @Test(
        "SOS-02d: who runs at 2.5 to 3 steps a second shakes, and is not convulsing, also when the watch does not know it"
    )
    func running() throws {
        var random = SeededGenerator(seed: 5)
        for activity in [Activity(.running, .outdoor), nil] {
            var monitor = Monitor()
            _ = try actions(rest, &monitor)
            let run = (0..<900).map { second in
                Second(
                    frequency: 2.8 + 0.05 * random.deviation(), amplitude: 1.4 + 0.2 * random.deviation(),
                    heart: min(150, 70 + Double(second)))
            }
            #expect(try actions(run, from: 60, &monitor, activity: activity).toContacts.isEmpty)
        }
    }

    @Test("SOS-02d: brushing teeth for two minutes, with pauses and slower strokes at the end, is none")
    func brushing() throws {
        var random = SeededGenerator(seed: 6)
        var monitor = Monitor()
        _ = try actions(rest, &monitor)
        let brushing = (0..<120).map { second in
            let pace = second < 60 ? 4.6 : second < 90 ? 4.0 : 3.4
            return second % 20 == 19
                ? Second(frequency: 1, amplitude: 0.1, heart: 74)
                : Second(frequency: pace + 0.15 * random.deviation(), amplitude: 0.7, heart: 74)
        }
        #expect(try actions(brushing, from: 60, &monitor).toContacts.isEmpty)
    }

    @Test("SOS-02d: weak tremor, short shaking and shaking of another frequency are none")
    func others() throws {
        for (frequency, amplitude, seconds) in [(5.0, 0.1, 120), (5.0, 0.8, 8), (9.0, 0.8, 60), (1.2, 1.5, 60)] {
            var monitor = Monitor()
            _ = try actions(rest, &monitor)
            let shaking = (0..<seconds).map {
                Second(frequency: frequency - 0.3 * frequency * Double($0) / Double(seconds), amplitude: amplitude)
            }
            #expect(try actions(shaking, from: 60, &monitor).toContacts.isEmpty, "\(frequency) \(amplitude) \(seconds)")
        }
    }

    @Test(
        "SOS-02d: an unsteady convulsion that does not slow down is told after half a minute, by the heart that races")
    func unsteady() throws {
        var random = SeededGenerator(seed: 7)
        var monitor = Monitor()
        _ = try actions(rest, &monitor)
        let shaking = (0..<60).map { _ in
            Second(frequency: 3.5 + 0.5 * random.deviation(), amplitude: 0.9, heart: 128)
        }
        #expect(try actions(shaking, from: 60, &monitor).toContacts.count == 1)
    }

    @Test("SOS-02d: frequency and amplitude that are not of the same second say nothing")
    func apart() throws {
        let at = time(0)
        let live = Ingestion.LiveSamples(
            accountID: watch, deviceID: watch, receivedAt: at, sentAt: at,
            series: [
                SampleSeries(type: .shakingFrequency, start: at, offsets: [-3000, -1000], values: [4, 4]),
                SampleSeries(type: .shakingAmplitude, start: at, offsets: [-2000, -1100], values: [0.8, 0.9]),
            ])
        let seen = try #require(Observation(live, now: at, heldFor: .zero))
        #expect(seen.shaking.map(\.amplitude) == [0.9])
        #expect(!seen.hasVital)
    }

    @Test(
        "SOS-02d: what was read minutes late is told to the contacts as late, what is older to nobody but in the report"
    )
    func late() throws {
        for (held, toContacts, reported) in [(60.0, 1, 0), (3600, 0, 1)] {
            var monitor = Monitor()
            let seconds = seizure(heart: nil)
            var found: [MonitorAction] = []
            for (index, second) in seconds.enumerated() {
                var seen = upload([], sent: Double(index), held: held)
                seen.shaking = [
                    .init(time: time(Double(index)), frequency: second.frequency, amplitude: second.amplitude)
                ]
                found += monitor.observe(seen, of: .aged(40))
            }
            #expect(found.toContacts.count == toContacts && found.reported.count == reported)
            let inTime = found.toContacts.filter { !$0.isDelayed }
            #expect(inTime.isEmpty)
        }
    }

    @Test("SOS-04d: a pulse that is the rhythm of the steps is none")
    func cadence() throws {
        var monitor = Monitor()
        _ = try actions(rest, &monitor)
        let crossed = (0..<120).map { _ in Second(frequency: 2.75, amplitude: 1.2, heart: 165) }
        #expect(try actions(crossed, from: 60, &monitor).dispatched.isEmpty)
    }

    /// Uploads of nine seconds each, in which the pulse is the number of steps a minute and a bit more.
    private func nineSeconds(from begin: Int, cadence: Double, _ monitor: inout Monitor) throws -> [MonitorAction] {
        let offsets = (0..<9).map { Int64($0) * 1000 }
        func series(_ type: DataType, _ value: Double) -> SampleSeries {
            SampleSeries(
                type: type, start: time(Double(begin)), offsets: offsets, values: offsets.map { _ in value })
        }
        let at = time(Double(begin + 8))
        let live = Ingestion.LiveSamples(
            accountID: watch, deviceID: watch, receivedAt: at, sentAt: at,
            series: [
                series(.heartRate, 165), series(.motion, 8), series(.shakingAmplitude, 1.2),
                series(.shakingFrequency, cadence / 60),
            ])
        return monitor.observe(try #require(Observation(live, now: at, heldFor: .zero)), of: .aged(85))
    }

    @Test(
        "SOS-04d SOS-05d: each pulse of an upload is compared with the steps of its own seconds; a fast heart beside other steps is found",
        arguments: [(162.0, true), (150, false)])
    func cadenceOfUploads(_ cadence: Double, isSteps: Bool) throws {
        var monitor = Monitor()
        var found: [Finding] = []
        for begin in stride(from: 0, to: 90, by: 9) {
            found += try nineSeconds(from: begin, cadence: cadence, &monitor).dispatched
        }
        #expect(found.isEmpty == isSteps)
    }
}
