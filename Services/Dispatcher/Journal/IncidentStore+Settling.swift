import Domain
import Postgres
import Primitives
import Reactor
import Service

/// How what is in a local journal reaches the database: each entry once, however often it is tried (SOS-07).
extension IncidentStore {
    /// What an incident is after its entries have been applied.
    struct Settled: Sendable {
        let record: IncidentRecord
        /// Whether this process has the lease.
        let isHeld: Bool
        /// Something was missed, and is too long ago to be handed over (`JournalledIncident.openAnew`).
        let isTooLate: Bool
    }

    /// The outcome of settling.
    enum Settlement: Sendable {
        /// The database has all of the entries.
        case settled(Settled)
        /// It has no such incident, and the entries do not open it: another process's journal may.
        case unknown
    }

    /// Applies what a journal has of an incident, in one transaction, with what its courier knows of the person beyond that. Entries
    /// that were applied before have no effect.
    ///
    /// Another open incident of the person gives way, or this one does: the one that was accepted first stands, or else the
    /// one that is in the database.
    func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails? = nil, deadline: Deadline? = nil
    ) async throws -> Settlement {
        do throws(TransactionError) {
            return try await database.transaction(deadline: deadline) { transaction in
                let settlement = try await journalled.settle(
                    in: StoredRows(store: self, transaction: transaction), seen: seen, times)
                if case .settled(_, let hasNotices) = settlement, hasNotices {
                    transaction.afterCommit { notices.wake() }
                }
                return settlement.outcome
            }
        } catch { throw error.underlying }
    }

    /// Notes that entries of a local journal were applied to an incident.
    func noting(_ entries: [UUID], of incident: UUID) -> SQL {
        """
        insert into journal_entry (id, incident)
        select e, \(incident) from unnest(\(entries)) e on conflict do nothing
        """
    }
}

extension JournalledIncident {
    /// What settling has written.
    enum InRows: Sendable {
        case settled(IncidentStore.Settled, hasNotices: Bool)
        case unknown

        var outcome: IncidentStore.Settlement {
            switch self {
            case .settled(let settled, _): .settled(settled)
            case .unknown: .unknown
            }
        }
    }

    /// The body of `IncidentStore.settle`, in a transaction that is begun.
    func settle(
        in rows: some SettlingRows, seen: IncidentDetails?, _ times: HandOverTimes
    ) async throws -> InRows {
        var inserted: Inserted?
        if let opened = openedRecord(at: openedAt ?? .distantPast) {
            inserted = try await insert(opened, seen: seen, in: rows, times)
        }
        let isInserted = inserted != nil
        guard var record = try await rows.locked(id) else { return .unknown }
        let known = try await rows.noted(entryIDs)
        let fault = await rows.takeOut(&record)
        if let seen { record.change { $0.learn(from: seen) } }
        let new = events.filter { !known.contains($0.id) }
        let changes = isInserted ? 0 : record.revision
        // Its own messages have the numbers of those that say so.
        let hasGivenWay = isInserted && record.incident.stage == .closed
        if !isInserted, let opening, let openedAt {
            let promised = max(.zero, opening.abortWindow + (openedAt - record.openedAt))
            if promised < record.incident.callsFrom { record.apply(.callsPromised(from: promised)) }
        }
        var missed: [Event] = []
        let numberBefore = record.incident.lastNumber
        record.apply(apart: new) { record, event in
            let verdict = record.apply(journalled: event)
            if verdict == .closed, event.event.isEmergency { missed.append(event) }
        }
        // Others have gone on with it meanwhile, and may have given the numbers of messages that were made here to theirs; and who was called
        // here was told what was known then.
        let bases = new.compactMap(\.basis)
        let isApart = new.contains { event in
            event.basis.map { basis in
                max(basis.revision, 1) < changes && (event.event.isCall || (basis.own ?? basis.number) > 0)
            } ?? false
        }
        let apart = hasGivenWay || isApart ? bases.map(\.number).max() : nil
        // What follows from what no courier here knew of is told now, and others may have told more since that was said.
        let isNew = new.contains { $0.basis == nil } && record.incident.lastNumber > numberBefore
        let now = isNew ? Int(record.time(at: record.clock.age).milliseconds) : nil
        // What the database has from elsewhere may have been told from here, with a higher number than what is due now.
        let told = events.filter { known.contains($0.id) }.compactMap { $0.basis?.told }
        let passed = told.filter(record.incident.isPassedOver).flatMap(\.values).max()
        if let numbers = [apart, now, passed].compactMap(\.self).max() { record.apply(.rejoined(numbers: numbers)) }
        // Whoever was called before has not heard of it.
        for other in inserted?.heard ?? [] { record.hear(other.details, foundAt: other.foundAt) }
        if let fault, record.dueAt(times) != nil { throw fault }
        // Who has heard of an incident that gives way has heard of what was found in it.
        let isHeard = hasGivenWay && record.incident.outcome?.isSaid != true
        let after =
            isHeard ? .told : try await openAnew(missed, after: &record, seen: seen, fault, in: rows, times)
        let isChanged = try after == .opened ? !record.changes.isEmpty : rows.save(record)
        let added = Set(entryIDs).subtracting(known)
        if !added.isEmpty { try rows.note(added.sorted(), of: record.id) }
        let isHeld = try await rows.isHeld(record.id)
        let hasNotices = !record.changes.notices.isEmpty
        if isChanged { record.markWritten(revision: record.revision + 1) }
        return .settled(
            .init(record: record, isHeld: isHeld, isTooLate: after == .tooLate), hasNotices: hasNotices)
    }

