import Domain

/// When a vital sign is critical: a named, versioned set of thresholds (SOS-03). An incident records which one held, so a
/// change of any number here is a new version.
enum RuleSet: String, Sendable, Codable, CaseIterable {
    /// By age: adults from the extremes (score 3) of NEWS2, Royal College of Physicians 2017; under 16 from those of the
    /// Bedside Paediatric Early Warning System (Parshuram, Hutchison and Middaugh, Critical Care 2009, 13:R135).
    case age
    /// Heart rate below 40 or above 130 per minute.
    case fixed40To130 = "fixed-40-130"
    /// Heart rate below 45 or above 120 per minute; systolic pressure above 170 mmHg together with diastolic above 100.
    case fixed45To120 = "fixed-45-120"

    static let standard = RuleSet.age

    var version: Int { 1 }

    /// The upper heart rate during exercise: the maximum to be expected, 208 − 0.7 × age (Tanaka, Monahan and Seals 2001).
    static func exerciseHeartRateMax(ageYears: Double) -> Double { 208 - 0.7 * ageYears }

    /// The diastolic pressure that a critical systolic one must come with, above; `nil` where systolic counts alone.
    var diastolicAbove: Double? { self == .fixed45To120 ? 100 : nil }

    /// `nil` for a type that this set does not watch. During exercise the heart may beat faster, and breath has no upper limit.
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
        switch type {
        case .heartRate: return atRest?.raisingHigh(above: Self.exerciseHeartRateMax(ageYears: Double(ageMonths) / 12))
        // Whoever runs breathes 40 to 60 times a minute.
        case .respirationRate: return atRest?.withoutHigh
        default: return atRest
        }
    }
}
