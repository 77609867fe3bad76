internal import CLibPQ
internal import Glibc
public import Reactor

/// One session with the server, on one event loop and in the hands of one task at a time (it is not Sendable). Statements
/// are prepared on first use, in the same round trip, and kept; values and results are binary.
///
/// Nothing here blocks: libpq is used in its non-blocking and pipeline modes, and the loop watches its descriptor.
public final class Connection: SQLSession {
    /// The most statements that one batch may have.
    public static let batchMax = 10_000

    public let loop: EventLoop
    let configuration: DatabaseConfiguration
    let watch: Watch
    let notices: NoticeReceiver
    /// The server process's number (`pg_backend_pid()`).
    public let serverProcess: Int32
    /// `nil` when closed.
    private(set) var handle: OpaquePointer?
    var statements: StatementCache
    /// Statements that were evicted but that the server still has.
    var orphans: [StatementCache.Statement] = []
    var exchange = Exchange()
    /// Whether an exchange is under way; a second one is a mistake of the caller.
    var isBusy = false
    /// A `BEGIN` that waits for the transaction's first statement to go with it.
    var pendingBegin: SQL?
    /// Values of other modules that live as long as this session.
    public let state = SessionState()

    /// Takes over an established connection.
    init(
        _ handle: OpaquePointer, watch: Watch, notices: NoticeReceiver, configuration: DatabaseConfiguration
    ) {
        self.handle = handle
        self.watch = watch
        self.notices = notices
        self.configuration = configuration
        loop = watch.loop
        serverProcess = PQbackendPID(handle)
        statements = StatementCache(statementsMax: configuration.statementsMax)
    }

    // Owners close their connections, on the loop; a database that nobody closed must not keep its sessions all the same.
    // (The kernel forgets a closed descriptor by itself.)
    deinit {
        PQfinish(handle)
    }

    /// Ends the session; a second call does nothing.
    func close() {
        guard let handle else { return }
        self.handle = nil
        watch.close()
        PQfinish(handle)
    }

    var isClosed: Bool { handle == nil }

    /// Ready for another user: open, nothing under way, no transaction left open.
    var isIdle: Bool {
        guard let handle, !isBusy, pendingBegin == nil else { return false }
        return PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Whether a transaction is open on the server, failed or not.
    var isInTransaction: Bool {
        guard let handle else { return false }
        return PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    var isInFailedTransaction: Bool {
        guard let handle else { return false }
        return PQtransactionStatus(handle) == PQTRANS_INERROR
    }

    /// Whether nothing has arrived while the connection was idle: what a server says then is nearly always its farewell,
    /// and a descriptor at its end is readable as well.
    var isQuiet: Bool {
        guard let handle else { return false }
        var byte: UInt8 = 0
        return recv(PQsocket(handle), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0
            && (errno == EAGAIN || errno == EINTR)
    }

    /// When a call ends that was given no deadline.
    func deadline(_ given: Deadline?) -> Deadline { given ?? .after(configuration.queryTime) }

    // MARK: Statements

    public func run(_ sql: SQL, deadline given: Deadline? = nil) async throws(PostgresError) -> ResultSet {
        guard !Task.isCancelled else { throw .cancelled }
        let deadline = deadline(given)
        try begin()
        try send(sql)
        try await complete(deadline: deadline)
        if let failure = exchange.failure {
            guard forgetOutdated(failure) else { throw .server(failure) }
            try begin()
            try send(sql)
            try await complete(deadline: deadline)
            if let failure = exchange.failure { throw .server(failure) }
        }
        guard let result = exchange.results.popLast() else { throw .usage("the statement has no result") }
        return result
    }

    public func runBatch(
        _ statements: [SQL], deadline given: Deadline? = nil
    ) async throws(PostgresError) -> [ResultSet] {
        guard statements.count <= Self.batchMax else {
            throw .usage("more than \(Self.batchMax) statements in a batch")
        }
        guard !statements.isEmpty else { return [] }
        guard !Task.isCancelled else { throw .cancelled }
        let deadline = deadline(given)
        for attempt in 0... {
            try begin()
            for sql in statements { try send(sql) }
            try await complete(deadline: deadline)
            guard let failure = exchange.failure else { break }
            guard attempt == 0, forgetOutdated(failure) else { throw .server(failure) }
        }
        defer { exchange.results = [] }
        return exchange.results
    }

    /// After a failure because of a prepared statement that no longer holds: whether running it anew may help. In a
    /// transaction it cannot, since the failure has ended that.
    func forgetOutdated(_ failure: ServerError) -> Bool {
        guard failure.needsPreparingAgain else { return false }
        if failure.sqlState == .invalidStatementName {
            statements.removeAll()
            orphans = []
        } else if let statement = exchange.failedStatement {
            statements.remove(statement)
            orphans.append(statement)
        }
        return !exchange.isInTransaction
    }
}
