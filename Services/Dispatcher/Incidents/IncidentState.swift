import Postgres

/// How an emergency stands, as its wearer is shown it.
enum IncidentState: String, Sendable, Codable, PostgresCodable {
    /// On disk; no ambulance service has it yet.
    case confirmed
    /// An ambulance service has received it.
    case handedOver = "handed-over"
    /// One has accepted it.
    case acknowledged
    case closed
}

/// How an emergency ended.
enum IncidentOutcome: String, Sendable, Codable, CaseIterable, PostgresCodable {
    /// The ambulance service that came says that it is over.
    case resolved
    /// The ambulance service that accepted it has not said so for a long time, or a new emergency took its place.
    case expired
    /// The wearer said so after the hand-over had begun: a cancellation went out.
    case falseAlarm = "false-alarm"
    /// The wearer said so before: nobody was called.
    case suppressed
    /// A test call that was received.
    case exercised
    /// Nobody accepted it: a new emergency took its place, or it is long ago.
    case unanswered

    /// Somebody said that it is over.
    var isSaid: Bool {
        switch self {
        case .falseAlarm, .suppressed, .resolved: true
        case .unanswered, .expired, .exercised: false
        }
    }
}

extension Incident {
    /// What the wearer is shown.
    var state: IncidentState {
        switch stage {
        case .unaccepted: handOvers.contains { $0.receivedAt != nil } ? .handedOver : .confirmed
        case .accepted: .acknowledged
        case .closed: .closed
        }
    }
}
