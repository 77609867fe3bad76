import Postgres
import Primitives
import Service

/// Starts runs: runners who have not accepted the check-in are removed and notified (RUN-08).
struct Starting: Sendable {
    /// How long after the start is waited for acceptances that were given just before it; later ones still count when
    /// they come.
    static let patience = Duration.seconds(2)
    private static let batchMax: Int64 = 50

    let store: Store
    let runs: RunStore
    /// Runs that could not be started.
    let retries = Retries<UUID>()

    /// Starts the runs that are due; returns their number.
    @discardableResult
    func startDue(at now: Timestamp) async throws -> Int {
        let due = try await store.database.query(
            """
            select id from run where state = 'open' and started_at is null and starts_at <= \(now - Self.patience)
              and id <> all(\(retries.resting))
            order by id = any(\(retries.failing)), starts_at limit \(Self.batchMax)
            """, as: UUID.self)
        for id in due {
            retries.begin(id)
            let isDone: Void? = try await reporting("a run cannot be started", of: id, to: store.log) {
                try await start(id, at: now)
            }
            if isDone != nil { retries.succeeded(id) }
        }
        return due.count
    }

    private func start(_ id: UUID, at now: Timestamp) async throws {
        try await store.transaction { transaction in
            guard let run = try await runs.lock(id, in: transaction), run.state == .open, !run.hasStarted else {
                return
            }
            let removed = try await transaction.query(
                "update enrolment set state = 'removed' where run_id = \(id) and state = 'enrolled' returning runner_id",
                as: UUID.self)
            try await transaction.execute(
                """
                update run set started_at = \(now), participants = participants - \(Int32(removed.count)),
                  version = version + 1
                where id = \(id)
                """)
            try await store.notices.add(removed.map { .checkInMissed(run, $0) }, at: now, in: transaction)
        }
        store.notices.wake()
    }
}
