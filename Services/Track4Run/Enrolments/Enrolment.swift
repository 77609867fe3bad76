import Postgres
import Primitives

/// An enrolment in a run, as it is stored (RUN-06).
struct Enrolment: Sendable {
    enum State: String, Codable, Sendable, PostgresCodable {
        case enrolled
        case checkedIn = "checked-in"
        /// Left the run under way: did not finish.
        case left
        /// Had not checked in at the start.
        case removed
        /// Withdrew the acceptance, or the run was cancelled.
        case out
    }

    let run: UUID
    let runner: UUID
    let bib: Int
    var state: State
    /// `false` when the clauses have changed since (RUN-06).
    let clausesAccepted: Bool

    /// Somebody's enrolments in these runs.
    static func of(runner: UUID, in runs: [UUID], session: some SQLSession) async throws(PostgresError) -> [Enrolment] {
        try await session.query(
            """
            select run_id, bib, state, clauses_accepted from enrolment
            where runner_id = \(runner) and run_id = any(\(runs))
            """, as: UUID.self, Int32.self, State.self, Bool.self
        ).map { Enrolment(run: $0.0, runner: runner, bib: Int($0.1), state: $0.2, clausesAccepted: $0.3) }
    }

    /// One enrolment. Lock its run first where the state must not change afterwards.
    static func find(
        run: UUID, runner: UUID, in session: some SQLSession
    ) async throws(PostgresError) -> Enrolment? {
        let row = try await session.queryOne(
            "select bib, state, clauses_accepted from enrolment where run_id = \(run) and runner_id = \(runner)",
            as: Int32.self, State.self, Bool.self)
        return row.map { Enrolment(run: run, runner: runner, bib: Int($0.0), state: $0.1, clausesAccepted: $0.2) }
    }
}
