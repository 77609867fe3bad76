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
    /// When an ambulance service is called unless the wearer calls it off; while there is time for that.
    var callsAt: Timestamp?
    /// What called for help first; `nil` when it cannot be read.
    var trigger: IncidentTrigger?
    /// What the service that accepted tells of its work.
    var help: Help?
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
        var isProvisional: Bool
        /// The limits that held (SOS-03c).
        var thresholds: Finding.Thresholds?

        init(_ finding: Finding) {
            type = finding.type
            value = finding.value
            unit = finding.type.unit.description
            limit = finding.limit
            rules = finding.rules
            rulesVersion = finding.rulesVersion
            firstCritical = finding.firstCriticalAt
            confirmed = finding.confirmedAt
            isProvisional = finding.isProvisional
            thresholds = finding.thresholds
        }
    }

    struct Help: Encodable {
        var dispatchedAt: Timestamp?
        var onSceneAt: Timestamp?
        var arrivalExpected: Timestamp?

        init(_ help: Incident.Help, openedAt: Timestamp) {
            dispatchedAt = help.dispatchedAt.map { openedAt + ($0 - .zero) }
            onSceneAt = help.onSceneAt.map { openedAt + ($0 - .zero) }
            arrivalExpected = help.arrivalExpected
        }
    }

    struct Step: Encodable {
        var at: Timestamp
        var kind: IncidentStep.Kind
        var hook: String?
        var detail: String?
    }
}

extension IncidentView {
    /// As this process knows it, without the history.
    init(_ record: IncidentRecord, as incident: Incident) {
        self.init(
            id: record.id, state: incident.state, outcome: incident.outcome, isExercise: incident.isExercise,
            openedAt: record.openedAt,
            closedAt: incident.stage == .closed ? record.time(at: incident.changedAt) : nil,
            acceptedBy: incident.acceptedBy, causes: record.details?.findings.map(Cause.init))
    }
}

struct IncidentList: Encodable {
    var incidents: [IncidentView]
    /// For the next page.
    var next: String?
}