    /// When somebody has said that all is well, after this was found: here, and on the other side as news of the incident that has ended
    /// with that.
    private func saidOver(since found: IncidentRecord, in rows: some SettlingRows) async throws -> Timestamp? {
        guard try await rows.past(of: found.account).contains(found.id),
            let said = try await rows.lastSaidOver(of: found.account), said - found.openedAt > Self.clocksApartMax
        else { return nil }
        return said
    }

    /// That the incident was opened, and what is to be told to whoever has it: what others have found that gave way to it, the last of it
    /// then.
    private struct Inserted {
        var heard: [(details: IncidentDetails, foundAt: Timestamp)] = []
    }

    /// Opens the incident; `nil` when it is there: as the monitor of the database's samples would have.
    private func insert(
        _ given: IncidentRecord, seen: IncidentDetails?, in rows: some SettlingRows, _ times: HandOverTimes
    ) async throws -> Inserted? {
        try await rows.lockMonitor(of: given.account)
        guard try await !rows.isKnown(given.id) else { return nil }
        var inserted = Inserted()
        let others = try await rows.locked(openOf: given.account, isExercise: given.incident.isExercise)
        var opened = given
        var changed: [IncidentRecord] = []
        let (isOver, told) = (incident.stage == .closed, details(with: seen))
        let foundAt = events.filter { $0.event.isEmergency && $0.event != .calledByHand }.map(\.at).max()
        for var other in others.records {
            let accepted = acceptance?.at
            let isFirst = accepted.map { accepted in other.acceptedTime.map { accepted < $0 } ?? true } ?? false
            if !isOver, isFirst || supersedes(other.id) || other.givesWay(to: opening?.details.findings.first, times) {
                if isFirst, let details = other.details { inserted.heard.append((details, other.foundAt)) }
                other.apply(.superseded(by: opened.id, isTold: other.details != nil))
            } else {
                if !isOver, let told { other.hear(told, foundAt: foundAt ?? given.openedAt) }
                opened.apply(.superseded(by: other.id, isTold: true), at: .zero)
            }
            changed.append(other)
        }
        if !isOver, changed.isEmpty, let said = try await saidOver(since: given, in: rows) {
            opened.apply(.calledOff, at: IncidentAge(at: said, since: given.openedAt))
        }
        try await rows.open(opened, isHeld: true, changed, unreadable: others.unreadable)
        return inserted
    }
}

extension JournalledIncident {
    /// The ambulance service that accepted it first and has not rejected it since.
    var acceptance: (hook: String, at: Timestamp)? {
        guard incident.stage == .accepted else { return nil }
        var accepted: (hook: String, at: Timestamp)?
        for event in events {
            switch event.event {
            case .acceptedApart(let hook, _, _), .accepted(let hook, _): accepted = accepted ?? (hook, event.at)
            case .rejected(let hook, _, _): if accepted?.hook == hook { accepted = nil }
            default: break
            }
        }
        return accepted
    }

    /// What is known of the person, with what was seen since it was opened.
    fileprivate func details(with seen: IncidentDetails?) -> IncidentDetails? {
        guard var details = opening?.details else { return nil }
        if let seen { details.learn(from: seen) }
        if let press = events.last(where: { $0.event == .calledByHand }) { details.notePress(at: press.at) }
        return details
    }

    /// Whether it was opened in place of that one.
    fileprivate func supersedes(_ id: UUID) -> Bool { opening?.details.supersedes == id }
}

extension IncidentRecord {
    /// Whether nobody acts any more on this one, which is open, or nobody can be told anything of it: another emergency is an incident of
    /// its own. Of one that was accepted, as it was at `time`.
    func givesWay(to finding: Finding?, _ times: HandOverTimes, at time: Timestamp? = nil) -> Bool {
        guard let details else { return true }
        let then = incident.stage == .accepted ? time.map { IncidentAge(at: $0, since: openedAt) } : nil
        return incident.givesWay(
            isSameEpisode: finding.map(details.isSameEpisode) ?? false, hooks: [], times: times, at: then ?? clock.age)
    }

    /// What was found of the person, the last of it then, in an incident that gives way to this one: whoever has this one is told.
    mutating func hear(_ other: IncidentDetails, foundAt time: Timestamp) {
        guard let known = details else { return }
        let new = other.findings.filter { !known.has($0) }
        change { $0.learn(from: other) }
        for finding in new { apply(.emergency(finding, of: account), at: age(at: time)) }
        if let press = other.manual?.at, known.isNewer(pressAt: press) {
            apply(.calledByHand, at: age(at: press))
        }
    }

    private func age(at time: Timestamp) -> IncidentAge { IncidentAge(at: time, since: openedAt).notZero }

    /// When the last emergency of it was found.
    fileprivate var foundAt: Timestamp { time(at: incident.foundAt ?? .zero) }

    fileprivate var acceptedTime: Timestamp? {
        incident.stage == .accepted ? incident.acceptedAt.map { time(at: $0) } : nil
    }

    /// Applies what was journalled, with the time at which it happened in the history.
    @discardableResult
    mutating func apply(journalled event: JournalledIncident.Event) -> IncidentVerdict {
        let verdict = apply(
            event.event.counted(from: openedAt, at: event.at), at: IncidentAge(at: event.at, since: openedAt),
            happenedAt: event.at)
        if event.event == .calledByHand, verdict == .done { change { $0.notePress(at: event.at) } }
        return verdict
    }
}
