import Domain
import Primitives

/// An incident as its wearer sees it.
struct IncidentView: Encodable {
    var id: UUID
    var state: IncidentState
    var outcome: IncidentOutcome?
    var isExercise: Bool
    var openedAt: Timestamp
    var closedAt: Timestamp?
    var acceptedBy: String?
    /// `nil` when they cannot be read.
    var causes: [Cause]?
    /// Only in the answer about one incident.
    var steps: [Step]?

    struct Cause: Encodable {
        var type: DataType
        var value: Double
        var unit: String
        var limit: String
        var rules: RuleSet
        var rulesVersion: Int
        var firstCritical: Timestamp
        var confirmed: Timestamp

        init(_ finding: Finding) {
            type = finding.type
            value = finding.value
            unit = finding.type.unit.description
            limit = finding.limit
            rules = finding.rules
            rulesVersion = finding.rulesVersion
            firstCritical = finding.firstCriticalAt
            confirmed = finding.confirmedAt
        }
    }

    struct Step: Encodable {
        var at: Timestamp
        var kind: IncidentStep.Kind
        var hook: String?
        var detail: String?
    }
}

struct IncidentList: Encodable {
    var incidents: [IncidentView]
    /// For the next page.
    var next: String?
}
