import Domain
import Primitives

/// Finds the repetitive shaking of a convulsion in what a device tells each second: the dominant frequency and the amplitude of
/// its acceleration (SOS-02d). It tells the contacts alone (SOS-09c): a seizure that ends by itself needs somebody who looks.
///
/// The clonic phase of a tonic-clonic seizure beats at a few Hz, and slows down until it ends; seizures last a minute on average
/// (Theodore and others, Neurology 1994, 44:1403), and wrist accelerometers find nine of ten by strong rhythmic movement that
/// goes on (Beniczky and others, Epilepsia 2013, 54:e58). Heart rates rise in nearly all of them (Eggleston, Olin and Fisher,
/// Seizure 2014, 23:496). Who brushes teeth or runs keeps a rhythm for minutes. So it is a convulsion when the device says
/// nothing of exercise, and either the beat becomes slower while the heart, where it is seen, beats faster than before, or an
/// unsteady beat goes on for half a minute with a faster heart. The papers' devices keep their own amplitude limits to
/// themselves: 0.3 g is ours, above what hands do at rest, and below what strokes of a limb of a centimetre give at 4 Hz.
struct ShakingWatch: Sendable, Equatable {
    /// One second of a device.
    struct Reading: Sendable, Equatable {
        var time: Timestamp
        /// In Hz.
        var frequency: Double
        /// In parts of gravity.
        var amplitude: Double

        var isShaking: Bool { frequencies.contains(frequency) && amplitude >= amplitudeMin }
        /// In tenths of a Hz.
        var beat: UInt8 { UInt8((frequency * 10).rounded()) }
    }

    static let frequencies = 2.0...6.0
    static let amplitudeMin = 0.3
    static let durationMin = Duration.seconds(10)
    static let longMin = Duration.seconds(30)
    /// The mean frequency of the last third, in parts of that of the first, at most.
    static let slowing = 0.85
    /// Standard deviation in parts of the mean: a runner's or a brusher's is smaller.
    static let unsteadiness = 0.08
    /// Beats per minute above the time before.
    static let heartRise = 15.0
    /// Readings that are missing or other ones for so long do not end a stretch.
    private static let gapMax = Duration.seconds(3)
    /// Readings that make up at least this part of a stretch's seconds.
    private static let coverage = 0.7
    private static let readingsMax = 60
    /// The level of the heart follows its rate with this memory.
    private static let heartMemory = 600.0
    /// The rule counts as available for so long after a reading.
    static let availableFor = Duration.seconds(86_400)

    /// The device whose readings are followed, as long as it gives them.
    private(set) var source: UUID?
    /// The last reading, by the database's clock.
    private(set) var seenAt: Timestamp?
    /// Of the stretch that goes on, by the source's clock.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
    /// In tenths of a Hz.
    private var beats: [UInt8] = []
    private var isRaised = false
    /// The heart's level, outside of shaking.
    private(set) var heartLevel: Float?
    private var heartAt: Timestamp?

    /// A stretch that is a convulsion.
    struct Convulsion: Sendable, Equatable {
        var source: UUID
        /// By the source's clock.
        var first: Timestamp
        var last: Timestamp
        var confirmed: Timestamp
        var amplitude: Double
    }

    /// A heart rate at a time by the database's clock.
    mutating func followHeart(_ rate: Double, at time: Timestamp) {
        guard first == nil else { return }
        guard let level = heartLevel, let before = heartAt, time > before else {
            if heartLevel == nil { (heartLevel, heartAt) = (Float(rate), time) }
            return
        }
        let part = min(1, (time - before).seconds / Self.heartMemory)
        heartLevel = level + (Float(rate) - level) * Float(part)
        heartAt = time
    }

    /// Adds readings of one upload, in the order of their times. `heartRate` is the last one that is current, `isExercise`
    /// whether the person exercises by what devices or a race say.
    mutating func add(
        _ readings: [Reading], from device: UUID, at now: Timestamp, heartRate: Double?, isExercise: Bool
    ) -> Convulsion? {
        guard !readings.isEmpty else { return nil }
        if let source, source != device, let seenAt, now - seenAt < .seconds(10) { return nil }
        if source != device { (source, first, last, beats, isRaised) = (device, nil, nil, [], false) }
        seenAt = now
        var found: Convulsion?
        for reading in readings {
            if let last, reading.time <= last { continue }
            add(reading)
            guard !isRaised, !isExercise, isConvulsion(heartRate), let first, let last, let source else { continue }
            isRaised = true
            found = Convulsion(
                source: source, first: first, last: last, confirmed: last, amplitude: reading.amplitude)
        }
        return found
    }

