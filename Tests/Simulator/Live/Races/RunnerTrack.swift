import Contracts
import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// What watch and phone of a runner measure: one fix and one heart rate a second, with the noise of receivers. What could not be
/// sent yet is kept: at most what a run has seconds.
struct RunnerTrack: Sendable {
    private let plan: RunnerPlan
    private let line: Polyline
    private let start: Timestamp
    private var noise = PositionNoise()
    private var generator: SeededGenerator
    /// Of the next fix, in seconds from the start.
    private var next = Int(RunnerPlan.begin)
    private var times: [Timestamp] = []
    private var fixes: [(coordinate: Coordinate, accuracy: Double)] = []
    private var rates: [Double] = []

    init(_ plan: RunnerPlan, along line: Polyline, from start: Timestamp, using generator: SeededGenerator) {
        self.plan = plan
        self.line = line
        self.start = start
        self.generator = generator
    }

    /// Measures until a time.
    mutating func measure(before now: Timestamp) {
        while Double(next) < plan.ends {
            let time = start + .seconds(next)
            guard time < now else { return }
            let seconds = Double(next)
            times.append(time)
            fixes.append(noise.next(line.point(at: plan.distance(at: seconds)), seconds: 1, using: &generator))
            rates.append((plan.heartRate(at: seconds) + 2 * generator.deviation()).rounded())
            next += 1
        }
    }

    /// Heart rates and positions that are not sent yet.
    var unsent: (rates: [SampleSeries], positions: [SampleSeries]) {
        guard let first = times.first else { return ([], []) }
        let offsets = times.map { ($0 - first).milliseconds }
        return (
            [SampleSeries(type: .heartRate, start: first, offsets: offsets, values: rates)],
            [
                SampleSeries(
                    type: .position, start: first, offsets: offsets, latitudes: fixes.map(\.coordinate.latitude),
                    longitudes: fixes.map(\.coordinate.longitude), accuracies: fixes.map(\.accuracy))
            ]
        )
    }

    mutating func sent() {
        times = []
        fixes = []
        rates = []
    }
}
