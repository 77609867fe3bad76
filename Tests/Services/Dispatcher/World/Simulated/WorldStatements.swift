import Postgres
import Primitives
import Reactor

@testable import Dispatcher

/// An operation on rows that has taken effect, for `WorldReplayTests`, which lets PostgreSQL do the same and compares the rows.
enum WorldOperation: Sendable {
    /// `IncidentStore.change`.
    case change(
        holder: UUID, UUID, IncidentStore.Lease?, @Sendable (inout IncidentRecord) throws -> Void, isDone: Bool)
    /// `IncidentStore.settle`.
    case settle(holder: UUID, JournalledIncident, seen: IncidentDetails?)
    /// `IncidentStore.call`.
    case press(holder: UUID, UUID, UUID, hooks: [String], IncidentStore.Press, at: Timestamp)
    case renew(holder: UUID, [UUID])
    case claim(holder: UUID, max: Int, skipped: [UUID])
    case release(holder: UUID)
    /// `WatchedPeople.write` of one person: `IncidentStore.save` of these, then `IncidentStore.open`, then `save`.
    case write(holder: UUID, superseded: [IncidentRecord], opened: IncidentRecord?, saved: IncidentRecord?)
}

/// What stands for these statements. Each takes effect in one moment; in PostgreSQL the locks see to that.
///
/// | here | there |
/// |---|---|
/// | `save` | `IncidentStore.save`: `update incident set state …, machine, details = coalesce(…), due_at, revision = revision + 1`, and `insert into incident_step` |
/// | `open` | `IncidentStore.open`: `insert into incident … on conflict do nothing` (its id, or the person's open one: `incident_open_key`) |
/// | `renew`, `claim`, `release` | the updates of the same names in `IncidentStore` |
/// | `WorldSettlingRows` | `StoredRows` |
/// | `parts`, `replicas` | `PartLeases`: `feed_replica`, `feed_cursor` |
/// | `monitors` | the row of `monitor` that `WatchedPeople.change` locks and writes |
extension WorldDatabase.Tables {
    mutating func save(_ record: IncidentRecord, _ times: HandOverTimes) -> Bool {
        guard !record.changes.isEmpty, var row = incidents[record.id] else { return false }
        row.incident = record.incident
        if record.changes.hasDetails, let details = record.details { row.details = details }
        row.dueAt = record.dueAt(times)
        row.revision += 1
        row.steps += record.changes.steps
        entries.formUnion(record.changes.entries)
        incidents[record.id] = row
        return true
    }

    func open(of account: UUID, isExercise: Bool = false) -> [WorldRow] {
        incidents.values.filter {
            $0.account == account && $0.incident.stage != .closed && $0.incident.isExercise == isExercise
        }.sorted { $0.id < $1.id }
    }

    /// As `PastEmergencies.select`; a world lasts minutes.
    func over(of account: UUID) -> Set<UUID> {
        let closed = incidents.values.filter { $0.account == account && $0.incident.stage == .closed }
        return Set(closed.flatMap { ($0.incident.emergencies ?? []) + [$0.id] })
    }

    mutating func open(
        _ record: IncidentRecord, by holder: UUID, isHeld: Bool = true, at now: Timestamp, _ times: HandOverTimes
    ) -> Bool {
        guard let details = record.details, incidents[record.id] == nil else { return false }
        let isClosed = record.incident.stage == .closed
        guard isClosed || open(of: record.account, isExercise: record.incident.isExercise).isEmpty else { return false }
        incidents[record.id] = WorldRow(
            id: record.id, account: record.account, openedAt: record.openedAt, incident: record.incident,
            details: details, dueAt: record.dueAt(times), holder: holder, leaseUntil: isHeld ? now + times.lease : now,
            steps: record.changes.steps)
        return true
    }

    /// Renews those that are free; tells the leases of all.
    mutating func renew(
        _ free: [UUID], of ids: [UUID], by holder: UUID, at now: Timestamp, _ times: HandOverTimes
    ) -> [IncidentStore.Lease] {
        for id in free where incidents[id]?.holder == holder { incidents[id]?.leaseUntil = now + times.lease }
        return ids.sorted().compactMap { id in incidents[id].flatMap { $0.holder == holder ? $0.lease : nil } }
    }

