import Postgres
import Primitives

/// Incidents in the database. Whoever delivers one holds its lease, by PostgreSQL's clock; what only that one may do is
/// guarded by the fence, which grows with every change of hands.
struct IncidentStore: Sendable {
    let database: Database
    let columns: SealedColumns
    /// This process.
    let holder: UUID
    let lease: Duration

    init(database: Database, columns: SealedColumns, holder: UUID = .random(), lease: Duration = HandOverTimes().lease)
    {
        self.database = database
        self.columns = columns
        self.holder = holder
        self.lease = lease
    }

    private var leaseEnd: SQL { "clock_timestamp() + make_interval(secs => \(lease.seconds))" }

    // MARK: Opening

    /// A new incident with its first hook, on lease to this process. Does nothing when it is there already, or another of
    /// the person is open. Rows affected: 0 then.
    func open(_ record: IncidentRecord, steps: [IncidentStep]) throws -> SQL {
        let sealed = try columns.seal(record.details, .incident, row: record.id)
        let state = record.state
        return """
            with opened as (
              insert into incident (id, account, is_exercise, state, opened_at, not_before, details, alert_at, holder,
                lease_until)
              values (\(record.id), \(record.account), \(state.isExercise), 'confirmed', \(record.openedAt),
                \(state.notBefore), \(sealed), \(record.alertAt), \(holder), \(sql: leaseEnd))
              on conflict do nothing returning id),
            legs as (
              insert into handover (incident, hook, ordinal, begun_at)
              select id, l.hook, l.number, l.at from opened,
                unnest(\(state.legs.map(\.hook)), \(state.legs.map(\.begunAt))) with ordinality as l (hook, at, number)),
            steps as (
              insert into incident_step (incident, at, kind, hook, detail)
              select id, s.at, s.kind, nullif(s.hook, ''), nullif(s.detail, '') from opened,
                unnest(\(steps.map(\.at)), \(steps.map(\.kind.rawValue)), \(steps.map { $0.hook ?? "" }),
                  \(steps.map { $0.detail ?? "" })) as s (at, kind, hook, detail))
            select id from opened
            """
    }

    /// A new incident takes the place of one that nobody has accepted: whoever may have that one is told, unless it cannot be
    /// read.
    func supersede(_ id: UUID, isReadable: Bool, at now: Timestamp) -> [SQL] {
        let isCalled: SQL =
            isReadable
            ? "exists (select from handover where incident = \(id) and rejected_at is null)" : "false"
        return [
            """
            update incident set state = 'closed', outcome = 'unanswered', closed_at = \(now), cancelled_at = \(now),
              cancel_sequence = case when \(sql: isCalled) then sequence + 1 end,
              sequence = sequence + case when \(sql: isCalled) then 1 else 0 end,
              revision = revision + 1, is_settled = not \(sql: isCalled)
            where id = \(id) and state <> 'closed'
            """,
            IncidentStep(.closed, at: now, detail: IncidentOutcome.unanswered.rawValue).insert(of: id),
        ]
    }

    /// News of an open incident: a new message for everybody concerned.
    func update(_ record: IncidentRecord, steps: [IncidentStep], at now: Timestamp) throws -> [SQL] {
        let sealed = try columns.seal(record.details, .incident, row: record.id)
        let update: SQL = """
            update incident set details = \(sealed), sequence = sequence + 1, alert_sequence = sequence + 1,
              alert_at = \(now), revision = revision + 1, is_settled = false
            where id = \(record.id) and state <> 'closed'
            """
        return [update] + steps.map { $0.insert(of: record.id) }
    }

    // MARK: Leases

    struct Lease: Sendable, Equatable {
        var id: UUID
        var fence: Int64
        var revision: Int64
    }

    /// Renews this process's leases; the answer is those it still has.
    func renew(_ ids: [UUID]) async throws(PostgresError) -> [Lease] {
        let rows = try await database.query(
            """
            update incident set lease_until = \(sql: leaseEnd)
            where id = any(\(ids)) and holder = \(holder) and not is_settled returning id, fence, revision
            """, as: UUID.self, Int64.self, Int64.self)
        return rows.map { Lease(id: $0.0, fence: $0.1, revision: $0.2) }
    }

