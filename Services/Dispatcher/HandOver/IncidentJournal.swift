import Primitives

/// An incident as one process knows it: the stored record, the events of this process that are not written yet, and the
/// state that follows when they are applied to the record.
struct IncidentJournal: Sendable {
    struct Entry: Sendable, Equatable {
        let id: UUID
        let event: IncidentEvent
        /// By the database's clock.
        let at: Timestamp
        /// What was known when it happened.
        fileprivate(set) var basis: JournalEntry.Basis?
        /// The highest number of a message after it, where this process has made messages that the record it knew did not have.
        fileprivate(set) var ownNumber: Int?
        /// Whether it is on this machine's disk (`LocalJournal`).
        var isJournalled = false

        init(_ event: IncidentEvent, as id: UUID, at time: Timestamp) {
            (self.id, self.event, at) = (id, event, time)
        }

        init(_ event: JournalledIncident.Event, isOnDisk: Bool) {
            (id, self.event, at, basis) = (event.id, event.event, event.at, event.basis)
            ownNumber = event.basis?.own.flatMap { $0 > 0 ? $0 : nil }
            isJournalled = isOnDisk
        }

        var journalled: JournalledIncident.Event { .init(id: id, at: at, event: event, basis: basis) }

        /// Messages are sent before they are written.
        fileprivate mutating func note(_ incident: Incident, after written: IncidentRecord) {
            guard incident.lastNumber > written.incident.lastNumber else { return }
            let number = max(ownNumber ?? basis?.number ?? 0, incident.lastNumber)
            ownNumber = number
            basis?.number = number
            basis?.own = number
            var told = basis?.told ?? [:]
            for known in incident.handOvers {
                guard let due = known.dueNumber, due > written.incident.lastNumber else { continue }
                told[known.hook] = max(told[known.hook] ?? 0, due)
            }
            basis?.told = told
        }
    }

    /// With this many events unwritten, further failed calls are dropped. All other events are few per hook.
    static let failuresMax = 200

    private(set) var written: IncidentRecord
    private(set) var unwritten: [Entry] = []
    /// Those that were.
    private(set) var stored: Set<UUID> = []
    private(set) var incident: Incident

    /// `journalled` are events that the record lacks, on this machine's disk unless that has failed.
    init(_ record: IncidentRecord, journalled: [JournalledIncident.Event] = [], isOnDisk: Bool = true) {
        written = record
        incident = record.incident
        unwritten = journalled.map { Entry($0, isOnDisk: isOnDisk) }
        for entry in unwritten { apply(entry) }
    }

    mutating func add(_ event: IncidentEvent, as id: UUID = .random(), at age: IncidentAge) {
        if case .attemptFailed = event, unwritten.count >= Self.failuresMax { return }
        var entry = Entry(event, as: id, at: written.time(at: age))
        let before = event.saysOver ? incident : nil
        apply(entry)
        entry.basis = .init(
            revision: written.revision, number: incident.lastNumber, own: 0,
            ended: before.map(incident.numbersDue))
        entry.note(incident, after: written)
        unwritten.append(entry)
    }

    /// Adds events that are on disk already, unless they are known.
    mutating func add(journalled events: [JournalledIncident.Event]) {
        for event in events where !has(event.id) {
            let entry = Entry(event, isOnDisk: true)
            unwritten.append(entry)
            apply(entry)
        }
    }

    /// Whether it has that one, written or not.
    func has(_ id: UUID) -> Bool { stored.contains(id) || unwritten.contains { $0.id == id } }

    private mutating func apply(_ entry: Entry) {
        _ = incident.apply(
            entry.event.counted(from: written.openedAt, at: entry.at),
            at: IncidentAge(at: entry.at, since: written.openedAt))
    }

    /// The record with what is not written.
    var current: IncidentRecord {
        var record = written
        for entry in unwritten { record.apply(journalled: entry.journalled) }
        record.markWritten(revision: written.revision)
        return record
    }

    /// Removes these events, which are stored now. Call `adopt` with the stored record before or after.
    mutating func markWritten(_ ids: [UUID]) {
        unwritten.removeAll { ids.contains($0.id) }
        stored.formUnion(ids)
    }