    /// `isEager`: whatever lease there is (`WorldMutant.twoCouriers`).
    mutating func claim(
        max: Int, but skipped: [UUID], by holder: UUID, at now: Timestamp, _ times: HandOverTimes, isEager: Bool
    ) -> [IncidentStore.Lease] {
        let end = now + times.lease
        let free = incidents.values.filter { row in
            guard let dueAt = row.dueAt, dueAt <= now || dueAt <= row.openedAt, !skipped.contains(row.id) else {
                return false
            }
            return row.leaseUntil < now || row.leaseUntil > end || isEager && row.holder != holder
        }
        return free.sorted { ($0.leaseUntil, $0.id) < ($1.leaseUntil, $1.id) }.prefix(max).compactMap { row in
            incidents[row.id]?.holder = holder
            incidents[row.id]?.fence += 1
            incidents[row.id]?.leaseUntil = end
            return incidents[row.id]?.lease
        }
    }

    mutating func release(by holder: UUID, at now: Timestamp) {
        for (id, row) in incidents where row.holder == holder && row.dueAt != nil { incidents[id]?.leaseUntil = now }
    }
}

extension WorldDatabase.Tables {
    /// As `WatchedPeople.change` locks monitors, and the open incidents of their people.
    func locks(toWatch accounts: Set<UUID>) -> Set<WorldLock> {
        WorldLock.monitors(of: accounts).union(accounts.flatMap { open(of: $0) }.map { .incident($0.id) })
    }

    /// As `StoredRows` does.
    func locks(toSettle journalled: JournalledIncident) -> Set<WorldLock> {
        var locks: Set<WorldLock> = [.incident(journalled.id)]
        // What is beyond the end of one is opened anew.
        let known = journalled.events.contains(where: \.event.isEmergency) ? incidents[journalled.id]?.account : nil
        if let account = journalled.opening?.account ?? known { locks.formUnion(self.locks(toWatch: [account])) }
        return locks
    }
}

extension WorldRow {
    var lease: IncidentStore.Lease { .init(id: id, fence: fence, revision: revision) }
}

/// The rows of the transaction that settles a journal; the rest of it is shipped (`JournalledIncident.settle`).
final class WorldSettlingRows: SettlingRows {
    private(set) var tables: WorldDatabase.Tables
    private(set) var effects: [@Sendable () -> Void] = []
    private let process: WorldProcess
    private let now: Timestamp
    private let world: World

    init(_ tables: WorldDatabase.Tables, _ process: WorldProcess, in world: World) {
        (self.tables, self.process, self.world) = (tables, process, world)
        now = world.database.now
    }

    func locked(_ id: UUID) async throws -> IncidentRecord? { tables.incidents[id]?.record(at: now) }
    func takeOut(_ record: inout IncidentRecord) async -> (any Error)? { nil }

    func noted(_ entries: [UUID]) async throws -> [UUID] {
        world.mutant == .journalReplayedTwice ? [] : entries.filter(tables.entries.contains)
    }

    func lockMonitor(of account: UUID) async throws {}
    func isKnown(_ id: UUID) async throws -> Bool { tables.incidents[id] != nil }

    func locked(openOf account: UUID, isExercise: Bool) async throws -> IncidentStore.Found {
        .init(records: tables.open(of: account, isExercise: isExercise).map { $0.record(at: now) })
    }

    func past(of account: UUID) async throws -> Set<UUID> { tables.over(of: account) }
    func lastSaidOver(of account: UUID) async throws -> Timestamp? {
        tables.incidents.values.filter { $0.account == account }.compactMap { row in
            row.incident.saidOverAt.map { row.openedAt + ($0 - .zero) }
        }.max()
    }

    func open(
        _ opened: IncidentRecord, isHeld: Bool, _ changed: [IncidentRecord],
        unreadable: [IncidentStore.Found.Unreadable]
    ) async throws {
        for record in changed { _ = saved(record) }
        if tables.open(opened, by: process.id, isHeld: isHeld, at: now, world.times) {
            effects.append { [world, process] in world.watch.opened(opened, by: process) }
        }
    }

    func save(_ record: IncidentRecord) throws -> Bool { saved(record) }

    private func saved(_ record: IncidentRecord) -> Bool {
        if let row = tables.incidents[record.id] {
            effects.append { [world, process] in world.watch.changed(row, to: record, by: process) }
        }
        return tables.save(record, world.times)
    }

    func note(_ entries: [UUID], of incident: UUID) throws {
        for entry in entries where !tables.entries.insert(entry).inserted {
            effects.append { [world] in world.watch.appliedTwice(entry, incident) }
        }
    }

    func isHeld(_ id: UUID) async throws -> Bool {
        tables.incidents[id].map { $0.holder == process.id && $0.leaseUntil > now } ?? false
    }
}
