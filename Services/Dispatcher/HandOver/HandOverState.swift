import Primitives

/// What is on disk about the hand-over of one incident.
struct HandOverState: Sendable, Equatable {
    /// An ambulance service to which the hand-over was begun.
    struct Leg: Sendable, Equatable {
        var hook: String
        var begunAt: Timestamp
        var receivedAt: Timestamp?
        /// The newest message it has received; 0 before the first.
        var receivedSequence = 0
        var rejectedAt: Timestamp?
    }

    var isExercise = false
    /// Nothing is sent before.
    var notBefore: Timestamp
    /// The message that says how things are.
    var alertSequence = 1
    /// The cancellation for those that were called in vain.
    var loserSequence: Int?
    /// The cancellation for all, after a false alarm.
    var cancelSequence: Int?
    var acceptedBy: String?
    var isClosed = false
    var outcome: IncidentOutcome?
    /// The incident of the person that has taken its place.
    var supersededBy: UUID?
    /// In the order in which they were begun.
    var legs: [Leg] = []
    var revision: Int64 = 1

    var isCancelled: Bool { cancelSequence != nil }

    /// Nobody has accepted, and the wearer has not called it off.
    var isOpen: Bool { acceptedBy == nil && !isCancelled && !isClosed }

    /// Whether a new emergency has to be handed over anew: everybody has refused this one, or has had it for so long
    /// without accepting it that nobody would take another message for more than an old story (SOS-05, SOS-07).
    func isUnanswered(openedAt: Timestamp, hooks: [String], at now: Timestamp) -> Bool {
        guard isOpen else { return false }
        if now - openedAt >= HandOverTimes.unansweredMax { return true }
        let isRefused = !legs.isEmpty && legs.allSatisfy { $0.rejectedAt != nil }
        return isRefused && hooks.allSatisfy { name in legs.contains { $0.hook == name } }
    }

    /// The message that this hook should have; `nil` when none.
    func target(of leg: Leg) -> Int? {
        guard leg.rejectedAt == nil else { return nil }
        if let acceptedBy, leg.hook != acceptedBy { return loserSequence ?? cancelSequence }
        if let cancelSequence { return cancelSequence }
        return isClosed ? nil : alertSequence
    }

    /// Whether the message withdraws the incident from whoever gets it.
    func isCancellation(_ sequence: Int) -> Bool { sequence == loserSequence || sequence == cancelSequence }
}
