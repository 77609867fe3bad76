public import Edge
public import Postgres
import Primitives
import Reactor
import Synchronization
public import Telemetry

/// Notices that a database is not the one in which erasures were followed last: a backup was restored, or a standby was promoted
/// that may have lacked the last ones. From then on the service withholds what it has, until what was erased since is erased
/// again (ACC-12). Needs the table `erasure_database` (`ErasureSchema`).
///
/// A database is known by its cluster's identity, the timeline (a recovery begins a new one), its own number and the table's
/// (a dump that is read in makes a new one). A snapshot of a disk keeps all of them: whoever restores one empties the column
/// `identity` (deploy/README.md).
public final class RestoredDatabase: Sendable {
    private enum State {
        case unknown, current
        case behind(since: Deadline)
    }

    public let database: Database
    private let withholding: Withholding
    private let log: Log
    private let state = Mutex(State.unknown)

    public init(_ database: Database, _ withholding: Withholding, log: Log) {
        self.database = database
        self.withholding = withholding
        self.log = log
    }

    /// For how long it has been known that the database is behind; `nil` when it is not, or not yet looked at.
    public var behind: Duration? {
        state.withLock { if case .behind(let since) = $0 { Deadline.now().since(since) } else { nil } }
    }

    private static let identity: SQL = """
        (select system_identifier || '-' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) from pg_control_system())
          || '-' || (select oid from pg_database where datname = current_database())
          || '-' || 'erasure_database'::regclass::oid
        """

    /// Looks at it, once. Call before the service serves.
    public func look() async throws(PostgresError) {
        guard state.withLock({ if case .unknown = $0 { true } else { false } }) else { return }
        let results = try await database.runBatch(
            [
                "insert into erasure_database (identity) values (\(sql: Self.identity)) on conflict do nothing",
                "select identity = \(sql: Self.identity) from erasure_database",
            ], deadline: nil)
        let isSame = try results.last?.decodeOne(as: Bool.self) ?? false
        let isNews = state.withLock { state in
            guard case .unknown = state else { return false }
            state = isSame ? .current : .behind(since: .now())
            return !isSame
        }
        guard isNews else { return }
        withholding.begin()
        log.warning("the database was restored or promoted: nothing is served until the erasures since are done again")
    }

    /// Call once the erasures are done again.
    public func settle() async throws(PostgresError) {
        try await database.execute("update erasure_database set identity = \(sql: Self.identity)")
        let wasBehind = state.withLock { state in
            guard case .behind = state else { return false }
            state = .current
            return true
        }
        guard wasBehind else { return }
        withholding.end()
        log.info("the erasures since the backup are done again")
    }
}
