import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service

/// Erases what Track4Run has of an account (ACC-12): the own runs that are not under way yet are cancelled, of the others the
/// organiser is nobody any more; the runner is in no run that goes on, and in the rankings of those that are over a number
/// without a name.
struct RunErasure: ErasurePart {
    let store: Store
    let runs: RunStore
    let planning: RunPlanning
    let watches: WatchPublisher
    let live: LiveRuns

    func erase(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        guard erasure.scope == .account else { return [] }
        var items = try await eraseOrganiser(erasure.accountID, erasure.kind, in: transaction)
        if erasure.kind == .individual { items += try await eraseRunner(erasure.accountID, in: transaction) }
        let notices = try await transaction.execute("delete from notice where account_id = \(erasure.accountID)")
        items.append(.init("messages", notices))
        return items.filter { $0.count > 0 }
    }

    func erased(_ erasures: [Accounts.Erasure]) async { store.notices.wake() }

    // MARK: Runs of the organiser

    private func eraseOrganiser(
        _ account: UUID, _ kind: AccountKind, in transaction: Transaction
    ) async throws -> [Accounts.ErasedItem] {
        let now = store.clock.now()
        let upcoming = try await transaction.query(
            """
            select id from run where organiser_id = \(account) and state = 'open' and starts_at > \(now) order by id
            """, as: UUID.self)
        var cancelled = 0
        for id in upcoming {
            guard let run = try await runs.lock(id, in: transaction), run.state == .open else { continue }
            try await planning.cancel(run, telling: [], at: now, in: transaction)
            cancelled += 1
        }
        let own = try await transaction.query("select id from run where organiser_id = \(account)", as: UUID.self)
        // A company that organised a public run stays named, as in the results it has published.
        guard kind == .individual else {
            let kept = Accounts.ErasedItem("published-runs", own.count, ground: .othersHistory)
            return [.init("cancelled-runs", cancelled), kept]
        }
        for id in own {
            try await transaction.execute(
                """
                update run set organiser_id = \(UUID.random()), organiser_name = null, version = version + 1
                where id = \(id)
                """)
        }
        return [.init("cancelled-runs", cancelled), .init("organised-runs", own.count)]
    }

    // MARK: The runner

    private func eraseRunner(_ runner: UUID, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        let enrolments = try await transaction.query(
            "select run_id, state from enrolment where runner_id = \(runner) order by run_id", as: UUID.self,
            Enrolment.State.self)
        var results = 0
        for (id, state) in enrolments {
            // One that cannot be read is erased like one that is over.
            let run = try await reporting("a run cannot be read", of: id, to: store.log) {
                try await runs.lock(id, in: transaction)
            }
            if let run = run ?? nil, run.state == .open {
                try await leave(runner, run, state, in: transaction)
            } else if try await anonymise(runner, in: id, in: transaction) {
                results += 1
            }
        }
        try await transaction.batch([
            "delete from enrolment where runner_id = \(runner)", "delete from runner where account_id = \(runner)",
        ])
        return [.init("enrolments", enrolments.count), .init("results-without-name", results)]
    }

    /// Out of a run that goes on, or is to come: nothing is shown of the runner any more.
    private func leave(
        _ runner: UUID, _ run: Run, _ state: Enrolment.State, in transaction: Transaction
    ) async throws {
        if state == .checkedIn || state == .left { try await watches.end(runner, run, in: transaction) }
        let tookPart = state == .enrolled || state == .checkedIn || state == .left
        try await transaction.batch([
            "delete from progress where run_id = \(run.id) and runner_id = \(runner)",
            "delete from enrolment where run_id = \(run.id) and runner_id = \(runner)",
            """
            update run set participants = participants - \(Int32(tookPart ? 1 : 0)), version = version + 1
            where id = \(run.id)
            """,
        ])
        transaction.afterCommit { live.remove(runner, from: run.id) }
    }

    /// Gives the result of a run that is over to nobody: rank, bib and times stay, since others' places follow from them. Whether
    /// there was a result.
    private func anonymise(_ runner: UUID, in run: UUID, in transaction: Transaction) async throws -> Bool {
        let row = try await transaction.queryOne(
            """
            select r.content, s.starts_at from result r join run s on s.id = r.run_id
            where r.run_id = \(run) and r.runner_id = \(runner)
            """, as: [UInt8].self, Timestamp.self)
        guard let (content, start) = row else { return false }
        let nobody = UUID.random()
        let own = try await store.keys.keySet(of: [runner])
        let stored = reporting("a result cannot be read", of: runner, to: store.log) {
            try PersonalColumn.result.open(
                content, as: Ranking.Stored.self, row: [run, runner], with: own.key(of: runner))
        }
        guard var placing = stored?.placing else {
            try await transaction.execute("delete from result where run_id = \(run) and runner_id = \(runner)")
            return false
        }
        placing.name = RunStore.nobody
        let key = try await store.keys.make(for: [nobody]).key(of: nobody)
        placing.heartRate = nil
        let sealed = try PersonalColumn.result.seal(
            encoding: Ranking.Stored(placing: placing, evidence: RunnerProgress(start: start).evidence),
            row: [run, nobody], with: key)
        try await transaction.batch([
            "insert into runner (account_id) values (\(nobody))",
            """
            update enrolment set runner_id = \(nobody), shares_heart_rate = false,
              name = \(PersonalColumn.runnerName.seal(RunStore.nobody, row: [run, nobody], with: key))
            where run_id = \(run) and runner_id = \(runner)
            """,
            "update result set runner_id = \(nobody), content = \(sealed) where run_id = \(run) and runner_id = \(runner)",
            "update run set version = version + 1 where id = \(run)",
        ])
        return true
    }
}
