import Domain
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// Random lives against a plain reading of the rule.
@Suite struct MonitorSimulationTests {
    /// The rule of SOS-04 by brute force: is there a run of critical samples of at least 3 and 3 s, no gap over 2 s?
    private func isEmergency(_ beats: [Beat]) -> Bool {
        let sorted = beats.sorted { $0.second < $1.second }
        for first in sorted.indices where sorted[first].value <= 40 {
            var last = first
            while last + 1 < sorted.count, sorted[last + 1].value <= 40,
                sorted[last + 1].second - sorted[last].second <= 2
            {
                last += 1
            }
            if last - first >= 2, sorted[last].second - sorted[first].second >= 3 { return true }
        }
        return false
    }

    private func life(_ random: inout SeededGenerator, seconds: Int) -> [Beat] {
        var beats: [Beat] = []
        var isLow = false
        let change = Double.random(in: 0.05...0.6, using: &random)
        for second in 0..<seconds {
            if Double.random(in: 0..<1, using: &random) < change { isLow.toggle() }
            if Double.random(in: 0..<1, using: &random) < 0.05 { continue }
            beats.append((Double(second), isLow ? 38 : 70))
        }
        return beats
    }

    @Test("SOS-04c SOS-05d: an incident arises if and only if the state lasted, in 2000 random lives")
    func equivalence() {
        var random = SeededGenerator(seed: 1)
        var emergencies = 0
        for _ in 0..<2000 {
            let beats = life(&random, seconds: 15)
            var monitor = Monitor()
            let found = !monitor.live(beats).dispatched.isEmpty
            let expected = isEmergency(beats)
            emergencies += expected ? 1 : 0
            #expect(found == expected, "\(beats)")
        }
        #expect((200...1800).contains(emergencies))
    }

    @Test("SOS-04: order and repetition of uploads within the fresh seconds change nothing about what is found")
    func orderAndRepetition() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1000 {
            let beats = life(&random, seconds: 9)
            guard let last = beats.last else { continue }
            var monitor = Monitor()
            var actions: [MonitorAction] = []
            // The newest normal beat first, so that no run is judged before all of it is there.
            for beat in (beats + beats).shuffled(using: &random) {
                actions += monitor.observe(upload([beat], sent: last.second), of: .aged(70))
            }
            let phase = monitor.phase
            var ordered = Monitor()
            _ = ordered.observe(upload(beats, sent: last.second), of: .aged(70))
            #expect(monitor.tracks.values.first?.runs.map(\.first) == ordered.tracks.values.first?.runs.map(\.first))
            if isEmergency(beats) { #expect(!actions.dispatched.isEmpty) }
            #expect((phase == .normal) == (ordered.phase == .normal))
        }
    }

    @Test("SOS-04d SOS-11: a month of a healthy heart with wrong readings and lost contact raises nothing")
    func healthyMonth() {
        var random = SeededGenerator(seed: 3)
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        var wasWrong = false
        for minute in 0..<(30 * 24) {
            // A minute of each hour, second by second.
            let begin = Double(minute) * 3600
            var batch: [Beat] = []
            for second in 0..<60 {
                let isWrong: Bool = !wasWrong && Int.random(in: 0..<20, using: &random) == 0
                let wrong: Double = [0.0, 12, 255, 299].randomElement(using: &random) ?? 0
                let usual = Double.random(in: 55...110, using: &random)
                batch.append((begin + Double(second), isWrong ? wrong : usual))
                wasWrong = isWrong
            }
            for chunk in stride(from: 0, to: 60, by: 5) {
                actions += monitor.observe(upload(Array(batch[chunk..<chunk + 5])), of: .aged(80))
            }
        }
        #expect(actions.dispatched.isEmpty && actions.reported.isEmpty && !actions.isBlind)
    }

    @Test(
        "SOS-05: at every rate from 1 to 5 per second an emergency is found with its first sample after 3 s",
        arguments: [
            1.0, 0.5, 1.0 / 3, 0.25, 0.2,
        ])
    func latency(_ period: Double) {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 20, every: period))
        let finding = monitor.live(beats(200, from: 30, through: 40, every: period)).dispatched.first
        let lasted = finding.map { $0.confirmedAt - $0.firstCriticalAt } ?? .zero
        #expect(lasted >= .seconds(3) && lasted <= .seconds(3) + .milliseconds(Int64(period * 1000)))
    }
}
