import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Incidents in the database. Every change locks the incident's row, applies an event to the state machine, and writes
/// the result with its steps and messages in one transaction: so the first acceptance wins, in whichever process it
/// arrives.
///
/// Whoever delivers an incident holds its lease, by PostgreSQL's clock. The fence grows with every change of the holder
/// and tells apart processes that both take themselves for it.
struct IncidentStore: Sendable {
    let database: Database
    let sealing: IncidentSealing
    let audit: AuditTrail
    let notices: NoticeOutbox
    let times: HandOverTimes
    let log: Log
    /// Raised when this process has changed what is stored of an incident or of a monitor's phase, after the commit.
    let changed = EventCounter()
    /// Incidents that cannot be put away …
    let unreadable = Retries<UUID>()
    /// … and those that cannot be restricted.
    let unrestricted = Retries<UUID>()
    /// This process.
    let holder: UUID

    init(
        database: Database, sealing: IncidentSealing, notices: NoticeOutbox, times: HandOverTimes, log: Log,
        holder: UUID = .random()
    ) {
        self.database = database
        self.sealing = sealing
        audit = AuditTrail(database: database)
        self.notices = notices
        self.times = times
        self.log = log
        self.holder = holder
    }

    private var leaseEnd: SQL { "clock_timestamp() + make_interval(secs => \(times.lease.seconds))" }

    // MARK: Writing

    /// Opens an incident, with the lease on this process, or on none for whoever comes first. Affects no row when it is there already,
    /// or another of the person is open.
    func open(_ record: IncidentRecord, isHeld: Bool = true) throws -> SQL {
        guard let details = record.details else { throw IncidentFault.unreadable }
        let (incident, steps) = (record.incident, record.changes.steps)
        let noted: SQL =
            handedOver(steps, of: record).map { ", noted as (\(sql: $0) and exists (select from opened))" } ?? ""
        return """
            with opened as (
              insert into incident (id, account, is_exercise, state, outcome, opened_at, closed_at, machine, details, due_at,
                holder, lease_until)
              values (\(record.id), \(record.account), \(incident.isExercise), \(incident.state), \(incident.outcome),
                \(record.openedAt), \(incident.stage == .closed ? record.time(at: incident.changedAt) : nil),
                \(try text(incident))::jsonb, \(try sealing.seal(details, of: record.id)),
                \(record.dueAt(times)), \(holder), \(sql: isHeld ? leaseEnd : "clock_timestamp()"))
              on conflict do nothing returning id),
            steps as (
              insert into incident_step (incident, at, kind, hook, detail)
              select id, s.at, s.kind, nullif(s.hook, ''), nullif(s.detail, '') from opened, \(sql: unnested(steps)))
            \(sql: noted)
            select id from opened
            """
    }

    /// Writes the changes of an incident whose row is locked.
    func save(_ record: IncidentRecord) throws -> [SQL] {
        let (incident, changes) = (record.incident, record.changes)
        guard !changes.isEmpty else { return [] }
        let closedAt = incident.stage == .closed ? record.time(at: incident.changedAt) : nil
        let dueAt = record.dueAt(times)
        // Who looks after it does not wait for the key store.
        let isTakenOut = record.putAway != nil && (dueAt != nil || changes.hasDetails)
        let sealed = try record.details.flatMap {
            changes.hasDetails || isTakenOut ? try sealing.seal($0, of: record.id) : nil
        }
        let out: SQL = isTakenOut && sealed != nil ? "record = null, record_key = null," : ""
        var statements: [SQL] = [
            """
            update incident set state = \(incident.state), outcome = \(incident.outcome),
              closed_at = coalesce(closed_at, \(closedAt)), accepted_by = \(incident.acceptedBy),
              machine = \(try text(incident))::jsonb, details = coalesce(\(sealed), details), \(sql: out)
              due_at = \(dueAt), revision = revision + 1
            where id = \(record.id)
            """
        ]
        if isTakenOut, sealed != nil, let key = record.putAway?.key {
            statements.append(KeyDestruction.adding([key], at: record.time(at: incident.changedAt)))
        }
        if !changes.steps.isEmpty {
            statements.append(
                """
                insert into incident_step (incident, at, kind, hook, detail)
                select \(record.id), s.at, s.kind, nullif(s.hook, ''), nullif(s.detail, '')
                from \(sql: unnested(changes.steps))
                """)
        }
        if let handedOver = handedOver(changes.steps, of: record) { statements.append(handedOver) }
        if !changes.entries.isEmpty { statements.append(noting(changes.entries, of: record.id)) }
        let told = changes.notices.map { Notice($0, of: record) }
        if !told.isEmpty { statements.append(try notices.insert(told, at: record.time(at: incident.changedAt))) }
        return statements
    }

