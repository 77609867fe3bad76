public import Reactor
internal import Synchronization

/// The database as a service sees it: a pool of connections per event loop. Usable from anywhere; a task on one of the
/// loops gets a connection of that loop, any other hops to one for the call.
public final class Database: SQLSession, Sendable {
    private let current: Mutex<DatabaseConfiguration>
    private let pools: [Confined<ConnectionPool>]
    private let loops: EventLoopGroup
    /// What ends the connections of listeners.
    let listening = Mutex<[Int: @Sendable () -> Void]>([:])

    /// Connects when first needed. To be closed before the loops shut down.
    public init(_ configuration: DatabaseConfiguration, loops: EventLoopGroup) {
        current = Mutex(configuration)
        self.loops = loops
        pools = loops.loops.map { Confined(ConnectionPool(configuration, loop: $0), to: $0) }
    }

    public var configuration: DatabaseConfiguration { current.withLock { $0 } }

    /// Connections are made in this way from now on: another password, say, or other hosts. Those that are open stay until
    /// they end.
    public func reconnect(with connectionInfo: String) {
        current.withLock { $0.connectionInfo = connectionInfo }
        for pool in pools { pool.loop.execute { pool.value.connectionInfo = connectionInfo } }
    }

    /// Leads all that is called after this elsewhere: connections of before are used no more, and end with the calls that have
    /// them. Listeners begin anew.
    public func lead(to connectionInfo: String) async {
        current.withLock { $0.connectionInfo = connectionInfo }
        for pool in pools { await withTaskExecutorPreference(pool.loop) { pool.value.lead(to: connectionInfo) } }
        for end in listening.withLock({ Array($0.values) }) { end() }
    }

    /// Whether what a statement named is somewhere else by now.
    private func hasMoved(_ error: PostgresError?) async -> Bool {
        guard let error, error.sqlState?.namesNothing == true, let ask = configuration.whenMissing else { return false }
        return await ask()
    }

    // MARK: Statements

    public func run(_ sql: SQL, deadline given: Deadline? = nil) async throws(PostgresError) -> ResultSet {
        do { return try await runOnce(sql, given) } catch {
            guard await hasMoved(error) else { throw error }
            return try await runOnce(sql, given)
        }
    }

    private func runOnce(_ sql: SQL, _ given: Deadline?) async throws(PostgresError) -> ResultSet {
        let deadline = deadline(given)
        guard let pool = localPool else {
            return try await hop { pool throws(PostgresError) in try await Self.run(sql, deadline, pool) }
        }
        return try await Self.run(sql, deadline, pool)
    }

    public func runBatch(
        _ statements: [SQL], deadline given: Deadline? = nil
    ) async throws(PostgresError) -> [ResultSet] {
        do { return try await runBatchOnce(statements, given) } catch {
            guard await hasMoved(error) else { throw error }
            return try await runBatchOnce(statements, given)
        }
    }

    private func runBatchOnce(_ statements: [SQL], _ given: Deadline?) async throws(PostgresError) -> [ResultSet] {
        let deadline = deadline(given)
        guard let pool = localPool else {
            return try await hop { pool throws(PostgresError) in try await Self.runBatch(statements, deadline, pool) }
        }
        return try await Self.runBatch(statements, deadline, pool)
    }

    private static func run(
        _ sql: SQL, _ deadline: Deadline, _ pool: ConnectionPool
    ) async throws(PostgresError) -> ResultSet {
        let lease = try await pool.lease(deadline: deadline)
        defer { pool.giveBack(lease) }
        return try await lease.connection.run(sql, deadline: deadline)
    }

    private static func runBatch(
        _ statements: [SQL], _ deadline: Deadline, _ pool: ConnectionPool
    ) async throws(PostgresError) -> [ResultSet] {
        let lease = try await pool.lease(deadline: deadline)
        defer { pool.giveBack(lease) }
        return try await lease.connection.runBatch(statements, deadline: deadline)
    }

    // MARK: Scopes

    /// Lends a connection to `body`, on its loop. A transaction that the body leaves open is lost.
    /// `deadline` is for getting the connection.
    public func withConnection<R: Sendable>(
        deadline given: Deadline? = nil, _ body: @Sendable (Connection) async throws -> R
    ) async throws -> R {
        let deadline = deadline(given)
        @Sendable func scope(_ pool: ConnectionPool) async throws -> R {
            let lease = try await pool.lease(deadline: deadline)
            defer { pool.giveBack(lease) }
            return try await body(lease.connection)
        }
        guard let pool = localPool else { return try await hop(scope) }
        return try await scope(pool)
    }

    /// Runs `body` in a transaction on a connection of its own; see `Connection.transaction`. `deadline` is for all of it
    /// but the commit.
    public func transaction<R: Sendable>(
        isolation: Transaction.Isolation = .readCommitted, readOnly: Bool = false,
        retriesMax: Int = Connection.retriesMaxDefault, deadline given: Deadline? = nil,
        _ body: @Sendable (Transaction) async throws -> R
    ) async throws(TransactionError) -> R {
        @Sendable func once() async throws(TransactionError) -> R {
            guard let pool = localPool else { return try await hop(scope) }
            return try await scope(pool)
        }
        @Sendable func scope(_ pool: ConnectionPool) async throws(TransactionError) -> R {
            let lease: ConnectionPool.State.Entry
            do {
                lease = try await pool.lease(deadline: self.deadline(given))
            } catch { throw TransactionError(.begin, error) }
            defer { pool.giveBack(lease) }
            return try await lease.connection.transaction(
                isolation: isolation, readOnly: readOnly, retriesMax: retriesMax, deadline: given, body)
        }
        do { return try await once() } catch {
            guard await hasMoved(error.postgres) else { throw error }
            return try await once()
        }
    }

    // MARK: Life

    /// Refuses new calls, waits for those under way until `deadline`, and closes the connections.
    public func close(deadline: Deadline = .after(.seconds(10))) async {
        for pool in pools {
            await withTaskExecutorPreference(pool.loop) { await pool.value.close(deadline: deadline) }
        }
    }

    /// Connections open or being opened, on all loops.
    public var connectionCount: Int {
        get async {
            var count = 0
            for pool in pools { count += await withTaskExecutorPreference(pool.loop) { pool.value.state.count } }
            return count
        }
    }

    // MARK: Loops

    func nextLoop() -> EventLoop { EventLoop.current ?? loops.next() }

    private func deadline(_ given: Deadline?) -> Deadline { given ?? .after(configuration.queryTime) }

    private var localPool: ConnectionPool? {
        guard let loop = EventLoop.current else { return nil }
        for pool in pools where pool.loop === loop { return pool.value }
        return nil
    }

    private func hop<R: Sendable, Failure: Error>(
        _ body: @Sendable (ConnectionPool) async throws(Failure) -> R
    ) async throws(Failure) -> R {
        let loop = loops.next()
        return try await withTaskExecutorPreference(loop) { () async throws(Failure) -> R in
            guard let pool = self.localPool else { preconditionFailure("not on the loop that was asked for") }
            return try await body(pool)
        }
    }
}
