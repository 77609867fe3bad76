import Contracts
import Domain
import Primitives

/// What one upload says of a watched person. Times are of the device's clock: how old a sample was is `sentAt` minus its
/// time, so that no two machines' clocks have to agree.
struct Observation: Sendable {
    /// Shaken or moved at least so strongly (root mean square, m/s²), a person exercises.
    static let exerciseMotion = 3.0

    var source: UUID
    var receivedAt: Timestamp
    var sentAt: Timestamp
    /// Vital signs that are plausible, in canonical units, in the order of their times.
    var vitals: [Measurement] = []
    var fixes: [PositionFix] = []
    /// When the person was exercising.
    var exercise: [Timestamp] = []

    init(source: UUID, receivedAt: Timestamp, sentAt: Timestamp, vitals: [Measurement] = []) {
        self.source = source
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.vitals = vitals.sorted { $0.time < $1.time }
    }

    /// Values that cannot be are left out: they are neither critical nor normal.
    init(_ live: Ingestion.LiveSamples) {
        self.init(source: live.deviceID, receivedAt: live.receivedAt, sentAt: live.sentAt)
        for series in live.series where series.shapeError == nil {
            if series.type == .position { take(positions: series) } else { take(values: series) }
        }
        vitals.sort { $0.time < $1.time }
        fixes.sort { $0.time < $1.time }
    }

    private mutating func take(positions series: SampleSeries) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        for index in 0..<series.count {
            let fix = try? PositionFix(
                time: series.time(index), latitude: latitudes[index], longitude: longitudes[index],
                altitude: series.altitudes?[index], accuracy: series.accuracies?[index], clock: nil)
            if let fix { fixes.append(fix) }
        }
    }

    private mutating func take(values series: SampleSeries) {
        let isState = series.type == .activity
        guard series.type.isVitalSign || isState, let values = series.values else { return }
        for index in 0..<series.count {
            let sample = try? Measurement(
                type: series.type, time: series.time(index), value: values[index], unit: series.unit, clock: nil)
            guard let sample else { continue }
            switch sample.type {
            case .activity: if Self.isExercise(sample.value) { exercise.append(sample.time) }
            case .motion: if sample.value >= Self.exerciseMotion { exercise.append(sample.time) }
            default: vitals.append(sample)
            }
        }
    }

    private static func isExercise(_ value: Double) -> Bool {
        switch Activity(value: value)?.kind {
        case .running, .cycling, .swimming, .hiking, .rowing, .strengthTraining, .dancing, .skiing, .walking: true
        case .still, .driving, .other, nil: false
        }
    }

    /// How old a sample was when it was received. A clock that is ahead makes it new, never lost.
    func age(of time: Timestamp) -> Duration { max(.zero, sentAt - time) }

    /// The time by the clock of the ingestion service.
    func corrected(_ time: Timestamp) -> Timestamp { receivedAt - age(of: time) }
}
