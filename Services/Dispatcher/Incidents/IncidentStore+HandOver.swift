import Postgres
import Primitives
import Reactor

/// What the hand-over puts on disk. Steps that only the holder of the lease may take answer false when it is lost.
extension IncidentStore {
    /// A hook comes into play, unless the incident was accepted or called off meanwhile.
    func begin(
        _ hook: String, of lease: Lease, at now: Timestamp, deadline: Deadline
    ) async throws(PostgresError) -> Bool {
        let count = try await database.execute(
            """
            with held as (
              select id from incident
              where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and accepted_by is null
                and state <> 'closed' for no key update),
            step as (
              insert into incident_step (incident, at, kind, hook)
              select id, \(now), 'hand-over-begun', \(hook) from held)
            insert into handover (incident, hook, ordinal, begun_at)
            select id, \(hook), (select count(*) + 1 from handover h where h.incident = held.id), \(now) from held
            on conflict on constraint handover_key do nothing
            """, deadline: deadline)
        return count > 0
    }

    /// The hook has answered 2xx. A fact, whoever holds the lease.
    func received(
        _ sequence: Int, by hook: String, of id: UUID, isCancellation: Bool, at now: Timestamp
    ) async throws(PostgresError) {
        let kind = isCancellation ? IncidentStep.Kind.cancellationReceived : .received
        try await database.batch([
            // Everybody locks the incident first.
            "select from incident where id = \(id) for no key update",
            """
            update handover set received_at = coalesce(received_at, \(now)),
              received_sequence = greatest(received_sequence, \(Int32(sequence)))
            where incident = \(id) and hook = \(hook)
            """,
            "update incident set state = 'handed-over' where id = \(id) and state = 'confirmed'",
            IncidentStep(kind, at: now, hook: hook, detail: String(sequence)).insert(of: id),
        ])
    }

    func note(_ step: IncidentStep, of id: UUID) async throws(PostgresError) {
        try await database.execute(step.insert(of: id))
    }

    /// The person's name has come. With `isNews` those who had the message without it get a new one.
    func setPerson(
        _ details: IncidentDetails, of lease: Lease, isNews: Bool, at now: Timestamp
    ) async throws -> Bool {
        let sealed = try columns.seal(details, .incident, row: lease.id)
        let news: SQL =
            isNews
            ? ", sequence = sequence + 1, alert_sequence = sequence + 1, alert_at = \(now), revision = revision + 1"
            : ""
        return try await database.execute(
            """
            update incident set details = \(sealed)\(sql: news)
            where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and revision = \(lease.revision)
            """) > 0
    }

    /// Nothing is left to be delivered, as far as this revision goes.
    func settle(_ lease: Lease) async throws(PostgresError) -> Bool {
        try await database.execute(
            """
            update incident set is_settled = true
            where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and revision = \(lease.revision)
            """) > 0
    }

    /// A test call has been received: it is over.
    func finishExercise(_ lease: Lease, at now: Timestamp) async throws(PostgresError) -> Bool {
        let counts = try await database.batch([
            """
            update incident set state = 'closed', outcome = 'exercised', closed_at = \(now), is_settled = true
            where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and state <> 'closed'
            """,
            IncidentStep(.closed, at: now, detail: IncidentOutcome.exercised.rawValue).insert(of: lease.id),
        ])
        return counts[0] > 0
    }

    /// Accepted incidents without news since `before` are closed; the answer is how many.
    func closeAcknowledged(before: Timestamp, at now: Timestamp) async throws(PostgresError) -> Int {
        try await database.execute(
            """
            with done as (
              update incident set state = 'closed', outcome = 'accepted', closed_at = \(now)
              where state = 'acknowledged' and is_settled and alert_at < \(before) and accepted_at < \(before)
              returning id)
            insert into incident_step (incident, at, kind, detail) select id, \(now), 'closed', 'accepted' from done
            """)
    }
}
