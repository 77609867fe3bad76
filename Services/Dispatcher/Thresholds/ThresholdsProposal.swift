import Domain
import Primitives

/// Limits that a person's own history proposes (SOS-03b), with what they are made of.
struct ThresholdsProposal: Sendable, Equatable, Codable {
    var thresholds: PersonalThresholds
    /// Days of which there were readings.
    var days: Int
    /// By type.
    var basis: [Basis]

    struct Basis: Sendable, Equatable, Codable {
        var type: DataType
        var readings: Int
        /// The 1st, 50th and 99th percentile, at rest.
        var low: Double
        var median: Double
        var high: Double
    }
}

/// The distribution of a person's readings at rest: counts by whole units, so that two weeks of a sensor that measures each
/// second take a kilobyte. Limits go beyond what 98 of 100 readings of a well fortnight are, and stay inside what is safe without
/// a doctor.
struct ReadingHistory: Sendable {
    static let daysMin = 7
    static let readingsMin = 500
    static let types: [DataType] = [.heartRate, .oxygenSaturation, .respirationRate]
    /// After exercise the heart needs so long to be that of rest.
    private static let restAfterExercise = Duration.seconds(600)

    private var counts: [DataType: [Int]] = [:]
    private var days: Set<CalendarDate> = []

    /// Adds what a device sent: readings with contact, away from exercise and motion.
    mutating func add(_ seen: Observation) {
        var last: Timestamp?
        let exercise = seen.exercise.sorted()
        var next = 0
        for vital in seen.vitals where vital.hasContact && Self.types.contains(vital.type) {
            while next < exercise.count, exercise[next] <= vital.time {
                last = exercise[next]
                next += 1
            }
            if let last, vital.time - last < Self.restAfterExercise { continue }
            if seen.unrest.contains(where: { abs(($0 - vital.time).microseconds) <= 5_000_000 }) { continue }
            let index = Int(vital.value.rounded())
            guard (0...300).contains(index) else { continue }
            counts[vital.type, default: [Int](repeating: 0, count: 301)][index] += 1
            days.insert(vital.time.dateUTC)
        }
    }

    /// `nil` when there is too little.
    func proposal() -> ThresholdsProposal? {
        guard days.count >= Self.daysMin else { return nil }
        var thresholds = PersonalThresholds()
        var basis: [ThresholdsProposal.Basis] = []
        for type in Self.types {
            guard let counts = counts[type], counts.reduce(0, +) >= Self.readingsMin else { continue }
            let known = ThresholdsProposal.Basis(
                type: type, readings: counts.reduce(0, +), low: Self.percentile(0.01, counts),
                median: Self.percentile(0.5, counts), high: Self.percentile(0.99, counts))
            basis.append(known)
            guard let safe = SafeLimits(type, by: .proposal) else { continue }
            let margin = Margins(type).recovery * 2
            let bounds = PersonalThresholds.Bounds(
                low: safe.low.map { min($0.upperBound, max($0.lowerBound, known.low - margin)) },
                high: safe.high.map { min($0.upperBound, max($0.lowerBound, known.high + margin)) })
            switch type {
            case .heartRate: thresholds.heartRate = bounds
            case .respirationRate: thresholds.respirationRate = bounds
            default: thresholds.oxygenSaturation = bounds
            }
        }
        guard !basis.isEmpty else { return nil }
        return ThresholdsProposal(thresholds: thresholds, days: days.count, basis: basis)
    }

    private static func percentile(_ part: Double, _ counts: [Int]) -> Double {
        let wanted = max(1, Int((part * Double(counts.reduce(0, +))).rounded(.up)))
        var sum = 0
        for (value, count) in counts.enumerated() {
            sum += count
            if sum >= wanted { return Double(value) }
        }
        return Double(counts.count - 1)
    }
}
