import Primitives

/// What is told to the contacts of somebody in an emergency.
enum ContactNews: Sendable, Equatable {
    case emergency
    /// The ambulance service of that name is coming.
    case accepted(by: String)
    /// The one that was coming cannot come.
    case handedBack
    /// Nobody has accepted it for `ContactTimes.unanswered`.
    case unanswered
    case over(IncidentOutcome)
}

/// What the contacts were told of one incident: a state machine without I/O. It looks at the incident as it stands; what came and went
/// in between is not told.
struct ContactTelling: Sendable, Equatable, Codable {
    private(set) var isTold = false
    /// The service that they were told is coming.
    private(set) var service: String?
    private(set) var isToldUnanswered = false
    private(set) var isOver = false

    enum CodingKeys: String, CodingKey {
        case service, isTold, isToldUnanswered, isOver
    }

    /// What is to be told now, newest last.
    mutating func follow(_ incident: Incident, at age: IncidentAge, _ times: ContactTimes) -> [ContactNews] {
        guard !isOver else { return [] }
        // Of a test call nobody is told.
        guard !incident.isExercise else {
            isOver = true
            return []
        }
        if incident.stage == .closed { return end(incident.outcome) }
        guard isTold || begin(incident, at: age, times) else { return [] }
        var news: [ContactNews] = []
        if !isTold {
            isTold = true
            news.append(.emergency)
        }
        switch incident.stage {
        case .accepted:
            if let winner = incident.acceptedBy, winner != service {
                service = winner
                news.append(.accepted(by: winner))
            }
        case .unaccepted:
            if service != nil {
                service = nil
                news.append(.handedBack)
            }
            if !isToldUnanswered, age >= Self.unansweredAt(incident, times) {
                isToldUnanswered = true
                news.append(.unanswered)
            }
        case .closed: break
        }
        return news
    }

    /// When something may have to be told without a change of the incident.
    func wakeAt(_ incident: Incident, _ times: ContactTimes) -> IncidentAge? {
        guard !isOver, !incident.isExercise, incident.stage != .closed else { return nil }
        guard isTold else { return Self.beginsAt(incident, times) }
        guard incident.stage == .unaccepted, !isToldUnanswered else { return nil }
        return Self.unansweredAt(incident, times)
    }

    private mutating func end(_ outcome: IncidentOutcome?) -> [ContactNews] {
        isOver = true
        guard let outcome else { return [] }
        switch outcome {
        // Who was told nothing need not know that it was nothing.
        case .falseAlarm, .suppressed, .exercised: return isTold ? [.over(outcome)] : []
        case .resolved, .expired, .unanswered: return [.over(outcome)]
        }
    }

    /// The ambulance comes first: it has the incident, or was called a while ago.
    private func begin(_ incident: Incident, at age: IncidentAge, _ times: ContactTimes) -> Bool {
        incident.handOvers.contains { $0.receivedAt != nil } || age >= Self.beginsAt(incident, times)
    }

    private static func beginsAt(_ incident: Incident, _ times: ContactTimes) -> IncidentAge {
        guard let first = incident.handOvers.map(\.begunAt).min() else {
            return incident.callsFrom + times.withoutHooks
        }
        return first + times.grace
    }

    private static func unansweredAt(_ incident: Incident, _ times: ContactTimes) -> IncidentAge {
        max(incident.emergencyAt, incident.callsFrom) + times.unanswered
    }
}
