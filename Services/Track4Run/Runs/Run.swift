import Domain
import Primitives

/// A run as it is stored, without its path (RUN-02).
struct Run: Sendable {
    enum State: String, Sendable {
        case open, cancelled
        /// The ranking is stored.
        case final
    }

    /// The state that people see, which depends on the time (RUN-05).
    enum Phase: String, Codable, Sendable {
        case upcoming, past, cancelled
        case underWay = "under-way"
    }

    var id: UUID
    /// Short, unique, public.
    var code: String
    var organiser: UUID
    var organiserKind: AccountKind
    var organiserName: String
    var name: String
    var description: String
    var place: String
    var clauses: String
    /// Metres.
    var length: Double
    /// Where the path begins.
    var startPoint: Coordinate
    var start: Timestamp
    var end: Timestamp
    var enrolmentDeadline: Timestamp
    var participantsMax: Int
    var participants: Int
    var state: State
    var version: Int64
    /// Counts the changes that the organiser has made.
    var plan: Int32
    /// Whether runners who had not checked in were removed.
    var hasStarted: Bool

    /// Health data of runners goes to companies only (RUN-01).
    var isOfCompany: Bool { organiserKind != .individual }

    func phase(at now: Timestamp) -> Phase {
        switch state {
        case .cancelled: .cancelled
        case .final: .past
        case .open: now < start ? .upcoming : now < end ? .underWay : .past
        }
    }
}