    /// Closes an incident of which not even the state can be read: a new one takes its place, and nobody can be told.
    func close(unreadable id: UUID, for successor: UUID, at now: Timestamp) throws -> [SQL] {
        var incident = Incident().numbered(from: now)
        _ = incident.apply(.superseded(by: successor, isTold: false), at: .zero)
        let step = IncidentStep(.closed, at: now, detail: incident.outcome?.rawValue)
        return [
            """
            update incident set state = \(incident.state), outcome = \(incident.outcome), closed_at = \(now),
              machine = \(try text(incident))::jsonb, due_at = null, revision = revision + 1
            where id = \(id) and state <> 'closed'
            """,
            """
            insert into incident_step (incident, at, kind, hook, detail)
            select \(id), s.at, s.kind, nullif(s.hook, ''), nullif(s.detail, '') from \(sql: unnested([step]))
            """,
        ]
    }

    /// Notes that the provisional samples which an emergency rests on are stored now, in its incident, open or not, if there is one of that
    /// emergency's id which rests on such that were not.
    func note(stored origin: Finding.Origin, of account: UUID, at time: Timestamp) -> SQL {
        let step = IncidentStep.stored(origin, at: time)
        func count(_ kind: IncidentStep.Kind) -> SQL {
            "(select count(*) from incident_step o where o.incident = i.id and o.kind = \(kind) and o.detail = s.detail)"
        }
        return """
            insert into incident_step (incident, at, kind, hook, detail)
            select i.id, s.at, s.kind, nullif(s.hook, ''), nullif(s.detail, '')
            from incident i, \(sql: unnested([step])) where i.id = \(IncidentID.of(account, origin))
              and \(sql: count(.provisional)) > \(sql: count(.stored))
            """
    }

    private func text(_ incident: Incident) throws(JSONError) -> String {
        String(decoding: try JSONEncoder().encode(incident), as: UTF8.self)
    }

    /// The entries of the audit trail about those steps by which an ambulance service is handed the incident: before it is called
    /// first, and when it has received a message. `nil` when there are none.
    private func handedOver(_ steps: [IncidentStep], of record: IncidentRecord) -> SQL? {
        let handedOver = steps.filter(\.isHandOver)
        guard !handedOver.isEmpty else { return nil }
        let purpose = "\(record.incident.isExercise ? "exercise" : "incident") \(record.id)"
        return audit.noting(
            handedOver.map { (actor: "hook \($0.hook ?? "")", action: "dispatcher.\($0.kind.rawValue)") },
            purpose: purpose, of: "audit_pseudonym(\(record.account))")
    }

    private func unnested(_ steps: [IncidentStep]) -> SQL {
        """
        unnest(\(steps.map(\.at)), \(steps.map(\.kind.rawValue)), \(steps.map { $0.hook ?? "" }),
          \(steps.map { $0.detail ?? "" })) as s (at, kind, hook, detail)
        """
    }

    // MARK: Changing

    /// Lets `body` change the incident with its row locked; returns the stored result and what `body` returned. `nil`
    /// when there is no such incident, or, with `lease`, when this process has lost it.
    func change<R: Sendable>(
        _ id: UUID, of lease: Lease? = nil, deadline: Deadline? = nil,
        _ body: @escaping @Sendable (inout IncidentRecord) throws -> R
    ) async throws -> (record: IncidentRecord, result: R)? {
        let held: SQL = lease.map { "and i.holder = \(holder) and i.fence = \($0.fence)" } ?? ""
        let condition: SQL = "i.id = \(id) \(sql: held)"
        return try await database.transaction(deadline: deadline) { transaction in
            let found = try decode(try await transaction.run(Self.select(condition, locked: true)))
            if let unreadable = found.unreadable.first { throw IncidentFault.machine(unreadable.fault) }
            guard var record = found.records.first else { return nil }
            let fault = await takeOut(&record)
            let result = try body(&record)
            // Somebody has to look after it again, and has to know what it is about.
            if let fault, record.dueAt(times) != nil { throw fault }
            let statements = try save(record)
            for statement in statements { try transaction.beforeCommit(statement) }
            if !statements.isEmpty { transaction.afterCommit { changed.raise() } }
            if !record.changes.notices.isEmpty { transaction.afterCommit { notices.wake() } }
            if !statements.isEmpty { record.markWritten(revision: record.revision + 1) }
            return (record, result)
        }
    }

    /// Opens what was put away; why it cannot be opened.
    func takeOut(_ record: inout IncidentRecord) async -> (any Error)? {
        guard let stored = record.putAway else { return nil }
        let held = await sealing.keys.keySetAtHand(of: [stored.key].compactMap(\.self))
        do { record.takeOut(try sealing.open(stored, of: record.id, with: held)) } catch { return error }
        return nil
    }

    // MARK: Leases

    struct Lease: Sendable, Equatable {
        var id: UUID
        var fence: Int64
        var revision: Int64
    }

