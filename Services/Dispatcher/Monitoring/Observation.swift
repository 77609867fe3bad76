import Contracts
import Domain
import Primitives

/// What one upload says of a watched person. Times of samples are of the device's clock: how old one was when ingestion
/// received it is `sentAt` minus its time, and how long ago that is tells the feed, so that no two machines' clocks have to
/// agree.
struct Observation: Sendable {
    /// With at least this motion (root mean square, m/s²) a person exercises.
    static let exerciseMotion = 3.0
    /// The data types that it is made of: what rule sets judge, and what tells where the person is, whether in motion, and
    /// whether asleep.
    static let types = DataType.allCases.filter {
        $0.isVitalSign || $0 == .position || $0 == .activity || $0 == .sleep
    }
    /// With at least this motion an optical sensor's readings are doubtful: the wrist is being moved.
    static let unrestMotion = 1.0
    /// With at most this motion a person lies or sits still.
    static let stillMotion = 0.3
    /// Frequency and amplitude of one second are at most so far from each other.
    private static let shakingPairMax = Duration.milliseconds(500)
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
    /// Ingestion has not stored it.
    var isProvisional = false
    /// Vital signs that are plausible, in canonical units, in the order of their times.
    var vitals: [Vital] = []
    var fixes: [PositionFix] = []
    /// When the person was exercising, by activities and strong motion …
    var exercise: [Timestamp] = []
    /// … and by activities alone.
    var activity: [Timestamp] = []
    /// When the wrist was moved.
    var unrest: [Timestamp] = []
    /// When the person lay or sat still.
    var still: [Timestamp] = []
    /// When the person slept.
    var sleep: [ClosedRange<Timestamp>] = []
    /// In the order of their times.
    var shaking: [ShakingWatch.Reading] = []
    /// Of the device's clock from UTC.
    var zoneMinutes: Int?

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
        var (frequencies, amplitudes): ([Measurement], [Measurement]) = ([], [])
        for series in live.series where series.shapeError == nil {
            if let zone = series.zoneOffset { zoneMinutes = Int(zone.minutes) }
            switch series.type {
            case .position: add(positions: series)
            case .sleep: add(sleep: series)
            case .shakingFrequency: frequencies += Self.measurements(of: series).map(\.sample)
            case .shakingAmplitude: amplitudes += Self.measurements(of: series).map(\.sample)
            default: add(values: series)
            }
        }
        add(frequencies: frequencies, amplitudes)
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
        guard series.type.isVitalSign || series.type == .activity else { return }
        for (index, sample) in Self.measurements(of: series) {
            switch sample.type {
            case .activity: add(activity: sample)
            case .motion: add(motion: sample)
            default: vitals.append(Vital(sample, contact: series.contact?[index]))
            }
        }
    }

    private mutating func add(activity sample: Measurement) {
        if Self.isExercise(sample.value) {
            exercise.append(sample.time)
            activity.append(sample.time)
        } else if Activity(value: sample.value)?.kind == .still {
            still.append(sample.time)
        }
    }

    private mutating func add(motion sample: Measurement) {
        if sample.value >= Self.exerciseMotion { exercise.append(sample.time) }
        if sample.value >= Self.unrestMotion { unrest.append(sample.time) }
        if sample.value <= Self.stillMotion { still.append(sample.time) }
    }

    private mutating func add(sleep series: SampleSeries) {
        for (index, sample) in Self.measurements(of: series) where sample.value > 0 {
            let end = sample.time.adding(milliseconds: max(0, series.durations?[index] ?? 0))
            sleep.append(sample.time...min(max(sample.time, end), max(sample.time, sentAt)))
        }
    }

    /// Pairs what a device says of one second; strong shaking is unrest.
    private mutating func add(frequencies: [Measurement], _ amplitudes: [Measurement]) {
        let amplitudes = amplitudes.sorted { $0.time < $1.time }
        var next = 0
        for frequency in frequencies.sorted(by: { $0.time < $1.time }) {
            while next < amplitudes.count, frequency.time - amplitudes[next].time > Self.shakingPairMax { next += 1 }
            guard next < amplitudes.count else { return }
            let amplitude = amplitudes[next]
            guard amplitude.time - frequency.time <= Self.shakingPairMax else { continue }
            shaking.append(
                .init(time: min(frequency.time, sentAt), frequency: frequency.value, amplitude: amplitude.value))
            if amplitude.value >= ShakingWatch.amplitudeMin { unrest.append(frequency.time) }
        }
    }

    /// The plausible ones, with their places in the series.
    private static func measurements(of series: SampleSeries) -> [(index: Int, sample: Measurement)] {
        guard let values = series.values else { return [] }
        return (0..<series.count).compactMap { index in
            guard let time = time(index, of: series),
                let sample = try? Measurement(
                    type: series.type, time: time, value: values[index], unit: series.unit, clock: nil)
            else { return nil }
            return (index, sample)
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
