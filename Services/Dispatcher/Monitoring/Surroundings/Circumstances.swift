import Domain
import Primitives

/// What a person is doing, as far as the devices tell: it decides which limits hold, and how far readings are to be trusted.
/// All times are by the clock of this service's database.
struct Circumstances: Sendable, Equatable {
    /// The heart rate falls slowly: exercise counts for so long after its last sign.
    static let exerciseHold = Duration.seconds(120)
    /// An optical sensor needs so long to find the pulse again after it was moved.
    static let unrestHold = Duration.seconds(3)
    /// Devices tell of sleep by the minute; whoever wakes gets the heart of the day within minutes.
    static let sleepHold = Duration.seconds(600)
    /// Who lies still at night for so long counts as asleep where no device tells of sleep …
    static let stillMin = Duration.seconds(900)
    /// … and has told of none for so long.
    private static let sleepUntold = Duration.seconds(36 * 3600)
    private static let stillHold = Duration.seconds(300)
    /// The night, in hours of the local day.
    private static let night = 23
    private static let morning = 7

    /// The last stretch of exercise, as activities and strong motion tell it …
    private(set) var exercise: Stretch?
    /// … and as activities alone do.
    private(set) var activity: Stretch?
    /// The last stretch in which the wrist was moved.
    private(set) var unrest: Stretch?
    private(set) var still: Stretch?
    private(set) var sleep: Stretch?
    /// Of the device's clock from UTC, in minutes.
    private(set) var zoneMinutes: Int16?

    mutating func follow(_ seen: Observation) {
        for time in seen.exercise { exercise.add(seen.corrected(time), hold: Self.exerciseHold) }
        for time in seen.activity { activity.add(seen.corrected(time), hold: Self.exerciseHold) }
        for time in seen.unrest { unrest.add(seen.corrected(time), hold: Self.unrestHold) }
        for time in seen.still { still.add(seen.corrected(time), hold: Self.stillHold) }
        for night in seen.sleep {
            sleep.add(seen.corrected(night.lowerBound)...seen.corrected(night.upperBound), hold: Self.sleepHold)
        }
        if let zone = seen.zoneMinutes { zoneMinutes = Int16(clamping: zone) }
    }

    /// Forgets what has gone on until after then.
    mutating func forget(after limit: Timestamp) {
        func isLater(_ stretch: Stretch?) -> Bool { stretch.map { $0.through > limit } ?? false }
        if isLater(exercise) { exercise = nil }
        if isLater(activity) { activity = nil }
        if isLater(unrest) { unrest = nil }
        if isLater(still) { still = nil }
        if isLater(sleep) { sleep = nil }
    }

    func isExercising(at time: Timestamp, in runs: [ClosedRange<Timestamp>]) -> Bool {
        Self.isRunning(at: time, runs) || exercise?.reaches(time, hold: Self.exerciseHold) ?? false
    }

    /// Whether a device or the race that the person takes part in says so: a convulsion is strong motion, too.
    func isStatedExercise(at time: Timestamp, in runs: [ClosedRange<Timestamp>]) -> Bool {
        Self.isRunning(at: time, runs) || activity?.reaches(time, hold: Self.exerciseHold) ?? false
    }

    private static func isRunning(at time: Timestamp, _ runs: [ClosedRange<Timestamp>]) -> Bool {
        runs.contains { time >= $0.lowerBound && time <= $0.upperBound + exerciseHold }
    }

    /// Whether the wrist was being moved: optical readings of then are doubtful. Motion artefacts are the first cause of wrong
    /// pulses and saturations (Bent, Goldstein, Kibbe and Dunn, npj Digital Medicine 2020, 3:18; Petterson, Begnoche and
    /// Graybeal, Anesthesia & Analgesia 2007, 105:S78).
    func isUnrest(at time: Timestamp) -> Bool {
        guard let unrest else { return false }
        return time >= unrest.from - Self.unrestHold && time <= unrest.through + Self.unrestHold
    }

    /// Asleep by what a device says; where none has said anything of sleep for a day and a half, by the night and by lying
    /// still. Without a device that tells of motion nobody is taken to be asleep.
    func isAsleep(at time: Timestamp, longitude: Double?) -> Bool {
        if let sleep {
            if sleep.reaches(time, hold: Self.sleepHold) { return true }
            if time - sleep.through <= Self.sleepUntold { return false }
        }
        guard let still, still.duration >= Self.stillMin, still.reaches(time, hold: Self.stillHold),
            unrest.map({ time - $0.through >= Self.stillMin }) ?? true, isNight(time, longitude)
        else { return false }
        return true
    }

    /// By the device's zone, or else by the sun.
    private func isNight(_ time: Timestamp, _ longitude: Double?) -> Bool {
        let minutes = zoneMinutes.map(Int64.init) ?? longitude.map { Int64(($0 * 4).rounded()) }
        guard let minutes else { return false }
        let day: Int64 = 86_400
        let second = time.microseconds / 1_000_000 + minutes * 60
        let hour = Int(((second % day) + day) % day / 3600)
        return hour >= Self.night || hour < Self.morning
    }
}

extension Circumstances {
    func pack(into packer: inout Packer) {
        packer.add(signed: zoneMinutes.map(Int64.init) ?? Int64(Int16.max) + 1)
        for stretch in [exercise, activity, unrest, still, sleep] {
            packer.add(optional: stretch?.from)
            if let stretch { packer.add(stretch.through) }
        }
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        zoneMinutes = Int16(exactly: try unpacker.signed())
        exercise = try Stretch(from: &unpacker)
        activity = try Stretch(from: &unpacker)
        unrest = try Stretch(from: &unpacker)
        still = try Stretch(from: &unpacker)
        sleep = try Stretch(from: &unpacker)
    }
}

extension Stretch {
    fileprivate init?(from unpacker: inout Unpacker) throws(PackingError) {
        guard let from = try unpacker.optionalTime() else { return nil }
        let through = try unpacker.time()
        guard from <= through else { throw .value }
        self.init(from...through)
    }
}
