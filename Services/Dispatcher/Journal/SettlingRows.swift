import Postgres
import Primitives
import Service

/// The rows that settling reads and writes in one transaction: PostgreSQL's (`StoredRows`), and those of a database that is simulated.
protocol SettlingRows {
    /// Locks an incident's row.
    func locked(_ id: UUID) async throws -> IncidentRecord?
    /// As `IncidentStore.takeOut`.
    func takeOut(_ record: inout IncidentRecord) async -> (any Error)?
    /// Those of the entries that were applied before.
    func noted(_ entries: [UUID]) async throws -> [UUID]
    /// As whoever judges the person's samples does, so that none of both opens another one meanwhile.
    func lockMonitor(of account: UUID) async throws
    func isKnown(_ id: UUID) async throws -> Bool
    /// Locks the open ones of a person.
    func locked(openOf account: UUID, isExercise: Bool) async throws -> IncidentStore.Found
    /// The person's emergencies of the last days that are over …
    func past(of account: UUID) async throws -> Set<UUID>
    /// … and when somebody last said so of one (`Incident.saidOverAt`).
    func lastSaidOver(of account: UUID) async throws -> Timestamp?
    /// Writes a new incident, with the lease on this process, or on none for whoever comes first; those that have changed by it, and
    /// those that cannot be read and give way.
    func open(
        _ opened: IncidentRecord, isHeld: Bool, _ changed: [IncidentRecord],
        unreadable: [IncidentStore.Found.Unreadable]
    ) async throws
    /// Writes what was changed, with the commit; false when nothing was.
    func save(_ record: IncidentRecord) throws -> Bool
    /// Writes that entries were applied, with the commit.
    func note(_ entries: [UUID], of incident: UUID) throws
    /// Whether this process has the lease.
    func isHeld(_ id: UUID) async throws -> Bool
}

struct StoredRows: SettlingRows {
    let store: IncidentStore
    let transaction: Transaction

    func locked(_ id: UUID) async throws -> IncidentRecord? {
        let found = try store.decode(try await transaction.run(IncidentStore.select("i.id = \(id)", locked: true)))
        if let unreadable = found.unreadable.first { throw IncidentFault.machine(unreadable.fault) }
        return found.records.first
    }

    func takeOut(_ record: inout IncidentRecord) async -> (any Error)? { await store.takeOut(&record) }

    func noted(_ entries: [UUID]) async throws -> [UUID] {
        try await transaction.query("select id from journal_entry where id = any(\(entries))", as: UUID.self)
    }

    func lockMonitor(of account: UUID) async throws {
        try await transaction.execute("select from monitor where account = \(account) for update")
    }

    func isKnown(_ id: UUID) async throws -> Bool {
        try await transaction.queryOne("select exists (select from incident where id = \(id))", as: Bool.self) ?? false
    }

    func locked(openOf account: UUID, isExercise: Bool) async throws -> IncidentStore.Found {
        try store.decode(
            try await transaction.run(
                IncidentStore.select(
                    "i.account = \(account) and i.state <> 'closed' and i.is_exercise = \(isExercise)", locked: true)))
    }

    func past(of account: UUID) async throws -> Set<UUID> {
        try PastEmergencies.decode(try await transaction.run(PastEmergencies.select([account])))[account] ?? []
    }

    func lastSaidOver(of account: UUID) async throws -> Timestamp? {
        try await transaction.queryOne(PastEmergencies.lastSaidOver(account), as: Timestamp?.self) ?? nil
    }

    func open(
        _ opened: IncidentRecord, isHeld: Bool, _ changed: [IncidentRecord],
        unreadable: [IncidentStore.Found.Unreadable]
    ) async throws {
        var statements = try changed.flatMap { try store.save($0) }
        for other in unreadable {
            statements += try store.close(unreadable: other.id, for: opened.id, at: opened.openedAt)
        }
        statements.append(try store.open(opened, isHeld: isHeld))
        if let finding = opened.details?.findings.first {
            statements.append(
                try store.notices.insert([.incidentOpened(opened.account, finding)], at: opened.openedAt))
        } else if opened.details?.manual != nil {
            statements.append(try store.notices.insert([.calledByHand(opened)], at: opened.openedAt))
        }
        try await transaction.batch(statements)
    }

    func save(_ record: IncidentRecord) throws -> Bool {
        let statements = try store.save(record)
        for statement in statements { try transaction.beforeCommit(statement) }
        return !statements.isEmpty
    }

    func note(_ entries: [UUID], of incident: UUID) throws {
        try transaction.beforeCommit(store.noting(entries, of: incident))
    }

    func isHeld(_ id: UUID) async throws -> Bool {
        let isHeld = try await transaction.queryOne(
            "select holder = \(store.holder) and lease_until > clock_timestamp() from incident where id = \(id)",
            as: Bool?.self)
        return (isHeld ?? nil) ?? false
    }
}
