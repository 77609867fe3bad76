import Domain
import Primitives

/// An incident with what is known of the person, as it is on disk, and the changes that are to be written.
struct IncidentRecord: Sendable, Equatable {
    let id: UUID
    let account: UUID
    /// By PostgreSQL's clock; ages count from here.
    let openedAt: Timestamp
    private(set) var incident: Incident
    /// `nil` when they are put away, or cannot be read, and `fault` says why: then nobody can be told anything, but answers still
    /// count.
    private(set) var details: IncidentDetails?
    let fault: String?
    /// What it was put away as, with a key of its own.
    let putAway: IncidentSealing.Stored?
    /// The number of stored changes.
    var revision: Int64 = 1
    /// Of the lease under which it was read.
    var fence: Int64 = 1
    let clock: IncidentClock
    private(set) var changes = Changes()

    /// What is not on disk yet.
    struct Changes: Sendable, Equatable {
        var steps: [IncidentStep] = []
        var notices: [Incident.WearerNotice] = []
        /// What was applied, for who writes it elsewhere (`LocalJournal`).
        var events: [Applied] = []
        /// Of these, those that may be in a local journal, too: by the ids that they have there.
        var entries: [UUID] = []
        var hasDetails = false
        var hasState = false

        var isEmpty: Bool { !hasDetails && !hasState && steps.isEmpty }
    }

    struct Applied: Sendable, Equatable {
        var event: IncidentEvent
        /// By which it is in every journal that has it, where that was said and it counted: one of `entries`.
        var entry: UUID?

        /// By which a journal is to keep it: a new one each time where there is no `entry`.
        func journalID() -> UUID { entry ?? .random() }
    }

    /// A stored record.
    init(
        id: UUID, account: UUID, openedAt: Timestamp, incident: Incident, details: IncidentDetails?,
        fault: String? = nil, putAway: IncidentSealing.Stored? = nil, revision: Int64, fence: Int64, age: IncidentAge
    ) {
        self.id = id
        self.account = account
        self.openedAt = openedAt
        self.incident = incident
        self.details = details
        self.fault = fault
        self.putAway = putAway
        self.revision = revision
        self.fence = fence
        clock = IncidentClock(age).notBehind(incident)
    }

    /// A new incident.
    init(id: UUID, account: UUID, openedAt: Timestamp, incident: Incident, details: IncidentDetails) {
        self.init(
            id: id, account: account, openedAt: openedAt, incident: incident.numbered(from: openedAt), details: details,
            revision: 1, fence: 1, age: .zero)
    }

    func time(at age: IncidentAge) -> Timestamp { openedAt + (age - .zero) }

    // MARK: Changes

    /// Applies an event, at the age the incident has now unless another is given. `happenedAt` is what the history shows
    /// when it was before the incident was opened here. When it counts, nothing that a local journal has as `entry` counts again.
    @discardableResult
    mutating func apply(
        _ event: IncidentEvent, as entry: UUID? = nil, at age: IncidentAge? = nil, happenedAt: Timestamp? = nil
    ) -> IncidentVerdict {
        let before = incident
        let transition = incident.apply(event, at: age ?? clock.age)
        let time = happenedAt ?? time(at: incident.changedAt)
        let counted = transition.verdict == .done ? entry : nil
        changes.events.append(Applied(event: event, entry: counted))
        changes.steps += transition.entries.map { IncidentStep($0.kind, at: time, hook: $0.hook, detail: $0.detail) }
        changes.notices += transition.notices
        if incident != before { changes.hasState = true }
        if let counted { changes.entries.append(counted) }
        return transition.verdict
    }

    /// As `Incident.know`.
    mutating func know(_ ids: [UUID]) {
        let before = incident
        incident.know(ids)
        if incident != before { changes.hasState = true }
    }

    /// When it was opened by more than what opens it: the last finding, and the press of the SOS button.
    mutating func openedBy(foundAt: Timestamp? = nil, pressedAt: Timestamp? = nil) {
        func age(_ time: Timestamp) -> IncidentAge { IncidentAge(at: time, since: openedAt) }
        incident.openedBy(foundAt: foundAt.map(age), pressedAt: pressedAt.map(age))
        changes.hasState = true
    }

    /// Adds what happened before there was an incident.
    mutating func add(_ steps: [IncidentStep]) { changes.steps += steps }

    /// Call with what was put away.
    mutating func takeOut(_ details: IncidentDetails) { self.details = details }

    /// No effect on details that cannot be read.
    mutating func change(_ body: (inout IncidentDetails) -> Void) {
        guard let before = details else { return }
        var after = before
        body(&after)
        guard after != before else { return }
        details = after
        changes.hasDetails = true
    }

    /// Call when the changes are stored.
    mutating func markWritten(revision: Int64) {
        changes = Changes()
        self.revision = revision
    }

    /// When a courier has to work on it again: at once, at its end, or never.
    func dueAt(_ times: HandOverTimes) -> Timestamp? {
        incident.hasWork ? openedAt : incident.endsAt(times).map { time(at: $0) }
    }
}
