import Primitives

/// An incident as it is on disk.
struct IncidentRecord: Sendable, Equatable {
    var id: UUID
    var account: UUID
    var details: IncidentDetails
    var openedAt: Timestamp
    /// When the message in force was made.
    var alertAt: Timestamp
    /// When the cancellation for those called in vain was made.
    var acceptedAt: Timestamp?
    /// When the cancellation for all was made.
    var cancelledAt: Timestamp?
    var fence: Int64
    var state: HandOverState

    /// When the message was made; the same for every attempt.
    func sentAt(_ sequence: Int) -> Timestamp {
        if sequence == state.cancelSequence { return cancelledAt ?? alertAt }
        return sequence == state.loserSequence ? acceptedAt ?? alertAt : alertAt
    }
}
