import Contracts
import Domain
import Primitives

/// What one upload says of a watched person. Times of samples are of the device's clock: how old one was when ingestion
/// received it is `sentAt` minus its time, and how long ago that is tells the feed, so that no two machines' clocks have to
/// agree.
struct Observation: Sendable {
    /// With at least this motion (root mean square, m/s²) a person exercises.
    static let exerciseMotion = 3.0
    /// The data types that it is made of: what rule sets judge, and what tells where the person is and whether in motion.
    static let types = DataType.allCases.filter { $0.isVitalSign || $0 == .position || $0 == .activity }
    /// No device's clock is further off: 1900 to 2200. Within these years nothing that is computed here overflows, and
    /// all can be stored.
    static let times = Timestamp(microseconds: -2_208_988_800_000_000)...Timestamp(microseconds: 7_258_118_400_000_000)

    /// One reading of a vital sign.
    struct Vital: Sendable, Equatable {
        let sample: Measurement
        /// Whether the sensor touched the person: without it the value, whatever it is, says nothing of the person.
        let hasContact: Bool

        var type: DataType { sample.type }
        var time: Timestamp { sample.time }
        var value: Double { sample.value }

        /// `contact` is what the device says. When it says nothing, 0 is what a sensor without contact gives; only of stress is
        /// it a value (SOS-11).
        init(_ sample: Measurement, contact: Bool? = nil) {
            self.sample = sample
            hasContact = contact ?? (sample.value != 0 || sample.type == .stressLevel)
        }
    }

    var source: UUID
    /// When ingestion received it, by the clock of this service's database: its time now less `heldFor`.
    var receivedAt: Timestamp
    /// How long ago that was when the upload was read here.
    var heldFor: Duration
    var sentAt: Timestamp
    /// Vital signs that are plausible, in canonical units, in the order of their times.
    var vitals: [Vital] = []
    var fixes: [PositionFix] = []
    /// When the person was exercising.
    var exercise: [Timestamp] = []

    init(
        source: UUID, receivedAt: Timestamp, sentAt: Timestamp, heldFor: Duration = .zero, vitals: [Vital] = []
    ) {
        self.source = source
        self.receivedAt = receivedAt
        self.heldFor = heldFor
        self.sentAt = sentAt
        self.vitals = vitals.sorted { $0.time < $1.time }
    }

    /// Impossible values and times are left out: they are neither critical nor normal. `nil` when the time of sending
    /// is impossible, so that nothing is known of the samples' age. `now` is the time of this service's database;
    /// ingestion received the upload `heldFor` ago.
    init?(_ live: Ingestion.LiveSamples, now: Timestamp, heldFor: Duration) {
        guard Self.times.contains(live.sentAt) else { return nil }
        self.init(source: live.deviceID, receivedAt: now - heldFor, sentAt: live.sentAt, heldFor: heldFor)
        for series in live.series where series.shapeError == nil {
            if series.type == .position { add(positions: series) } else { add(values: series) }
        }
        vitals.sort { $0.time < $1.time }
        fixes.sort { $0.time < $1.time }
    }

    private mutating func add(positions series: SampleSeries) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        for index in 0..<series.count {
            guard let time = Self.time(index, of: series) else { continue }
            let fix = try? PositionFix(
                time: time, latitude: latitudes[index], longitude: longitudes[index],
                altitude: series.altitudes?[index], accuracy: series.accuracies?[index], clock: nil)
            if let fix { fixes.append(fix) }
        }
    }

    private mutating func add(values series: SampleSeries) {
        let isState = series.type == .activity
        guard series.type.isVitalSign || isState, let values = series.values else { return }
        for index in 0..<series.count {
            guard let time = Self.time(index, of: series) else { continue }
            let sample = try? Measurement(
                type: series.type, time: time, value: values[index], unit: series.unit, clock: nil)
            guard let sample else { continue }
            switch sample.type {
            case .activity: if Self.isExercise(sample.value) { exercise.append(sample.time) }
            case .motion: if sample.value >= Self.exerciseMotion { exercise.append(sample.time) }
            default: vitals.append(Vital(sample, contact: series.contact?[index]))
            }
        }
    }

    private static func time(_ index: Int, of series: SampleSeries) -> Timestamp? {
        let time = series.time(index)
        return times.contains(time) ? time : nil
    }

    /// Whether a vital sign was seen: positions, and the readings of a sensor without contact, say nothing of the person.
    var hasVital: Bool { vitals.contains(where: \.hasContact) }

    private static func isExercise(_ value: Double) -> Bool {
        switch Activity(value: value)?.kind {
        case .running, .cycling, .swimming, .hiking, .rowing, .strengthTraining, .dancing, .skiing, .walking: true
        case .still, .driving, .other, nil: false
        }
    }

    /// The time at which it is read, by the database's clock.
    var now: Timestamp { receivedAt + heldFor }

    /// How old a sample is now. A clock that is ahead makes it new, never lost.
    func age(of time: Timestamp) -> Duration { ageAtReceipt(of: time) + heldFor }

    /// The time by the clock of this service's database.
    func corrected(_ time: Timestamp) -> Timestamp { receivedAt - ageAtReceipt(of: time) }

    private func ageAtReceipt(of time: Timestamp) -> Duration { max(.zero, sentAt - time) }
}
