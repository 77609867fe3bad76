import Postgres
import Primitives

/// One step in the history of an incident (SOS-14).
struct IncidentStep: Sendable, Equatable {
    enum Kind: String, Sendable, Codable, PostgresCodable {
        case firstCritical = "first-critical"
        case confirmed, opened, updated
        case handOverBegun = "hand-over-begun"
        case attemptFailed = "attempt-failed"
        case received, accepted, rejected, resolved
        case operatorAlarmed = "operator-alarmed"
        case falseAlarm = "false-alarm"
        case cancellationReceived = "cancellation-received"
        case cancellationGivenUp = "cancellation-given-up"
        case closed
    }

    var at: Timestamp
    var kind: Kind
    var hook: String?
    /// A number or a word of the program; nothing personal.
    var detail: String?

    /// Whether an ambulance service is handed the incident's data by it.
    var isHandOver: Bool {
        switch kind {
        case .handOverBegun, .received, .cancellationReceived: true
        case .firstCritical, .confirmed, .opened, .updated, .attemptFailed, .accepted, .rejected, .resolved,
            .operatorAlarmed, .falseAlarm, .cancellationGivenUp, .closed:
            false
        }
    }

    init(_ kind: Kind, at: Timestamp, hook: String? = nil, detail: String? = nil) {
        self.at = at
        self.kind = kind
        self.hook = hook
        self.detail = detail
    }
}
