import Domain

/// What the limits depend on beside the value.
struct RuleContext: Sendable, Hashable {
    var ageMonths: Int
    var isExercising = false
    var isAsleep = false
    /// What a doctor has set, or the person has taken from the own history.
    var thresholds: PersonalThresholds?
}
