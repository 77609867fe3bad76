import Primitives

/// One thing that happened to an incident while the database did not take it.
struct JournalEntry: Sendable, Equatable, Codable {
    /// The database notes it with what it applies, so that nothing counts twice (`journal_entry`).
    let id: UUID
    let incident: UUID
    /// By the database's clock, as far as this process knew it.
    let at: Timestamp
    let content: Content

    enum Content: Sendable, Equatable, Codable {
        case opened(Opening)
        case event(IncidentEvent, Basis? = nil)
    }

    /// What the courier knew that let it happen.
    struct Basis: Sendable, Equatable, Codable {
        /// Of the incident in the database; 0 for one that it did not have.
        var revision: Int64
        /// The highest number of a message after it.
        var number: Int
        /// The highest one of those that this process has made and the database did not have, 0 for none; `nil` where that is not known.
        var own: Int?
        /// The newest of those, by the hook that it was due to.
        var told: [String: Int]?
        /// Of an event that says that it is over: the number by which that was told, by the hook.
        var ended: [String: Int]?
    }

    /// An incident that the database did not have yet.
    struct Opening: Sendable, Equatable, Codable {
        var account: UUID
        var isExercise: Bool
        /// How long the wearer may call it off before anybody is called.
        var abortWindow: IncidentAge
        var details: IncidentDetails
        var steps: [Step]

        func incident(_ id: UUID, at openedAt: Timestamp) -> Incident {
            var incident = Incident(isExercise: isExercise, abortWindow: abortWindow - .zero).numbered(from: openedAt)
            incident.know(details.emergencies(of: account, but: id))
            return incident
        }

        struct Step: Sendable, Equatable, Codable {
            var kind: IncidentStep.Kind
            var at: Timestamp
            var detail: String?
        }
    }

    init(id: UUID = .random(), incident: UUID, at: Timestamp, _ content: Content) {
        (self.id, self.incident, self.at, self.content) = (id, incident, at, content)
    }

    init(_ event: IncidentEvent, as id: UUID = .random(), of incident: UUID, at time: Timestamp) {
        self.init(id: id, incident: incident, at: time, .event(event))
    }
}

/// What the journal has of one incident and the database has not.
struct JournalledIncident: Sendable, Equatable {
    struct Event: Sendable, Equatable {
        let id: UUID
        let at: Timestamp
        let event: IncidentEvent
        /// `nil` when no courier of this process was concerned: nothing was sent.
        var basis: JournalEntry.Basis?
    }

    let id: UUID
    var openingID: UUID?
    var openedAt: Timestamp?
    var opening: JournalEntry.Opening?
    var events: [Event] = []

    init(_ id: UUID) {
        self.id = id
    }

    var entryIDs: [UUID] { [openingID].compactMap(\.self) + events.map(\.id) }
    var isEmpty: Bool { openingID == nil && events.isEmpty }

    /// No effect for one that is there already.
    mutating func add(_ entry: JournalEntry) {
        guard !entryIDs.contains(entry.id) else { return }
        switch entry.content {
        case .opened(let opening):
            guard self.opening == nil else { return }
            (openingID, openedAt, self.opening) = (entry.id, entry.at, opening)
        case .event(let event, let basis):
            events.append(Event(id: entry.id, at: entry.at, event: event, basis: basis))
        }
    }

    /// The database has the incident.
    mutating func closeOpening() { (openingID, openedAt, opening) = (nil, nil, nil) }

    mutating func remove(_ ids: Set<UUID>) {
        if let openingID, ids.contains(openingID) { closeOpening() }
        events.removeAll { ids.contains($0.id) }
    }

    /// An incident that is opened with these events, all of which the database lacks.
    init(_ record: IncidentRecord, events: [IncidentEvent]) {
        id = record.id
        (openingID, openedAt) = (.random(), record.openedAt)
        if let details = record.details {
            opening = JournalEntry.Opening(
                account: record.account, isExercise: record.incident.isExercise, abortWindow: record.incident.callsFrom,
                details: details,
                steps: record.changes.steps.filter { $0.hook == nil }.map {
                    .init(kind: $0.kind, at: $0.at, detail: $0.detail)
                })
        }
        let basis = JournalEntry.Basis(revision: 0, number: record.incident.lastNumber)
        self.events = events.map { Event(id: .random(), at: record.openedAt, event: $0, basis: basis) }
    }

    /// What is written of the opening; `nil` when the database has it.
    var openingEntry: JournalEntry? {
        guard let openingID, let openedAt, let opening else { return nil }
        return JournalEntry(id: openingID, incident: id, at: openedAt, .opened(opening))
    }

    /// All that is written.
    var entries: [JournalEntry] {
        [openingEntry].compactMap(\.self)
            + events.map { JournalEntry(id: $0.id, incident: id, at: $0.at, .event($0.event, $0.basis)) }
    }

    /// The incident as it was opened, without the events; `nil` when the database has the opening.
    func openedRecord(at now: Timestamp) -> IncidentRecord? {
        guard let opening, let openedAt else { return nil }
        var record = IncidentRecord(
            id: id, account: opening.account, openedAt: openedAt, incident: opening.incident(id, at: openedAt),
            details: opening.details, revision: 0, fence: 0, age: IncidentAge(at: now, since: openedAt))
        record.add(opening.steps.map { IncidentStep($0.kind, at: $0.at, detail: $0.detail) })
        return record
    }

    /// The incident as it stands by what is here alone; `nil` when the database has the opening.
    func record(at now: Timestamp) -> IncidentRecord? {
        guard var record = openedRecord(at: now) else { return nil }
        for event in events {
            record.apply(
                event.event.counted(from: record.openedAt, at: event.at),
                at: IncidentAge(at: event.at, since: record.openedAt))
        }
        record.markWritten(revision: 0)
        return record
    }

    /// As the wearer sees it; `nil` without the opening.
    func view(at now: Timestamp) -> IncidentView? { openedRecord(at: now).map { IncidentView($0, as: incident) } }

    /// The incident by what is here alone.
    var incident: Incident {
        var incident = openedAt.flatMap { opening?.incident(id, at: $0) } ?? Incident()
        let from = openedAt ?? events.first?.at ?? .distantPast
        for event in events {
            _ = incident.apply(
                event.event.counted(from: from, at: event.at), at: IncidentAge(at: event.at, since: from))
        }
        return incident
    }
}