    /// The device's clock was set.
    mutating func forgetStretch() { (first, last, beats, isRaised) = (nil, nil, [], false) }

    private mutating func add(_ reading: Reading) {
        if let last, reading.time - last > Self.gapMax { forgetStretch() }
        guard reading.isShaking else { return }
        first = first ?? reading.time
        last = reading.time
        beats.append(reading.beat)
        if beats.count > Self.readingsMax { beats.removeFirst() }
    }

    private func isConvulsion(_ heartRate: Double?) -> Bool {
        guard let first, let last, last - first >= Self.durationMin else { return false }
        let seconds = min(Double(Self.readingsMax), (last - first).seconds)
        guard Double(beats.count) >= Self.coverage * seconds else { return false }
        let rise = heartRate.flatMap { rate in heartLevel.map { rate - Double($0) } }
        let third = beats.count / 3
        let (early, late) = (Self.mean(beats.prefix(third)), Self.mean(beats.suffix(third)))
        if late <= Self.slowing * early, rise ?? Self.heartRise >= Self.heartRise { return true }
        guard last - first >= Self.longMin, let rise, rise >= Self.heartRise else { return false }
        let mean = Self.mean(beats[...])
        let variance = beats.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(beats.count)
        return variance.squareRoot() >= Self.unsteadiness * mean
    }

    private static func mean(_ beats: ArraySlice<UInt8>) -> Double {
        beats.isEmpty ? 0 : Double(beats.reduce(0) { $0 + Int($1) }) / Double(beats.count)
    }

    /// Whether a device tells of shaking: the rule is unavailable without.
    func isAvailable(at now: Timestamp) -> Bool { seenAt.map { now - $0 <= Self.availableFor } ?? false }

    /// Whether an optical pulse is likely to be the rhythm of the movement (signal crossover): it is the number of beats of the
    /// movement per minute, within the resolution of the two.
    func isCadence(_ rate: Double, at time: Timestamp, offset: Duration) -> Bool {
        guard let last, let beat = beats.last, abs((last + offset - time).microseconds) <= Self.gapMax.microseconds
        else {
            return false
        }
        return Self.isCadence(rate, beat)
    }

    /// The same by what the upload of the pulse tells, whose times are by one clock: the reading that is nearest to the pulse.
    static func isCadence(_ rate: Double, at time: Timestamp, in readings: [Reading]) -> Bool {
        var (low, high) = (0, readings.count)
        while low < high {
            let middle = (low + high) / 2
            if readings[middle].time < time { low = middle + 1 } else { high = middle }
        }
        func distance(_ reading: Reading) -> Int64 { abs((reading.time - time).microseconds) }
        let nearest = readings[max(0, low - 1)..<min(readings.count, low + 1)].min { distance($0) < distance($1) }
        guard let nearest, nearest.isShaking, distance(nearest) <= gapMax.microseconds else { return false }
        return isCadence(rate, nearest.beat)
    }

    private static func isCadence(_ rate: Double, _ beat: UInt8) -> Bool { abs(rate - Double(beat) * 6) <= 5 }
}

extension ShakingWatch {
    func pack(into packer: inout Packer) {
        packer.add(byte: (source == nil ? 0 : 1) | (heartLevel == nil ? 0 : 2) | (isRaised ? 4 : 0))
        if let source { packer.add(source: source) }
        if let heartLevel { packer.add(heartLevel) }
        packer.add(optional: heartAt)
        packer.add(optional: seenAt)
        packer.add(optional: first)
        packer.add(optional: last)
        packer.add(beats) { $0.add(byte: $1) }
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let marks = try unpacker.byte()
        isRaised = marks & 4 != 0
        if marks & 1 != 0 { source = try unpacker.source() }
        if marks & 2 != 0 { heartLevel = try unpacker.float() }
        heartAt = try unpacker.optionalTime()
        seenAt = try unpacker.optionalTime()
        first = try unpacker.optionalTime()
        last = try unpacker.optionalTime()
        beats = try unpacker.list { unpacker throws(PackingError) in try unpacker.byte() }
    }
}
