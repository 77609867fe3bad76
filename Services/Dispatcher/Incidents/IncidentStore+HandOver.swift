import Postgres
import Primitives
import Reactor

/// What the hand-over puts on disk. Steps that only the holder of the lease may take answer false when it is lost.
extension IncidentStore {
    /// A hook comes into play, unless the lease is lost, or the incident was accepted or called off meanwhile.
    func begin(
        _ hook: String, of lease: Lease, at now: Timestamp, deadline: Deadline
    ) async throws(PostgresError) -> Bool {
        let count = try await database.execute(
            """
            with held as (
              select id from incident
              where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and accepted_by is null
                and state <> 'closed' for no key update),
            leg as (
              insert into handover (incident, hook, ordinal, begun_at)
              select id, \(hook), (select count(*) + 1 from handover h where h.incident = held.id), \(now) from held
              on conflict on constraint handover_key do nothing returning incident),
            step as (
              insert into incident_step (incident, at, kind, hook)
              select incident, \(now), 'hand-over-begun', \(hook) from leg)
            select from held
            """, deadline: deadline)
        return count > 0
    }

    /// A hook was called, by a courier that could not write so before, or by what the hook itself says. A fact, whoever
    /// holds the lease and whatever the incident has become: one that was called off, or that another has accepted, is
    /// withdrawn from this hook as well (SOS-07, SOS-08). True when that was news.
    func noteCalled(_ hook: String, of id: UUID, at time: Timestamp) async throws(TransactionError) -> Bool {
        try await database.transaction { transaction in
            try await transaction.execute("select from incident where id = \(id) for no key update")
            return try await noteCalled(hook, of: id, at: time, in: transaction)
        }
    }

    /// The same, with the incident locked.
    func noteCalled(_ hook: String, of id: UUID, at time: Timestamp, in transaction: Transaction) async throws -> Bool {
        let isNew = try await transaction.execute(
            """
            insert into handover (incident, hook, ordinal, begun_at)
            select id, \(hook), (select count(*) + 1 from handover h where h.incident = i.id), \(time)
            from incident i where id = \(id)
            on conflict on constraint handover_key do nothing
            """)
        guard isNew > 0 else { return false }
        let isLate: SQL = "cancelled_at is not null and cancel_sequence is null"
        let isLoser: SQL = "coalesce(accepted_by <> \(hook) and loser_sequence is null, false)"
        try await transaction.batch([
            """
            update incident set revision = revision + 1, is_settled = false,
              outcome = case when outcome = 'suppressed' then 'false-alarm' else outcome end,
              cancel_sequence = case when \(sql: isLate) then sequence + 1 else cancel_sequence end,
              loser_sequence = case when \(sql: isLoser) then sequence + 1 else loser_sequence end,
              sequence = sequence + case when \(sql: isLate) or \(sql: isLoser) then 1 else 0 end
            where id = \(id)
            """,
            IncidentStep(.handOverBegun, at: time, hook: hook).insert(of: id),
        ])
        return true
    }

    /// The hook has answered 2xx. A fact, whoever holds the lease.
    func received(
        _ sequence: Int, by hook: String, of id: UUID, isCancellation: Bool, at now: Timestamp
    ) async throws(TransactionError) {
        let kind = isCancellation ? IncidentStep.Kind.cancellationReceived : .received
        try await database.transaction { transaction in
            // Everybody locks the incident first.
            try await transaction.execute("select from incident where id = \(id) for no key update")
            _ = try await noteCalled(hook, of: id, at: now, in: transaction)
            try await transaction.batch([
                """
                update handover set received_at = coalesce(received_at, \(now)),
                  received_sequence = greatest(received_sequence, \(Int32(sequence)))
                where incident = \(id) and hook = \(hook)
                """,
                "update incident set state = 'handed-over' where id = \(id) and state = 'confirmed'",
                IncidentStep(kind, at: now, hook: hook, detail: String(sequence)).insert(of: id),
            ])
        }
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
        try await database.execute(
            """
            with done as (
              update incident set state = 'closed', outcome = 'exercised', closed_at = \(now), is_settled = true
              where id = \(lease.id) and holder = \(holder) and fence = \(lease.fence) and state <> 'closed'
              returning id)
            insert into incident_step (incident, at, kind, detail) select id, \(now), 'closed', 'exercised' from done
            """) > 0
    }

    /// Accepted incidents without news since `before` are closed; also when the last news could not be delivered.
    func closeAcknowledged(before: Timestamp, at now: Timestamp) async throws(PostgresError) {
        try await database.execute(
            """
            with done as (
              update incident set state = 'closed', outcome = 'accepted', closed_at = \(now), revision = revision + 1
              where state = 'acknowledged' and alert_at < \(before) and accepted_at < \(before)
              returning id)
            insert into incident_step (incident, at, kind, detail) select id, \(now), 'closed', 'accepted' from done
            """)
    }

    /// Incidents that all who were called have received or rejected, and none has accepted, without news since `before`, are
    /// closed; test calls since `exercisesBefore`, whatever has become of them. What a hook has not received yet is tried
    /// for ever (SOS-07).
    func closeUnanswered(
        before: Timestamp, exercisesBefore: Timestamp, at now: Timestamp
    ) async throws(PostgresError) {
        try await database.execute(
            """
            with done as (
              update incident i set state = 'closed', outcome = 'unanswered', closed_at = \(now), revision = revision + 1
              where state in ('confirmed', 'handed-over')
                and (is_exercise and alert_at < \(exercisesBefore)
                  or alert_at < \(before)
                    and exists (select from handover where incident = i.id)
                    and not exists (
                      select from handover
                      where incident = i.id and rejected_at is null and received_sequence < i.alert_sequence))
              returning id)
            insert into incident_step (incident, at, kind, detail) select id, \(now), 'closed', 'unanswered' from done
            """)
    }
}
