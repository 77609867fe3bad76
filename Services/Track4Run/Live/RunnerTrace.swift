import Contracts
import Domain
import Primitives

/// What a runner's devices have measured in the time of a run, applied in the order of the times.
///
/// Times are by the clock of the ingestion service: when samples were received, less their age by the device's clock
/// when they were sent. So clocks need not agree. A sample from the future of its own device counts as measured when it
/// was sent.
struct RunnerTrace: Sendable {
    /// The greatest age of a sample when it was sent.
    private static let ageMax = Duration.seconds(400 * 86_400)

    private let showsHeartRate: Bool
    private let start: Timestamp
    private let end: Timestamp
    private var fixes: [PositionFix] = []
    private var heartRates: [(time: Timestamp, value: Double)] = []

    init(of runner: RunState.Runner, from start: Timestamp, to end: Timestamp) {
        showsHeartRate = runner.showsHeartRate
        self.start = start
        self.end = min(end, runner.leftAt ?? end)
    }

    var count: Int { fixes.count + heartRates.count }

    mutating func add(_ samples: Ingestion.LiveSamples) {
        for series in samples.series where series.shapeError == nil {
            switch series.type {
            case .position: add(positions: series, samples)
            case .heartRate where showsHeartRate: add(heartRates: series, samples)
            default: continue
            }
        }
    }

    private mutating func add(positions series: SampleSeries, _ samples: Ingestion.LiveSamples) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        for index in series.offsets.indices {
            guard let time = time(index, of: series, in: samples),
                let coordinate = Coordinate(latitude: latitudes[index], longitude: longitudes[index])
            else { continue }
            fixes.append(PositionFix(time: time, coordinate: coordinate, accuracy: series.accuracies?[index]))
        }
    }

    private mutating func add(heartRates series: SampleSeries, _ samples: Ingestion.LiveSamples) {
        guard let values = series.values else { return }
        // A reading without contact is no value of the runner.
        for index in series.offsets.indices where series.hasContact(index) {
            if let time = time(index, of: series, in: samples) { heartRates.append((time, values[index])) }
        }
    }

    /// `nil` outside the time of the run.
    private func time(_ index: Int, of series: SampleSeries, in samples: Ingestion.LiveSamples) -> Timestamp? {
        let time = min(series.time(index), samples.sentAt)
        // Older samples belong to no run; within this age no sum overflows.
        guard time >= samples.sentAt - Self.ageMax else { return nil }
        let corrected = samples.receivedAt - (samples.sentAt - time)
        return corrected > start && corrected <= end ? corrected : nil
    }

    /// Applies the trace; returns whether fixes belong between others that the progress knows.
    mutating func apply(to progress: inout RunnerProgress, on course: Course, rules: RunnerRules) -> Bool {
        fixes.sort { $0.time < $1.time }
        heartRates.sort { $0.time < $1.time }
        var isOutOfOrder = false
        for fix in fixes where progress.apply(fix, on: course, rules: rules) == .outOfOrder { isOutOfOrder = true }
        let finish = progress.finishedAt ?? end
        for (time, value) in heartRates where time <= finish { progress.apply(heartRate: value, at: time) }
        return isOutOfOrder
    }
}
