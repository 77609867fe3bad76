public import Reactor

/// An open transaction: valid inside the body that got it.
public final class Transaction: SQLSession {
    /// How much of other transactions' work this one sees (chapter 13 of PostgreSQL's manual).
    public enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    private let connection: Connection
    private let deadline: Deadline?
    private var isOver = false
    fileprivate private(set) var lastStatements: [SQL] = []
    fileprivate private(set) var commitHooks: [(onlyIfCertain: Bool, run: () -> Void)] = []

    fileprivate init(_ connection: Connection, deadline: Deadline?) {
        self.connection = connection
        self.deadline = deadline
    }

    public func run(_ sql: SQL, deadline: Deadline? = nil) async throws(PostgresError) -> ResultSet {
        try await open().run(sql, deadline: earlier(deadline))
    }

    public func runBatch(_ statements: [SQL], deadline: Deadline? = nil) async throws(PostgresError) -> [ResultSet] {
        try await open().runBatch(statements, deadline: earlier(deadline))
    }

    /// See `Connection.copyIn`.
    @discardableResult
    public func copyIn(
        _ sql: SQL, deadline: Deadline? = nil, from next: () async throws -> [UInt8]?
    ) async throws -> Int {
        try await open().copyIn(sql, deadline: earlier(deadline), from: next)
    }

    /// See `Connection.copyOut`.
    @discardableResult
    public func copyOut(
        _ sql: SQL, deadline: Deadline? = nil, to consume: ([UInt8]) async throws -> Void
    ) async throws -> Int {
        try await open().copyOut(sql, deadline: earlier(deadline), to: consume)
    }

    /// Values of other modules that live as long as the session; see `Connection.state`.
    public var state: SessionState { connection.state }

    /// Queues a statement that is sent in the same round trip as the commit, just before it. When it fails, so does the
    /// commit. At most `Connection.batchMax`.
    public func beforeCommit(_ statement: SQL) throws(PostgresError) {
        _ = try open()
        guard lastStatements.count < Connection.batchMax else {
            throw .usage("more than \(Connection.batchMax) statements before a commit")
        }
        lastStatements.append(statement)
    }

    /// Runs `body`, on the loop, after the commit; unless `onlyIfCertain`, also when the commit's outcome is unknown. Not after a
    /// rollback.
    public func afterCommit(onlyIfCertain: Bool = false, _ body: @escaping () -> Void) {
        commitHooks.append((onlyIfCertain, body))
    }

    private func open() throws(PostgresError) -> Connection {
        guard !isOver else { throw .closed }
        return connection
    }

    private func earlier(_ given: Deadline?) -> Deadline? {
        guard let deadline else { return given }
        return min(deadline, given ?? connection.deadline(nil))
    }

    fileprivate func end() { isOver = true }
}

extension Connection {
    /// The most times that a transaction is run again by default.
    public static let retriesMaxDefault = 5

    /// Runs `body` in a transaction and commits it; when the body throws, rolls back. `BEGIN` goes out with the first
    /// statement. A serialization failure or a deadlock (SQLSTATE 40001, 40P01) runs the whole again, after a pause with
    /// jitter, at most `retriesMax` times: so the body's effects must all be in the transaction. Not to be nested.
    public func transaction<R>(
        isolation: Transaction.Isolation = .readCommitted, readOnly: Bool = false,
        retriesMax: Int = Connection.retriesMaxDefault, deadline: Deadline? = nil,
        _ body: (Transaction) async throws -> R
    ) async throws(TransactionError) -> R {
        var attempt = 0
        while true {
            do {
                return try await transactOnce(isolation, readOnly, deadline, body)
            } catch {
                guard attempt < retriesMax, error.rollback == nil, !isClosed, isWorthRetrying(error) else {
                    throw error
                }
                do {
                    try await loop.sleep(until: min(Self.pause(attempt), deadline ?? .never))
                } catch { throw TransactionError(.begin, PostgresError(error)) }
                attempt += 1
            }
        }
    }

    /// An outdated prepared statement ends its transaction too; it is prepared anew the next time.
    private func isWorthRetrying(_ error: TransactionError) -> Bool {
        guard case .server(let failure) = error.postgres else { return false }
        return failure.sqlState.isRetryable || failure.needsPreparingAgain
    }

    /// Up to 5 ms before the first repetition, doubling up to 160 ms.
    private static func pause(_ attempt: Int) -> Deadline {
        .after(.microseconds(Int64.random(in: 500...5000) << Int64(min(attempt, 5))))
    }

    private func transactOnce<R>(
        _ isolation: Transaction.Isolation, _ readOnly: Bool, _ deadline: Deadline?,
        _ body: (Transaction) async throws -> R
    ) async throws(TransactionError) -> R {
        guard !isClosed else { throw TransactionError(.begin, PostgresError.connection(detail: "closed")) }
        guard pendingBegin == nil, !isInTransaction else {
            throw TransactionError(.begin, PostgresError.usage("a transaction within a transaction"))
        }
        // Without a level it is read committed, to which each session is set: naming it costs the server a pass over all of
        // its settings at the end.
        let level = isolation == .readCommitted ? "" : " ISOLATION LEVEL \(isolation.rawValue)"
        pendingBegin = "BEGIN\(raw: level)\(raw: readOnly ? " READ ONLY" : "")"
        let transaction = Transaction(self, deadline: deadline)
        let value: R
        do {
            value = try await body(transaction)
            transaction.end()
        } catch {
            transaction.end()
            throw TransactionError(.body, error, rollback: await rollBack())
        }
        do {
            try await commit(transaction.lastStatements)
        } catch {
            if case .outcomeUnknown = error {
                for hook in transaction.commitHooks where !hook.onlyIfCertain { hook.run() }
            }
            throw TransactionError(.commit, error)
        }
        for hook in transaction.commitHooks { hook.run() }
        return value
    }

    /// `COMMIT`, after `statements` in the same round trip. Nothing to do when no statement was sent and there is none.
    private func commit(_ statements: [SQL]) async throws(PostgresError) {
        guard pendingBegin == nil || !statements.isEmpty else {
            pendingBegin = nil
            return
        }
        guard !isInFailedTransaction else {
            // The body has hidden a statement's failure.
            if let error = await rollBack() { throw error }
            throw .server(ServerError(sqlState: .inFailedTransaction, message: "a statement of the transaction failed"))
        }
        try begin()
        for statement in statements { try send(statement) }
        try send("COMMIT") { _ in .command }
        try await complete(deadline: .after(configuration.commitTime), isCommit: true)
        if let failure = exchange.failure {
            _ = forgetOutdated(failure)
            // When it was one of the statements, the transaction is still open. (A failing rollback closes the
            // connection, which has the same effect.)
            _ = await rollBack()
            throw .server(failure)
        }
        guard exchange.results.last?.commandTag == "COMMIT" else {
            throw .server(ServerError(sqlState: .inFailedTransaction, message: "rolled back instead of committed"))
        }
    }

    /// Also in a cancelled task. On failure the connection is closed, and the error returned.
    private func rollBack() async -> PostgresError? {
        guard pendingBegin == nil else {
            pendingBegin = nil
            return nil
        }
        guard !isClosed, isInTransaction else { return nil }
        return await shielded { connection -> PostgresError? in
            do throws(PostgresError) {
                try connection.begin()
                try connection.send(command: "ROLLBACK")
                try await connection.complete(deadline: .after(connection.configuration.cancelTime))
                guard let failure = connection.exchange.failure else { return nil }
                throw .server(failure)
            } catch {
                connection.close()
                return error
            }
        }
    }
}
