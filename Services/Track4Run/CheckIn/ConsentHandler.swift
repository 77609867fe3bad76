import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives

/// Follows `query.consents`: a runner who accepts the check-in takes part, and one who withdraws it no longer does
/// (RUN-08). The query service accepts none after the start, so an acceptance that arrives late still counts.
struct ConsentHandler: FeedHandler {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let live: LiveRuns

    private struct Change: Sendable {
        let consent: Query.ConsentChange
        let run: UUID
        let version: Int64

        /// `nil` for a consent that is no check-in.
        init?(_ consent: Query.ConsentChange, version: Int64) {
            guard let run = consent.runID else { return nil }
            self.consent = consent
            self.run = run
            self.version = version
        }
    }

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        effect(try records.compactMap { Change(try $0.decode(), version: $0.version) })
    }

    func beginSnapshot() async throws -> FeedEffect {
        .statements([
            """
            update enrolment e set is_mentioned = false from run r
            where r.id = e.run_id and r.state = 'open' and e.is_mentioned
            """
        ])
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        effect(try entities.compactMap { Change(try $0.decode(), version: $0.version) }, isSnapshot: true)
    }

    /// A check-in that the snapshot lacks, of a run that is not over, is unknown to the query service: it was lost with
    /// a primary. The consent counts as not given, and whoever can still be asked is asked anew.
    func endSnapshot() async throws -> FeedEffect {
        let now = store.clock.now()
        return .transaction { transaction in
            let unknown = try await transaction.query(
                """
                select e.run_id, e.runner_id from enrolment e join run r on r.id = e.run_id
                where not e.is_mentioned and e.asked_at is not null and e.state in ('enrolled', 'checked-in', 'left')
                  and r.state = 'open' and r.ends_at > \(now)
                order by e.run_id, e.runner_id
                """, as: UUID.self, UUID.self)
            for (id, runner) in unknown {
                guard let run = try await runs.lock(id, in: transaction), run.state == .open else { continue }
                let enrolment = try await Enrolment.find(run: id, runner: runner, in: transaction)
                if enrolment?.state == .checkedIn || enrolment?.state == .left {
                    try await checkOut(runner, run, to: run.hasStarted ? .removed : .enrolled, in: transaction)
                }
                try await transaction.execute(
                    """
                    update enrolment set asked_at = null, ask_after = null, consent_version = 0
                    where run_id = \(id) and runner_id = \(runner)
                    """)
            }
        }
    }

    private func effect(_ changes: [Change], isSnapshot: Bool = false) -> FeedEffect {
        guard !changes.isEmpty else { return .none }
        return .transaction { transaction in
            // In the same order everywhere, so that replicas do not deadlock.
            for change in changes.sorted(by: { $0.run < $1.run }) {
                try await apply(change, isSnapshot: isSnapshot, in: transaction)
            }
        }
    }

    /// A snapshot is applied whatever the versions: numbers of a lost primary are given out again.
    private func apply(_ change: Change, isSnapshot: Bool, in transaction: Transaction) async throws {
        guard let run = try await runs.lock(change.run, in: transaction), run.state == .open else { return }
        let runner = change.consent.individualID
        let row = try await transaction.queryOne(
            """
            select bib, state, consent_version, shares_heart_rate, left_at from enrolment
            where run_id = \(run.id) and runner_id = \(runner)
            """, as: Int32.self, Enrolment.State.self, Int64.self, Bool.self, Timestamp?.self)
        guard let (bib, state, version, sharedHeartRate, leftAt) = row, isSnapshot || version < change.version,
            change.consent.requestID == CheckInRequests.identifier(run.id, bib: Int(bib))
        else { return }
        let isAccepted = change.consent.state == .accepted
        let sharesHeartRate = isAccepted ? change.consent.types.contains(.heartRate) : sharedHeartRate
        try await transaction.execute(
            """
            update enrolment set consent_version = \(change.version), is_mentioned = true,
              shares_heart_rate = \(sharesHeartRate)
            where run_id = \(run.id) and runner_id = \(runner)
            """)
        switch (change.consent.state, state) {
        case (.accepted, .enrolled), (.accepted, .removed):
            try await checkIn(change, run, returns: state == .removed, in: transaction)
        case (.accepted, .checkedIn), (.accepted, .left):
            // Something else is passed on from now on.
            guard sharesHeartRate != sharedHeartRate else { break }
            try await watches.begin(runner, run, leftAt: leftAt, in: transaction)
        case (.withdrawn, .checkedIn), (.refused, .checkedIn), (.lapsed, .checkedIn), (.withdrawn, .left),
            (.refused, .left), (.lapsed, .left):
            try await checkOut(runner, run, to: .out, in: transaction)
        case (.pending, .checkedIn), (.pending, .left):
            try await checkOut(runner, run, to: run.hasStarted ? .removed : .enrolled, in: transaction)
        default: break
        }
    }

    /// Ends the check-in of somebody who has not consented, or has withdrawn: nothing more is shown of them.
    private func checkOut(
        _ runner: UUID, _ run: Run, to state: Enrolment.State, in transaction: Transaction
    ) async throws {
        try await watches.end(runner, run, in: transaction)
        try await transaction.batch([
            """
            update enrolment set state = \(state), left_at = null, missed_at = null
            where run_id = \(run.id) and runner_id = \(runner)
            """,
            "delete from progress where run_id = \(run.id) and runner_id = \(runner)",
            """
            update run set participants = participants - \(Int32(state == .enrolled ? 0 : 1)), version = version + 1
            where id = \(run.id)
            """,
        ])
        // Spectators' maps lose the runner at once.
        transaction.afterCommit { live.remove(runner, from: run.id) }
    }

    private func checkIn(_ change: Change, _ run: Run, returns: Bool, in transaction: Transaction) async throws {
        let runner = change.consent.individualID
        try await watches.begin(runner, run, in: transaction)
        try await transaction.batch([
            "update enrolment set state = 'checked-in' where run_id = \(run.id) and runner_id = \(runner)",
            """
            update run set participants = participants + \(Int32(returns ? 1 : 0)), version = version + 1
            where id = \(run.id)
            """,
        ])
    }
}
