import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Service

/// Asks runners for the check-in through the query service (RUN-08): some time before the start, or at once when
/// that has passed. At least once per runner, with an identifier that makes a repeat the same request.
struct CheckInRequests: Sendable {
    private static let batchMax = 100
    /// How long a process that takes runners to ask keeps them, should it crash; also the pause after a failure.
    private static let claim = Duration.seconds(10)

    let store: Store
    let runs: RunStore
    let query: any RPCCaller
    let settings: Track4RunSettings
    let log: Log

    /// Asks a batch of those who are due; returns how many runners were asked.
    @discardableResult
    func ask(at now: Timestamp) async throws -> Int {
        let due = try await store.database.query(
            """
            update enrolment e set ask_after = \(now + Self.claim)
            from (
              select e.run_id, e.runner_id from enrolment e join run r on r.id = e.run_id
              where e.state = 'enrolled' and e.asked_at is null and e.clauses_accepted
                -- A time further ahead than a claim lasts comes from before the clock was set back.
                and (e.ask_after is null or e.ask_after <= \(now) or e.ask_after > \(now + Self.claim))
                and r.state = 'open' and r.starts_at > \(now) and r.starts_at <= \(now + settings.checkInBefore)
              order by e.ask_after nulls first, r.starts_at limit \(Int64(Self.batchMax)) for update of e skip locked) due
            where e.run_id = due.run_id and e.runner_id = due.runner_id
            returning e.run_id, e.runner_id, e.bib
            """, as: UUID.self, UUID.self, Int32.self)
        var asked = 0
        for (run, runners) in Dictionary(grouping: due, by: \.0) {
            let found = try await reporting("a run cannot be read", of: run, to: log) {
                try await runs.run(run, in: store.database)
            }
            guard let run = found ?? nil else { continue }
            for (_, runner, bib) in runners {
                switch try await ask(runner, Int(bib), run, at: now) {
                case .asked: asked += 1
                case .refused: continue
                case .nobodyAnswers: return asked
                }
            }
        }
        return asked
    }

    private enum Outcome { case asked, refused, nobodyAnswers }

    private func ask(_ runner: UUID, _ bib: Int, _ run: Run, at now: Timestamp) async throws -> Outcome {
        do throws(RPCError) {
            _ = try await query.call(
                Query.RequestCheckIn.self,
                .init(
                    id: Self.identifier(run.id, bib: bib), runID: run.id, runName: run.name,
                    organiserID: run.organiser, runnerID: runner, start: run.start, end: run.end))
        } catch {
            log.warning(
                "check-in not asked for",
                ["run": .string(run.id.description), "bib": .integer(Int64(bib)), "error": .string(error.description)])
            return error.isRetryable ? .nobodyAnswers : .refused
        }
        try await store.database.execute(
            "update enrolment set asked_at = \(now) where run_id = \(run.id) and runner_id = \(runner)")
        return .asked
    }

    /// A bib is given once in a run: whoever enrols anew has another, and is asked anew.
    static func identifier(_ run: UUID, bib: Int) -> UUID { Store.identifier(run, "check-in", "\(bib)") }
}
