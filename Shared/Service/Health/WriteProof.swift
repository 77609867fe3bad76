import JSON
import Postgres
import Reactor
import Synchronization
import Telemetry

/// Proves regularly that the database takes writes and puts them on its disk (and its synchronous standby's): one
/// record of a few bytes in the write-ahead log, and no table.
final class WriteProof: Sendable {
    static let interval = Duration.seconds(5)
    static let time = Duration.seconds(3)
    /// How long a proof is valid.
    static let validity = Duration.seconds(15)

    private let database: Database
    private let log: Log
    private let seconds: Histogram
    private let failures: Counter
    /// At the start the database counts as writable.
    private let state = Mutex<(lastProof: Deadline, isFailing: Bool)>((.now(), false))

    init(_ database: Database, _ observer: Observer) {
        self.database = database
        log = observer.log
        seconds = observer.metrics.histogram(
            "trackme_database_write_seconds", "Time until a small write was committed, tried every 5 s.")
        failures = observer.metrics.counter(
            "trackme_database_write_failures_total", "Writes of the proof that failed or took more than 3 s.")
        observer.metrics.gauge("trackme_database_writable", "1 when a write was proven in the last 15 s.") { [self] in
            holds ? 1 : 0
        }
    }

    /// Whether the last proof is recent.
    var holds: Bool {
        state.withLock { Deadline.now().since($0.lastProof) < Self.validity }
    }

    var task: BackgroundTask {
        .periodic("write-proof", every: Self.interval) { [self] in await prove() }
    }

    func prove() async {
        let began = Deadline.now()
        do throws(PostgresError) {
            // The message is written whatever the transaction may change otherwise.
            let mayWrite = try await database.queryOne(
                """
                select pg_logical_emit_message(true, 'trackme', 'write') is not null
                  and not current_setting('transaction_read_only')::boolean
                """, as: Bool.self, deadline: .after(Self.time))
            guard mayWrite == true else { throw .server(ServerError(sqlState: .readOnlyTransaction, message: "")) }
            seconds.observe(Deadline.now().since(began))
            let wasFailing = state.withLock { state in
                defer { state = (.now(), false) }
                return state.isFailing
            }
            if wasFailing { log.info("database takes writes again") }
        } catch {
            guard error != .cancelled, error != .closed else { return }
            failures.increment()
            let wasFailing = state.withLock { state in
                defer { state.isFailing = true }
                return state.isFailing
            }
            if !wasFailing { log.error("database takes no writes", ["error": Log.text(of: error)]) }
        }
    }
}
