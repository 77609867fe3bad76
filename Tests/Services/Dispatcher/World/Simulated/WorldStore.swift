import Postgres
import Primitives
import Reactor

@testable import Dispatcher

/// The stored incidents, as one process reaches them.
final class WorldStore: IncidentKeeper, @unchecked Sendable {
    private unowned let world: World
    private unowned let process: WorldProcess
    /// What was held, and how long `WorldMutant.leaseCheckedLate` still believes it.
    private var held: [UUID: (lease: IncidentStore.Lease, until: Deadline)] = [:]

    init(of process: WorldProcess, in world: World) { (self.process, self.world) = (process, world) }

    private var database: WorldDatabase { world.database }

    func change<R: Sendable>(
        _ id: UUID, of lease: IncidentStore.Lease?, deadline: Deadline?,
        _ body: @escaping @Sendable (inout IncidentRecord) throws -> R
    ) async throws -> (record: IncidentRecord, result: R)? {
        let (world, process) = (world, process)
        let lease = world.mutant == .leaseCheckedLate ? nil : lease
        return try await database.transaction(process, deadline: deadline, locks: { _ in [.incident(id)] }) {
            tables, commit in
            let isHeld = lease.map {
                tables.incidents[id]?.holder == process.id && tables.incidents[id]?.fence == $0.fence
            }
            guard isHeld ?? true, let row = tables.incidents[id] else { return nil }
            var record = row.record(at: world.database.now)
            let result = try body(&record)
            world.database.record(
                .change(holder: process.id, id, lease, { record in _ = try body(&record) }, isDone: true))
            let written = record
            commit.effects.append { world.watch.changed(row, to: written, by: process) }
            if tables.save(record, world.times) { record.markWritten(revision: record.revision + 1) }
            return (record, result)
        }
    }

    func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails?, deadline: Deadline?
    ) async throws -> IncidentStore.Settlement {
        let (world, process) = (world, process)
        return try await database.transaction(process, deadline: deadline, locks: { $0.locks(toSettle: journalled) }) {
            tables, commit in
            let rows = WorldSettlingRows(tables, process, in: world)
            let settlement = try await journalled.settle(in: rows, seen: seen, world.times)
            (tables, commit.effects) = (rows.tables, rows.effects)
            world.database.record(.settle(holder: process.id, journalled, seen: seen))
            return settlement.outcome
        }
    }

    func record(_ id: UUID, deadline: Deadline?) async throws -> IncidentRecord? {
        try await records(of: [id], deadline: deadline).records.first
    }

    func records(of ids: [UUID]) async throws -> IncidentStore.Found { try await records(of: ids, deadline: nil) }

    private func records(of ids: [UUID], deadline: Deadline?) async throws -> IncidentStore.Found {
        let database = database
        return try await database.transaction(process, deadline: deadline, isReading: true) { tables, _ in
            .init(records: ids.compactMap { tables.incidents[$0]?.record(at: database.now) })
        }
    }

    func renew(_ ids: [UUID]) async throws(PostgresError) -> [IncidentStore.Lease] {
        var leases = try await leases(waitsForDisk: false) { tables, commit, now, world, process in
            let free = ids.filter { !world.database.isLocked(.incident($0)) }
            world.database.record(.renew(holder: process.id, free))
            return tables.renew(free, of: ids, by: process.id, at: now, world.times)
        }
        guard world.mutant == .leaseCheckedLate else { return leases }
        for lease in leases { held[lease.id] = (lease, .after(.seconds(20))) }
        for id in ids where !leases.contains(where: { $0.id == id }) {
            if let old = held[id], !old.until.hasPassed { leases.append(old.lease) }
        }
        return leases
    }

    func claim(max: Int, but skipped: [UUID]) async throws(PostgresError) -> [IncidentStore.Lease] {
        try await leases(waitsForDisk: false) { tables, commit, now, world, process in
            let skipped = skipped + tables.incidents.keys.filter { world.database.isLocked(.incident($0)) }.sorted()
            world.database.record(.claim(holder: process.id, max: max, skipped: skipped))
            let before = tables.incidents
            let leases = tables.claim(
                max: max, but: skipped, by: process.id, at: now, world.times,
                isEager: world.mutant == .twoCouriers)
            for lease in leases {
                guard let row = before[lease.id] else { continue }
                commit.effects.append { world.watch.claimed(row, by: process) }
            }
            return leases
        }
    }

    func release() async throws(PostgresError) {
        _ = try await leases { tables, commit, now, world, process in
            world.database.record(.release(holder: process.id))
            tables.release(by: process.id, at: now)
            return []
        }
    }

    private func leases(
        waitsForDisk: Bool = true,
        _ body:
            @escaping (inout WorldDatabase.Tables, inout WorldDatabase.Commit, Timestamp, World, WorldProcess) ->
            [IncidentStore.Lease]
    ) async throws(PostgresError) -> [IncidentStore.Lease] {
        let (world, process) = (world, process)
        do {
            return try await database.transaction(process, deadline: nil, waitsForDisk: waitsForDisk) {
                tables, commit in
                body(&tables, &commit, world.database.now, world, process)
            }
        } catch let error as PostgresError { throw error } catch { throw .connection(detail: "\(error)") }
    }
}
