import Postgres
import Primitives
import Service

/// What ambulance services and wearers decide. The row's lock lets the first one win.
extension IncidentStore {
    enum Answer: Sendable, Equatable {
        case done
        /// The same was said before.
        case repeated
        case acceptedByAnother
        case calledOff
        case unknown
    }

    private struct Standing {
        var acceptedBy: String?
        var isClosed: Bool
        var isCancelled: Bool
        var isExercise: Bool
        var rejectedAt: Timestamp?
        var others: Int64
    }

    /// What stands in the way of `hook`, with the incident locked. Who can answer was called, whether or not that could be
    /// written at the time.
    private func standing(
        _ id: UUID, hook: String, at now: Timestamp, in transaction: Transaction
    ) async throws -> Standing? {
        let row = try await transaction.queryOne(
            """
            select accepted_by, state = 'closed', cancelled_at is not null, is_exercise from incident
            where id = \(id) for no key update
            """, as: String?.self, Bool.self, Bool.self, Bool.self)
        guard let row else { return nil }
        _ = try await noteCalled(hook, of: id, at: now, in: transaction)
        let legs = try await transaction.query(
            "select hook, rejected_at from handover where incident = \(id)", as: String.self, Timestamp?.self)
        guard let own = legs.first(where: { $0.0 == hook }) else { return nil }
        return Standing(
            acceptedBy: row.0, isClosed: row.1, isCancelled: row.2, isExercise: row.3, rejectedAt: own.1,
            others: Int64(legs.count { $0.0 != hook && $0.1 == nil }))
    }

    /// Whose emergency it is; `nil` for a test call.
    func person(of id: UUID) async throws(PostgresError) -> (account: UUID, openedAt: Timestamp)? {
        try await database.queryOne(
            "select account, opened_at from incident where id = \(id) and not is_exercise",
            as: UUID.self, Timestamp.self)
    }

    /// The first hook that accepts has the incident; those called in vain get a cancellation (SOS-07, SOS-13). A test call is
    /// over with that (SOS-12).
    func accept(_ id: UUID, by hook: String, notice: Notice?, at now: Timestamp, notices: NoticeOutbox) async throws
        -> Answer
    {
        try await database.transaction { transaction in
            guard let standing = try await standing(id, hook: hook, at: now, in: transaction) else { return .unknown }
            if let winner = standing.acceptedBy { return winner == hook ? .repeated : .acceptedByAnother }
            guard !standing.isClosed, !standing.isCancelled else { return .calledOff }
            var statements: [SQL] = [
                """
                update incident set accepted_by = \(hook), accepted_at = \(now), state = 'acknowledged',
                  loser_sequence = case when \(standing.others) > 0 then sequence + 1 end,
                  sequence = sequence + case when \(standing.others) > 0 then 1 else 0 end,
                  revision = revision + 1, is_settled = false
                where id = \(id)
                """,
                // It has the message, whatever became of our call's answer.
                """
                update handover set received_at = coalesce(received_at, \(now)), rejected_at = null,
                  received_sequence = greatest(received_sequence, 1)
                where incident = \(id) and hook = \(hook)
                """,
                IncidentStep(.accepted, at: now, hook: hook).insert(of: id),
            ]
            if standing.isExercise {
                statements += [
                    "update incident set state = 'closed', outcome = 'exercised', closed_at = \(now) where id = \(id)",
                    IncidentStep(.closed, at: now, detail: IncidentOutcome.exercised.rawValue).insert(of: id),
                ]
            }
            if let notice { statements.append(try notices.insert([notice], at: now)) }
            try await transaction.batch(statements)
            return .done
        }
    }

    /// The hook cannot come: the next one is called at once.
    func reject(_ id: UUID, by hook: String, at now: Timestamp) async throws -> Answer {
        try await database.transaction { transaction in
            guard let standing = try await standing(id, hook: hook, at: now, in: transaction) else { return .unknown }
            if standing.rejectedAt != nil { return .repeated }
            guard standing.acceptedBy == nil else { return .acceptedByAnother }
            guard !standing.isClosed, !standing.isCancelled else { return .calledOff }
            try await transaction.batch([
                "update handover set rejected_at = \(now) where incident = \(id) and hook = \(hook)",
                "update incident set revision = revision + 1 where id = \(id)",
                IncidentStep(.rejected, at: now, hook: hook).insert(of: id),
            ])
            return .done
        }
    }

    /// The wearer is well: before the hand-over nobody is called, afterwards a cancellation goes out (SOS-08).
    func callOff(_ id: UUID, of account: UUID, at now: Timestamp) async throws -> (Answer, IncidentOutcome?) {
        try await database.transaction { transaction in
            let row = try await transaction.queryOne(
                """
                select state, outcome from incident where id = \(id) and account = \(account) for no key update
                """, as: IncidentState.self, IncidentOutcome?.self)
            guard let row else { return (.unknown, nil) }
            guard row.0 != .closed else {
                return (row.1 == .falseAlarm || row.1 == .suppressed ? .repeated : .calledOff, row.1)
            }
            let legs = try await transaction.queryOne(
                "select count(*) from handover where incident = \(id)", as: Int64.self)
            let outcome = legs == 0 ? IncidentOutcome.suppressed : .falseAlarm
            let isCalled = outcome == .falseAlarm
            try await transaction.batch([
                """
                update incident set state = 'closed', outcome = \(outcome), closed_at = \(now), cancelled_at = \(now),
                  cancel_sequence = case when \(isCalled) then sequence + 1 end,
                  sequence = sequence + case when \(isCalled) then 1 else 0 end,
                  revision = revision + 1, is_settled = \(!isCalled)
                where id = \(id)
                """,
                IncidentStep(.falseAlarm, at: now).insert(of: id),
                IncidentStep(.closed, at: now, detail: outcome.rawValue).insert(of: id),
            ])
            return (.done, outcome)
        }
    }
}