    /// Takes over what nobody holds, oldest first, but for `skipped`.
    func claim(max: Int, but skipped: [UUID] = []) async throws(PostgresError) -> [Lease] {
        let rows = try await database.query(
            """
            update incident set holder = \(holder), fence = fence + 1, lease_until = \(sql: leaseEnd)
            where id in (
              select id from incident where not is_settled and lease_until < clock_timestamp() and id <> all(\(skipped))
              order by lease_until limit \(max) for no key update skip locked)
            returning id, fence, revision
            """, as: UUID.self, Int64.self, Int64.self)
        return rows.map { Lease(id: $0.0, fence: $0.1, revision: $0.2) }
    }

    /// Gives leases back at once, when the process stops.
    func release() async throws(PostgresError) {
        try await database.execute(
            "update incident set lease_until = clock_timestamp() where holder = \(holder) and not is_settled")
    }

    // MARK: Reading

    private static let recordColumns = """
        i.id, i.account, i.details, i.opened_at, i.alert_at, i.accepted_at, i.cancelled_at, i.fence,
          i.is_exercise, i.not_before, i.alert_sequence, i.loser_sequence, i.cancel_sequence, i.accepted_by,
          i.state = 'closed', i.revision, i.outcome,
          case when i.outcome = 'unanswered' and i.cancelled_at is not null then (
            select n.id from incident n
            where n.account = i.account and not n.is_exercise and n.opened_at > i.opened_at
            order by n.opened_at limit 1) end
        """

    /// What was found; an incident that cannot be read does not keep the others from being.
    struct Found: Sendable {
        struct Unreadable: Sendable {
            let id: UUID
            let account: UUID
            let error: any Error
        }

        var records: [IncidentRecord] = []
        var unreadable: [Unreadable] = []
    }

    /// The incidents that `condition` names, with their legs.
    func records(_ condition: SQL, in session: some SQLSession) async throws -> Found {
        let results = try await session.runBatch(Self.recordStatements(condition), deadline: nil)
        return try decode(results[0], legs: results[1])
    }

    static func recordStatements(_ condition: SQL, locked: Bool = false) -> [SQL] {
        [
            "select \(raw: recordColumns) from incident i where \(sql: condition)\(raw: locked ? " for no key update" : "")",
            """
            select h.incident, h.hook, h.begun_at, h.received_at, h.received_sequence, h.rejected_at
            from handover h join incident i on i.id = h.incident where \(sql: condition) order by h.ordinal
            """,
        ]
    }

    func decode(_ incidents: ResultSet, legs: ResultSet) throws -> Found {
        var byIncident: [UUID: [HandOverState.Leg]] = [:]
        for row in try legs.decode(
            as: UUID.self, String.self, Timestamp.self, Timestamp?.self, Int32.self, Timestamp?.self)
        {
            byIncident[row.0, default: []].append(
                .init(
                    hook: row.1, begunAt: row.2, receivedAt: row.3, receivedSequence: Int(row.4), rejectedAt: row.5))
        }
        let rows = try incidents.decode(
            as: UUID.self, UUID.self, [UInt8].self, Timestamp.self, Timestamp.self, Timestamp?.self, Timestamp?.self,
            Int64.self, Bool.self, Timestamp.self, Int32.self, Int32?.self, Int32?.self, String?.self, Bool.self,
            Int64.self, String?.self, UUID?.self)
        var found = Found()
        for row in rows {
            var state = HandOverState(isExercise: row.8, notBefore: row.9)
            state.alertSequence = Int(row.10)
            state.loserSequence = row.11.map { Int($0) }
            state.cancelSequence = row.12.map { Int($0) }
            state.acceptedBy = row.13
            state.isClosed = row.14
            state.legs = byIncident[row.0] ?? []
            state.revision = row.15
            state.outcome = row.16.flatMap(IncidentOutcome.init)
            state.supersededBy = row.17
            do {
                let details = try columns.open(row.2, as: IncidentDetails.self, .incident, row: row.0)
                found.records.append(
                    IncidentRecord(
                        id: row.0, account: row.1, details: details, openedAt: row.3, alertAt: row.4,
                        acceptedAt: row.5, cancelledAt: row.6, fence: row.7, state: state))
            } catch {
                found.unreadable.append(.init(id: row.0, account: row.1, error: error))
            }
        }
        return found
    }

    func record(_ id: UUID) async throws -> IncidentRecord? {
        let found = try await records("i.id = \(id)", in: database)
        if let unreadable = found.unreadable.first { throw unreadable.error }
        return found.records.first
    }
}

extension Duration {
    /// With fractions.
    var seconds: Double { Double(microseconds) / 1_000_000 }
}
