import Primitives

/// What the monitor has to know about a person.
struct Wearer: Sendable, Hashable {
    let account: UUID
    let birthDate: CalendarDate
    let rules: RuleSet
    /// The person's own limits.
    var thresholds: PersonalThresholds?
    /// Runs in which the person takes part: exercise, whatever the device says of movement.
    var runs: [ClosedRange<Timestamp>] = []

    /// Completed months of life; 0 before birth.
    func ageMonths(on day: CalendarDate) -> Int {
        let (now, then) = (day.components, birthDate.components)
        let months = (now.year - then.year) * 12 + now.month - then.month - (now.day < then.day ? 1 : 0)
        return max(0, months)
    }
}