    /// Call when these events are on this machine's disk.
    mutating func markJournalled(_ ids: [UUID]) {
        for index in unwritten.indices where ids.contains(unwritten[index].id) { unwritten[index].isJournalled = true }
    }

    /// Replaces what is known of the person, until the stored record says more.
    mutating func see(_ details: IncidentDetails) { written.change { $0 = details } }

    /// Replaces the record by the stored one; false when a newer one was known. Every event may be applied twice.
    mutating func adopt(_ record: IncidentRecord) -> Bool {
        guard record.revision >= written.revision else { return false }
        // What was seen with an emergency is written with it.
        let seen = unwritten.contains(where: \.event.isEmergency) ? written.details : nil
        written = record
        if let seen { written.change { $0.learn(from: seen) } }
        incident = record.incident
        for index in unwritten.indices {
            apply(unwritten[index])
            unwritten[index].note(incident, after: written)
        }
        return true
    }
}

extension IncidentRecord {
    /// Applies what happened elsewhere to what is stored. What others have changed since may have given numbers of that side to other
    /// messages.
    mutating func apply(_ entries: [IncidentJournal.Entry]) {
        apply(apart: entries.map(\.journalled)) { record, event in
            record.apply(
                event.event, as: event.event.isJournalled ? event.id : nil,
                at: IncidentAge(at: event.at, since: record.openedAt))
        }
        let apart = entries.filter { $0.basis.map { $0.revision < revision } ?? false }.compactMap(\.ownNumber).max()
        if let apart { apply(.rejoined(numbers: apart)) }
    }
}

extension IncidentEvent {
    /// An acceptance that was answered apart has its age by the time at which the incident was opened here.
    func counted(from openedAt: Timestamp, at time: Timestamp) -> IncidentEvent {
        guard case .acceptedApart(let hook, let call, _) = self else { return self }
        return .acceptedApart(hook, call, at: .zero + (time - openedAt))
    }

    /// What is worth a place on this machine's disk: failed calls are not.
    var isJournalled: Bool { if case .attemptFailed = self { false } else { true } }

    var isAcceptance: Bool { if case .accepted = self { true } else { false } }

    /// Also one that was answered apart from the database.
    var isAnyAcceptance: Bool { if case .acceptedApart = self { true } else { isAcceptance } }

    var isAnyRefusal: Bool { if case .refused = self { true } else { false } }

    /// Whether a service was called.
    var isCall: Bool { if case .handOverBegun = self { true } else { false } }

    var isRejection: Bool { if case .rejected = self { true } else { false } }

    /// Whether it is kept where it was decided without the database. Of two acceptances the one that counts here may give way, and what is
    /// over here may go on: a service must not be taken for one that comes when it has said here that it does not, or was told so.
    func countsApart(_ verdict: IncidentVerdict) -> Bool {
        switch (self, verdict) {
        case (_, .done): true
        case (.rejected, .acceptedByAnother), (.rejected, .closed): true
        case (.accepted(_, _?), .acceptedByAnother), (.accepted(_, _?), .closed): true
        default: false
        }
    }

    /// Said by an ambulance service or the wearer, who was told that it counts.
    var isDecision: Bool {
        switch self {
        case .accepted, .acceptedApart, .refused, .rejected, .resolved, .calledOff, .calledOffByDevice, .calledByHand,
            .progress:
            true
        default: false
        }
    }

    /// The same, decided so where nothing may be known of other decisions.
    func apart(_ verdict: IncidentVerdict, at age: IncidentAge) -> IncidentEvent {
        guard case .accepted(let hook, let call) = self else { return self }
        if let call, verdict == .acceptedByAnother || verdict == .closed { return .refused(hook, call) }
        return .acceptedApart(hook, call, at: age)
    }
}

extension Sequence<IncidentEvent> {
    /// Whether there is no room for another refusal of the service: of acceptances that it sends again and again.
    func haveTooManyRefusals(with event: IncidentEvent) -> Bool {
        guard case .refused(let hook, _) = event else { return false }
        return count { if case .refused(hook, _) = $0 { true } else { false } } >= Incident.refusalsMax
    }
}
