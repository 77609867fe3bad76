import Domain

/// When a vital sign is critical: a named, versioned set of thresholds (SOS-03). An incident records which one held, so a
/// change of any number here is a new version. RULES.md shows all of them, with their sources.
enum RuleSet: String, Sendable, Codable, CaseIterable {
    /// By age: adults from the extremes (score 3) of NEWS2, Royal College of Physicians 2017; under 16 from those of the
    /// Bedside Paediatric Early Warning System (Parshuram, Hutchison and Middaugh, Critical Care 2009, 13:R135). Glucose and
    /// stress: `AgeBand`.
    case age
    /// Heart rate below 40 or above 130 per minute.
    case fixed40To130 = "fixed-40-130"
    /// Heart rate below 45 or above 120 per minute; systolic pressure above 170 mmHg together with diastolic above 100.
    case fixed45To120 = "fixed-45-120"

    static let standard = RuleSet.age

    var version: Int { self == .age ? 2 : 1 }

    /// The upper heart rate during exercise: the maximum to be expected, 208 − 0.7 × age (Tanaka, Monahan and Seals 2001).
    static func exerciseHeartRateMax(ageYears: Double) -> Double { 208 - 0.7 * ageYears }

    /// The diastolic pressure that a critical systolic one must come with, above; `nil` where systolic counts alone.
    var diastolicAbove: Double? { self == .fixed45To120 ? 100 : nil }

    /// `nil` for a type that is not watched. Personal limits take the place of the set's, end by end, also of types that the set
    /// does not watch; exercise and sleep change both.
    func rule(for type: DataType, _ context: RuleContext) -> VitalRule? {
        var limits = limits(for: type, ageMonths: context.ageMonths, isExercising: false)
        var origin = ThresholdOrigin.rules
        if let personal = context.thresholds, let own = personal.limits(for: type, beside: limits) {
            limits = own
            origin = personal.origin
        }
        // The named sets are fixed and do not sleep; a doctor's limit, and one from days and nights of readings, are for both.
        if context.isAsleep, type == .heartRate, self == .age, context.thresholds?.heartRate?.low == nil {
            limits = limits?.loweringLow(to: AgeBand.sleepingHeartRateMin(ageMonths: context.ageMonths))
        }
        if context.isExercising {
            limits = limits.flatMap { Self.duringExercise($0, of: type, ageMonths: context.ageMonths) }
        }
        return limits.map { VitalRule(type: type, limits: $0, origin: origin) }
    }

    /// The set's own limits, awake; `nil` for a type that it does not watch.
    func limits(for type: DataType, ageMonths: Int, isExercising: Bool) -> VitalLimits? {
        let atRest: VitalLimits? =
            switch self {
            case .age: AgeBand(ageMonths: ageMonths).limits(for: type)
            case .fixed40To130: type == .heartRate ? VitalLimits(below: 40, above: 130) : nil
            case .fixed45To120:
                switch type {
                case .heartRate: VitalLimits(below: 45, above: 120)
                case .bloodPressureSystolic: VitalLimits(below: nil, above: 170)
                default: nil
                }
            }
        guard isExercising else { return atRest }
        return atRest.flatMap { Self.duringExercise($0, of: type, ageMonths: ageMonths) }
    }

    /// The heart may beat faster, and breath and stress have no upper limit.
    private static func duringExercise(_ atRest: VitalLimits, of type: DataType, ageMonths: Int) -> VitalLimits? {
        switch type {
        case .heartRate: atRest.raisingHigh(above: exerciseHeartRateMax(ageYears: Double(ageMonths) / 12))
        // Whoever runs breathes 40 to 60 times a minute; what watches call stress is computed from the heart's beats.
        case .respirationRate, .stressLevel: atRest.withoutHigh
        default: atRest
        }
    }
}
