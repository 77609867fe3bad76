import Domain
import Postgres
import Primitives

/// One step in the history of an incident (SOS-14).
struct IncidentStep: Sendable, Equatable {
    enum Kind: String, Sendable, Codable, PostgresCodable {
        case firstCritical = "first-critical"
        case confirmed, opened, updated
        /// Samples that it rests on were judged before they were stored …
        case provisional
        /// … and have come from storage since.
        case stored
        case handOverBegun = "hand-over-begun"
        case attemptFailed = "attempt-failed"
        case received, accepted, rejected, resolved
        /// Somebody at the ambulance service has it before them, an ambulance is on its way, has arrived, is expected.
        case seenByService = "seen-by-service"
        case dispatched
        case onScene = "on-scene"
        case arrivalExpected = "arrival-expected"
        case operatorAlarmed = "operator-alarmed"
        case falseAlarm = "false-alarm"
        case cancellationReceived = "cancellation-received"
        case cancellationGivenUp = "cancellation-given-up"
        case closed
    }

    var at: Timestamp
    var kind: Kind
    var hook: String?
    /// A number, a time or words of the program; nothing personal.
    var detail: String?

    /// Whether an ambulance service is handed the incident's data by it.
    var isHandOver: Bool {
        switch kind {
        case .handOverBegun, .received, .cancellationReceived: true
        case .firstCritical, .confirmed, .opened, .updated, .provisional, .stored, .attemptFailed, .accepted, .rejected,
            .resolved, .operatorAlarmed, .falseAlarm, .cancellationGivenUp, .closed, .seenByService, .dispatched,
            .onScene,
            .arrivalExpected:
            false
        }
    }

    /// The first steps of an incident.
    static func opening(_ finding: Finding, at now: Timestamp) -> [IncidentStep] {
        [
            IncidentStep(.firstCritical, at: finding.firstCriticalAt, detail: finding.type.name),
            IncidentStep(.confirmed, at: finding.confirmedAt, detail: finding.type.name),
            IncidentStep(.opened, at: now, detail: "\(finding.rules.rawValue)/\(finding.rulesVersion)"),
        ]
    }

    /// The same where the SOS button was pressed.
    static func opening(_ press: ManualCall, at now: Timestamp) -> [IncidentStep] {
        [IncidentStep(.opened, at: now, detail: "manual-\(press.by.rawValue)")]
    }

    init(_ kind: Kind, at: Timestamp, hook: String? = nil, detail: String? = nil) {
        self.at = at
        self.kind = kind
        self.hook = hook
        self.detail = detail
    }
}
