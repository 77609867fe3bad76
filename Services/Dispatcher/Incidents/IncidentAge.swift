import Primitives
import Reactor

/// How long ago an incident was opened: the only time that the state machine knows. PostgreSQL's clock tells it when the
/// incident is read, a monotonic clock from then on, so that no clock that is set changes what is due.
struct IncidentAge: Sendable, Hashable, Comparable, Codable {
    let milliseconds: Int64

    static let zero = IncidentAge(milliseconds: 0)

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// At that time of an incident that was opened at `openedAt`; negative before that: what happened apart may have come first, and
    /// clocks may be set.
    init(at time: Timestamp, since openedAt: Timestamp) {
        self = .zero + (time - openedAt)
    }

    /// For what is not what the incident was opened by.
    var notZero: IncidentAge { self == .zero ? IncidentAge(milliseconds: 1) : self }

    init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    static func + (age: IncidentAge, duration: Duration) -> IncidentAge {
        IncidentAge(milliseconds: age.milliseconds + duration.milliseconds)
    }

    static func - (later: IncidentAge, earlier: IncidentAge) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    static func < (left: IncidentAge, right: IncidentAge) -> Bool { left.milliseconds < right.milliseconds }
}

/// Tells an incident's age from one that is known, by the monotonic clock.
struct IncidentClock: Sendable, Equatable {
    private let known: IncidentAge
    private let since: Deadline

    init(_ age: IncidentAge, at time: Deadline = .now()) {
        known = age
        since = time
    }

    var age: IncidentAge { known + Deadline.now().since(since) }

    /// The clock, set to the last event when it is behind that: PostgreSQL's clock may have been set back meanwhile.
    func notBehind(_ incident: Incident) -> IncidentClock {
        age < incident.changedAt ? IncidentClock(incident.changedAt) : self
    }
}
