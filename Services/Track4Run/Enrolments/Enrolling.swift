import Contracts
import HTTP
import Postgres
import Primitives
import RPC
import Service

/// Enrols runners and lets them leave (RUN-06, RUN-07). Refusals hold under concurrency: a transaction locks the
/// runner's row in `runner`, then the run's.
struct Enrolling: Sendable {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let live: LiveRuns
    let accounts: any RPCCaller

    /// The bib number. Who is enrolled already accepts clauses that have changed since, until the start. `clauses` are
    /// those that the runner has read, `nil` for those of now. Errors: 404; 422 `clauses-not-accepted`; 409
    /// `clauses-changed`, `own-run`, `not-open`, `enrolment-closed`, `already-enrolled`, `overlapping-run`, `run-full`.
    func enrol(
        _ runner: UUID, in id: UUID, accepting clauses: String?, clausesAccepted: Bool
    ) async throws -> (bib: Int, isNew: Bool) {
        guard clausesAccepted else {
            throw RunDraft.invalid(
                "clauses-not-accepted", "/clauses_accepted", "The clauses of the run have to be accepted.")
        }
        let profile = try await accounts.call(Accounts.Name.self, .init(accountID: runner, purpose: "run"))
        let name = PersonalColumn.runnerName.seal(
            profile.name, row: [id, runner], with: try await store.key(of: runner))
        let now = store.clock.now()
        let enrolled = try await store.transaction { transaction in
            try await transaction.execute(
                "insert into runner (account_id) values (\(runner)) on conflict on constraint runner_key do nothing")
            try await transaction.execute("select from runner where account_id = \(runner) for update")
            guard let run = try await runs.lock(id, in: transaction) else { throw Problem.notFound }
            guard clauses == nil || clauses == run.clauses else {
                throw Self.refused("clauses-changed", "the clauses have changed since you read them: read them again")
            }
            let known = try await Enrolment.find(run: id, runner: runner, in: transaction)
            if let known, known.state == .enrolled, !known.clausesAccepted {
                guard run.state == .open, now < run.start else { throw Self.notOpen }
                try await transaction.execute(
                    "update enrolment set clauses_accepted = true where run_id = \(id) and runner_id = \(runner)")
                return (bib: known.bib, isNew: false)
            }
            try Self.check(run, runner, at: now)
            try await check(known, of: runner, run, in: transaction)
            guard run.participants < run.participantsMax else {
                throw Self.refused("run-full", "all \(run.participantsMax) places are taken")
            }
            let bib = try await transaction.queryOne(
                """
                update run set participants = participants + 1, last_bib = last_bib + 1, version = version + 1
                where id = \(id) returning last_bib
                """, as: Int32.self)
            guard let bib else { throw Problem.notFound }
            try await transaction.execute(
                """
                insert into enrolment as e (run_id, runner_id, bib, name, enrolled_at)
                values (\(id), \(runner), \(bib), \(name), \(now))
                on conflict on constraint enrolment_key do update
                set bib = excluded.bib, name = excluded.name, enrolled_at = excluded.enrolled_at, state = 'enrolled',
                  ask_after = null, asked_at = null, consent_version = 0, shares_heart_rate = false, is_mentioned = true,
                  clauses_accepted = true
                where e.state = 'out'
                """)
            try await store.notices.add([.enrolled(run, runner, bib: Int(bib))], at: now, in: transaction)
            return (bib: Int(bib), isNew: true)
        }
        store.notices.wake()
        return enrolled
    }

    private static func check(_ run: Run, _ runner: UUID, at now: Timestamp) throws(Problem) {
        guard run.state == .open else { throw notOpen }
        guard run.organiser != runner else { throw refused("own-run", "nobody enrols in an own run") }
        guard now < run.enrolmentDeadline else { throw refused("enrolment-closed", "the deadline has passed") }
    }

    private func check(
        _ known: Enrolment?, of runner: UUID, _ run: Run, in transaction: Transaction
    ) async throws {
        // Who has withdrawn the acceptance of the check-in may come back.
        if let known, known.state != .out {
            throw Self.refused("already-enrolled", "you are enrolled in this run")
        }
        let other = try await transaction.query(
            """
            select r.name from enrolment e join run r on r.id = e.run_id
            where e.runner_id = \(runner) and e.state in ('enrolled', 'checked-in') and r.state = 'open'
              and r.starts_at < \(run.end) and r.ends_at > \(run.start)
            limit 1
            """, as: String.self)
        if let name = other.first {
            throw Self.refused("overlapping-run", "you are enrolled in “\(name)”, which is at the same time")
        }
    }

    /// Ends an enrolment. Before the start the place becomes free; a runner who leaves later did not finish, and later
    /// samples do not count. Errors: 404 `not-enrolled`, 409 `not-open`.
    func leave(_ runner: UUID, run id: UUID) async throws {
        let now = store.clock.now()
        let isUnderWay = try await store.transaction { transaction in
            guard let run = try await runs.lock(id, in: transaction) else { throw Problem.notFound }
            let enrolment = try await Enrolment.find(run: id, runner: runner, in: transaction)
            guard let enrolment, enrolment.state == .enrolled || enrolment.state == .checkedIn else {
                throw Problem(.notFound, code: "not-enrolled", detail: "you are not enrolled in this run")
            }
            guard run.state == .open, now < run.end else {
                throw Self.notOpen
            }
            let isUnderWay = enrolment.state == .checkedIn && now >= run.start
            if isUnderWay {
                try await watches.begin(runner, run, leftAt: now, in: transaction)
                try await transaction.batch([
                    """
                    update enrolment set state = 'left', left_at = \(now)
                    where run_id = \(id) and runner_id = \(runner)
                    """,
                    "update run set version = version + 1 where id = \(id)",
                ])
            } else {
                if enrolment.state == .checkedIn { try await watches.end(runner, run, in: transaction) }
                try await transaction.batch([
                    "delete from progress where run_id = \(id) and runner_id = \(runner)",
                    "delete from enrolment where run_id = \(id) and runner_id = \(runner)",
                    "update run set participants = participants - 1, version = version + 1 where id = \(id)",
                ])
            }
            try await store.notices.add([.left(run, runner, bib: enrolment.bib)], at: now, in: transaction)
            return isUnderWay
        }
        if isUnderWay { live.leave(runner, run: id, at: now) } else { live.remove(runner, from: id) }
        store.notices.wake()
    }

    private static let notOpen = refused("not-open", "the run is over or was cancelled")

    private static func refused(_ code: String, _ detail: String) -> Problem {
        Problem(.conflict, code: code, detail: detail)
    }
}
