internal import CLibPQ
internal import Reactor

/// How driving an exchange ended.
enum DriveEnd: Sendable {
    /// Everything is answered.
    case done
    case lost
    case timedOut
    case cancelled
}

extension Connection {
    /// Opens an exchange.
    func begin() throws(PostgresError) {
        loop.preconditionCurrent()
        guard !isClosed else { throw .connection(detail: "the connection is closed") }
        guard !isBusy else { throw .usage("the connection is busy with another statement") }
        exchange.reset(isInTransaction: isInTransaction)
        if let begin = pendingBegin {
            pendingBegin = nil
            exchange.reset(isInTransaction: true)
            try send(begin) { _ in .begin }
        }
    }

    /// Queues a command that is not prepared: one that ends a failed transaction must not depend on anything else.
    func send(command: String, _ expected: Exchange.Expected = .command) throws(PostgresError) {
        guard PQsendQueryParams(handle, command, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
        exchange.expect(expected)
    }

    /// Queues a statement, and before it whatever prepares it. `expected` makes what is awaited as its answer.
    func send(
        _ sql: SQL, expecting expected: (StatementCache.Statement) -> Exchange.Expected = { .statement($0) }
    ) throws(PostgresError) {
        let statement: StatementCache.Statement
        if let known = statements.find(sql) { statement = known } else { statement = try prepare(sql) }
        let sent = sql.binds.withParameters { values, lengths, formats in
            PQsendQueryPrepared(handle, statement.name, Int32(sql.binds.count), values, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
        exchange.expect(expected(statement))
    }

    private func prepare(_ sql: SQL) throws(PostgresError) -> StatementCache.Statement {
        guard sql.binds.isSendable, !sql.text.utf8.contains(0) else {
            close()
            throw .usage("a statement with too many values or with a zero byte")
        }
        let (statement, evicted) = statements.insert(sql)
        if let evicted { orphans.append(evicted) }
        for orphan in orphans {
            try send(command: "DEALLOCATE \(orphan.name)", .deallocate(orphan))
        }
        orphans = []
        guard PQsendPrepare(handle, statement.name, sql.text, Int32(statement.types.count), statement.types) == 1 else {
            throw lost()
        }
        exchange.expect(.prepare(statement))
        return statement
    }

    /// Sends what is queued and waits for all answers. A statement's failure is left in `exchange.failure`; thrown is what
    /// concerns the connection or the caller's time.
    func complete(deadline: Deadline, isCommit: Bool = false) async throws(PostgresError) {
        exchange.isCommit = isCommit
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        isBusy = true
        let end = await drive(until: deadline)
        if end == .done {
            isBusy = false
        } else {
            try await interrupted(end, deadline)
        }
        if let failure = exchange.failure, failure.severity == .fatal || failure.severity == .panic { throw lost() }
        if notices.takeSynchronousWaitEnded() {
            throw .outcomeUnknown(detail: "the wait for a synchronous standby was given up")
        }
    }

    /// Brings a connection whose exchange did not end by itself back to idle, or closes it. Returns when the exchange turned
    /// out to be complete after all; otherwise throws why it was interrupted.
    private func interrupted(_ end: DriveEnd, _ deadline: Deadline) async throws(PostgresError) {
        guard end != .lost else { throw lost() }
        let isCommit = exchange.isCommit
        let drained = await shielded { connection in
            // A commit is never cancelled: it has its time, whatever becomes of the caller.
            if isCommit { return end == .cancelled ? await connection.drive(until: deadline) : end }
            return await connection.cancelStatement { await connection.drive(until: $0) }
        }
        isBusy = false
        let reason: PostgresError = end == .cancelled ? .cancelled : .timedOut
        guard drained == .done else {
            let isUnknown = exchange.isOutcomeUnknown
            close()
            throw isUnknown ? .outcomeUnknown(detail: "no answer in time") : reason
        }
        if exchange.failure?.sqlState == .queryCanceled { throw reason }
    }

    /// Runs `body` on the loop in a task of its own, which the caller's cancellation does not reach.
    func shielded<R: Sendable>(_ body: @escaping @Sendable (Connection) async -> R) async -> R {
        let connection = Confined(self, to: loop)
        return await loop.task { await body(connection.value) }.value
    }

    /// Asks the server to cancel the statement under way and waits, for a bounded time, until `drain` has seen its end and
    /// the request has been dealt with: only then can it not hit the next statement.
    func cancelStatement(_ drain: (Deadline) async -> DriveEnd) async -> DriveEnd {
        let deadline = Deadline.after(configuration.cancelTime)
        let finished = EventCounter()
        guard let request = CancelRequest(handle) else { return .lost }
        loop.task {
            // Refused when too many requests wait: the deadline then ends the wait.
            if (try? await CancelRequest.threads.run { request.send() }) == true { finished.raise() }
        }
        let end = await drain(deadline)
        guard end == .done else { return end }
        return await finished.wait(after: 0, deadline: deadline) > 0 ? .done : .timedOut
    }

    /// Takes the exchange as far as it goes until `deadline`. May be called again to go on.
    func drive(until deadline: Deadline) async -> DriveEnd {
        // Most answers come soon: only after that is it worth the price to be able to end a wait by cancellation.
        var isSoon = true
        let soon = min(deadline, .after(.milliseconds(10)))
        do throws(IOError) {
            while true {
                let unsent = PQflush(handle)
                if unsent == 0, isSoon {
                    do {
                        try await watch.readableSoon(deadline: soon)
                    } catch {
                        guard error == .timedOut, soon < deadline else { throw error }
                        isSoon = false
                        continue
                    }
                } else if unsent == 0 {
                    try await watch.readable(deadline: deadline)
                } else if unsent > 0 {
                    try await waitToSend(until: deadline)
                }
                // A failure here still leaves what was read before, such as the server's reason.
                let isOpen = unsent >= 0 && PQconsumeInput(handle) == 1
                if let end = takeAnswers() { return end }
                if !isOpen { return .lost }
            }
        } catch {
            return switch error {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            default: .lost
            }
        }
    }

    /// Waits until more can be sent, but only shortly: the server may itself wait for this side to read.
    func waitToSend(until deadline: Deadline) async throws(IOError) {
        do {
            try await watch.writable(deadline: min(deadline, .after(.milliseconds(20))))
        } catch {
            if error == .timedOut, !deadline.hasPassed { return }
            throw error
        }
    }

    /// Takes what has arrived; `nil` when more must come.
    private func takeAnswers() -> DriveEnd? {
        while PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle) else {
                guard exchange.advance() else { return .lost }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                return .done
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                switch exchange.current {
                case .statement, .command: exchange.results.append(ResultSet(result))
                default: PQclear(result)
                }
            case PGRES_FATAL_ERROR, PGRES_PIPELINE_ABORTED:
                let error = ServerError(result: result)
                let isAborted = PQresultStatus(result) == PGRES_PIPELINE_ABORTED
                PQclear(result)
                undoCurrent()
                if let error, !isAborted {
                    exchange.fail(error)
                } else if !isAborted {
                    return .lost
                }
            default:
                // COPY has calls of its own; libpq cannot leave this state.
                PQclear(result)
                return .lost
            }
        }
        return nil
    }

    /// What is being answered did not happen.
    private func undoCurrent() {
        switch exchange.current {
        case .prepare(let statement): statements.remove(statement)
        case .deallocate(let statement): orphans.append(statement)
        default: break
        }
    }

    /// Closes the connection and says what that means for the statement.
    func lost() -> PostgresError {
        var detail = handle.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? ""
        if let failure = exchange.failure { detail = failure.debugDescription + " " + detail }
        let isUnknown = exchange.isOutcomeUnknown
        isBusy = false
        close()
        return isUnknown ? .outcomeUnknown(detail: detail) : .connection(detail: detail)
    }
}

/// A request to cancel, made from the connection's secret key; sending it blocks.
///
/// Sendable without the compiler's proof: libpq makes `PGcancel` independent of its connection and fit for other threads.
private final class CancelRequest: @unchecked Sendable {
    /// Of their own: a server that does not answer holds them for a while, and nothing else is to wait behind that.
    static let threads: BlockingPool = {
        do { return try BlockingPool(threads: 2, queueMax: 64) } catch {
            preconditionFailure("no threads for cancel requests: \(error)")
        }
    }()

    private let handle: OpaquePointer

    init?(_ connection: OpaquePointer?) {
        guard let handle = PQgetCancel(connection) else { return nil }
        self.handle = handle
    }

    deinit {
        PQfreeCancel(handle)
    }

    /// Whether the server took it. Blocks until the server has closed the request's connection.
    func send() -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            PQcancel(handle, message.baseAddress, 256) == 1
        }
    }
}
