import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// The import of files (ING-04): routes that take them, and workers that read them.
struct Imports: Sendable {
    /// For how long a person can look up what became of a file.
    private static let keptDays = 30

    let routes: ImportRoutes
    private let worker: ImportWorker
    private let count: ImportCount

    /// Files are read on `pool`, beside the loops.
    init(
        database: Database, keys: SubjectKeys, writer: ArrivalWriter, contents: BlindIndex, earlier: EarlierExports,
        pool: BlockingPool, throttle: Throttle, sealing: SealJob, count: ImportCount, clock: any WallClock,
        log: Log
    ) {
        self.count = count
        let completed = EventCounter()
        routes = ImportRoutes(
            database: database, keys: keys, receiver: ImportReceiver(database: database, keys: keys), clock: clock,
            completed: completed)
        worker = ImportWorker(
            database: database, keys: keys, writer: writer, contents: contents, earlier: earlier, pool: pool,
            throttle: throttle, sealing: sealing, completed: completed, log: log)
    }

    func add(to parts: inout ServiceParts, in database: Database, pacing: any Pacing) {
        let (worker, count) = (worker, count)
        for number in 1...ImportWorker.together {
            parts.tasks.append(BackgroundTask("imports \(number)") { try await worker.run() })
        }
        parts.tasks.append(
            .periodic("imports count", every: ImportCount.interval, pacing: pacing) { try await count.count() })
        parts.retention.append(
            RetentionRule("imports", days: Self.keptDays, table: "import_job", column: "changed_at", in: database))
    }
}
