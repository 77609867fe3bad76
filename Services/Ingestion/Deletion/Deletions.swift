import Postgres
import Primitives
import Reactor
import Service
import Telemetry

/// The deletion of spans of samples: routes that take the wish, and a worker that does it.
struct Deletions: Sendable {
    /// For how long a person can look up what was deleted.
    private static let keptDays = 30

    let routes: DeletionRoutes
    private let worker: DeletionWorker

    init(database: Database, keys: SubjectKeys, threads: BlockingPool, clock: any WallClock, log: Log) {
        let asked = EventCounter()
        routes = DeletionRoutes(database: database, keys: keys, clock: clock, asked: asked)
        worker = DeletionWorker(database: database, keys: keys, threads: threads, asked: asked, log: log)
    }

    func add(to parts: inout ServiceParts, in database: Database) {
        let worker = worker
        parts.tasks.append(BackgroundTask("deletions") { try await worker.run() })
        parts.retention.append(
            RetentionRule(
                "deletions", days: Self.keptDays, table: "deletion", column: "created_at", where: "is_done",
                in: database))
    }
}
