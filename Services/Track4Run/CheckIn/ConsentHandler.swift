import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives

/// Follows `query.consents`: an accepted check-in is a runner who takes part, a withdrawn one is out (RUN-08). The
/// query service accepts none after the start, so one that arrives late still counts.
struct ConsentHandler: FeedHandler {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let live: LiveRuns

    private struct Change: Sendable {
        let consent: Query.ConsentChange
        let run: UUID
        let version: Int64

        /// `nil` for what is no check-in.
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

    func beginSnapshot() async throws -> FeedEffect { .none }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        effect(try entities.compactMap { Change(try $0.decode(), version: $0.version) })
    }

    /// A check-in that the snapshot does not mention has been forgotten there after its end.
    func endSnapshot() async throws -> FeedEffect { .none }

    private func effect(_ changes: [Change]) -> FeedEffect {
        guard !changes.isEmpty else { return .none }
        return .transaction { transaction in
            // In one order everywhere, so that replicas do not wait for each other in a circle.
            for change in changes.sorted(by: { $0.run < $1.run }) { try await apply(change, in: transaction) }
        }
    }

    private func apply(_ change: Change, in transaction: Transaction) async throws {
        guard let run = try await runs.lock(change.run, in: transaction), run.state == .open else { return }
        let runner = change.consent.individualID
        let row = try await transaction.queryOne(
            "select bib, state, consent_version from enrolment where run_id = \(run.id) and runner_id = \(runner)",
            as: Int32.self, Enrolment.State.self, Int64.self)
        guard let (bib, state, version) = row, version < change.version,
            change.consent.requestID == CheckInRequests.identifier(run.id, bib: Int(bib))
        else { return }
        switch (change.consent.state, state) {
        case (.accepted, .enrolled), (.accepted, .removed):
            try await checkIn(change, run, returns: state == .removed, in: transaction)
        case (.withdrawn, .checkedIn):
            try await watches.end(runner, run, in: transaction)
            try await transaction.batch([
                """
                update enrolment set state = 'out', consent_version = \(change.version)
                where run_id = \(run.id) and runner_id = \(runner)
                """,
                "delete from progress where run_id = \(run.id) and runner_id = \(runner)",
                "update run set participants = participants - 1, version = version + 1 where id = \(run.id)",
            ])
            // Taking it back takes effect at once, on the screens too.
            live.remove(runner, from: run.id)
        default:
            try await transaction.execute(
                """
                update enrolment set consent_version = \(change.version)
                where run_id = \(run.id) and runner_id = \(runner)
                """)
        }
    }

    private func checkIn(_ change: Change, _ run: Run, returns: Bool, in transaction: Transaction) async throws {
        let runner = change.consent.individualID
        try await watches.begin(runner, run, in: transaction)
        try await transaction.batch([
            """
            update enrolment set state = 'checked-in', consent_version = \(change.version),
              shares_heart_rate = \(change.consent.types.contains(.heartRate))
            where run_id = \(run.id) and runner_id = \(runner)
            """,
            """
            update run set participants = participants + \(Int32(returns ? 1 : 0)), version = version + 1
            where id = \(run.id)
            """,
        ])
    }
}