    /// Renews this process's leases; returns those that it still has. A disk that is slower than a lease does not end it: what a crash
    /// of the database takes of a renewal is over soon anyway. Nor does it wait for an incident that is being changed, of which the
    /// commit may be slow: nobody can claim that one meanwhile.
    func renew(_ ids: [UUID]) async throws(PostgresError) -> [Lease] {
        let results = try await database.runBatch([
            .commitWithoutWaiting,
            """
            with renewed as (
              update incident set lease_until = \(sql: leaseEnd)
              where id in (select id from incident where id = any(\(ids)) and holder = \(holder) for no key update skip locked))
            select id, fence, revision from incident where id = any(\(ids)) and holder = \(holder)
            """,
        ])
        return try leases(results[1])
    }

    /// Takes over due incidents that nobody holds, except `skipped`, those that have waited longest first. A lease that ends
    /// later than a new one would was taken before PostgreSQL's clock was set back, and counts as ended; an incident that
    /// was due at once when it was opened stays due. Neither does it wait for the disk: renewals would wait for it, and every
    /// change checks the fence, so that a lease which a crash of the database takes back changes nothing.
    func claim(max: Int, but skipped: [UUID] = []) async throws(PostgresError) -> [Lease] {
        let results = try await database.runBatch([
            .commitWithoutWaiting,
            """
            update incident set holder = \(holder), fence = fence + 1, lease_until = \(sql: leaseEnd)
            where id in (
              select id from incident
              where due_at is not null and (due_at <= clock_timestamp() or due_at <= opened_at)
                and (lease_until < clock_timestamp() or lease_until > \(sql: leaseEnd)) and id <> all(\(skipped))
              order by lease_until limit \(max) for no key update skip locked)
            returning id, fence, revision
            """,
        ])
        return try leases(results[1])
    }

    private func leases(_ rows: ResultSet) throws(PostgresError) -> [Lease] {
        try rows.decode(as: UUID.self, Int64.self, Int64.self).map { Lease(id: $0.0, fence: $0.1, revision: $0.2) }
    }

    /// Gives leases back at once, when the process stops.
    func release() async throws(PostgresError) {
        try await database.execute(
            "update incident set lease_until = clock_timestamp() where holder = \(holder) and due_at is not null")
    }

    // MARK: Reading

    /// The incidents that were read. One that cannot be read does not prevent the others from being read.
    struct Found: Sendable {
        struct Unreadable: Sendable {
            let id: UUID
            let account: UUID
            let fault: String
        }

        var records: [IncidentRecord] = []
        var unreadable: [Unreadable] = []
    }

    /// Statement for the incidents that `condition` names; for `decode`.
    static func select(_ condition: SQL, locked: Bool = false) -> SQL {
        """
        select i.id, i.account, i.opened_at, i.machine::text as machine, i.details, i.record, i.record_key, i.revision, i.fence,
          (extract(epoch from clock_timestamp() - i.opened_at) * 1000)::bigint as age_ms
        from incident i where \(sql: condition)\(raw: locked ? " order by i.id for no key update" : "")
        """
    }

    func decode(_ rows: ResultSet) throws -> Found {
        var found = Found()
        for row in rows.rows {
            let (id, account): (UUID, UUID) = (try row["id"], try row["account"])
            let machine: String = try row["machine"]
            do {
                let incident = try JSONDecoder().decode(Incident.self, from: Array(machine.utf8))
                found.records.append(try record(id, account, incident, row))
            } catch let error as JSONError {
                found.unreadable.append(.init(id: id, account: account, fault: error.description))
            }
        }
        return found
    }

    private func record(
        _ id: UUID, _ account: UUID, _ incident: Incident, _ row: PostgresRow
    ) throws(PostgresError) -> IncidentRecord {
        let openedAt: Timestamp = try row["opened_at"]
        let incident = incident.numbersFrom == nil ? incident.numbered(from: openedAt) : incident
        var details: IncidentDetails?
        var fault: String?
        let stored = try IncidentSealing.Stored(row)
        do { details = try stored.details.map { try sealing.open($0, of: id) } } catch { fault = "\(error)" }
        return IncidentRecord(
            id: id, account: account, openedAt: openedAt, incident: incident, details: details,
            fault: fault, putAway: stored.key == nil ? nil : stored, revision: try row["revision"],
            fence: try row["fence"],
            age: IncidentAge(milliseconds: try row["age_ms"]))
    }

    /// The incidents that `condition` names.
    func records(_ condition: SQL, deadline: Deadline? = nil) async throws -> Found {
        try decode(try await database.run(Self.select(condition), deadline: deadline))
    }

    func record(_ id: UUID, deadline: Deadline?) async throws -> IncidentRecord? {
        let found = try await records("i.id = \(id)", deadline: deadline)
        if let unreadable = found.unreadable.first { throw IncidentFault.machine(unreadable.fault) }
        return found.records.first
    }
}

/// Why an incident cannot be worked with.
enum IncidentFault: Error, Sendable, Equatable {
    /// Its details.
    case unreadable
    /// Its state.
    case machine(String)
}

extension Duration {
    /// With fractions.
    var seconds: Double { Double(microseconds) / 1_000_000 }
}
