internal import CLibPQ
public import Reactor

extension Connection {
    /// Sends data to `COPY … FROM STDIN`: chunk after chunk of any size, until `next` answers `nil`; `CopyRows` makes them.
    /// A chunk is asked for when the one before is handed to the system, so memory stays at one chunk. When `next` throws,
    /// nothing is copied and its error is thrown; the rest are `PostgresError`. Returns the number of rows.
    @discardableResult
    public func copyIn(
        _ sql: SQL, deadline given: Deadline? = nil, from next: () async throws -> [UInt8]?
    ) async throws -> Int {
        let deadline = deadline(given)
        return try await unpipelined(deadline) {
            try await startCopy(sql, PGRES_COPY_IN, deadline)
            do {
                while let chunk = try await next() {
                    try await put(chunk, deadline)
                }
            } catch {
                guard !isClosed, !(error is Interruption) else { throw error }
                guard PQputCopyEnd(handle, "the sender gave up") >= 0 else { throw lost() }
                do { try await finishSimple(deadline) } catch {
                    guard case .server(let failure) = error as? PostgresError, failure.sqlState == .queryCanceled else {
                        throw error
                    }
                }
                throw error
            }
            // Outside a transaction this is the commit, too.
            exchange.isCommit = !exchange.isInTransaction
            guard PQputCopyEnd(handle, nil) >= 0 else { throw lost() }
            return exchange.isCommit ? try await finishCommit() : try await finishSimple(deadline)
        }
    }

    /// Takes the results of what commits by itself: not cancelled, but waited for as long as for a commit.
    private func finishCommit() async throws -> Int {
        let outcome = await shielded { connection -> Result<Int, any Error> in
            do {
                return .success(try await connection.finishSimple(.after(connection.configuration.commitTime)))
            } catch { return .failure(error) }
        }
        if case .failure(let error) = outcome, error is Interruption { throw lost() }
        return try outcome.get()
    }

    /// Receives the data of `COPY … TO STDOUT` in chunks of about 64 KiB that hold whole rows; `consume` is awaited before
    /// more is taken. When it throws, the statement is cancelled and its error thrown. Returns the number of rows.
    @discardableResult
    public func copyOut(
        _ sql: SQL, deadline given: Deadline? = nil, to consume: ([UInt8]) async throws -> Void
    ) async throws -> Int {
        let deadline = deadline(given)
        return try await unpipelined(deadline) {
            try await startCopy(sql, PGRES_COPY_OUT, deadline)
            var chunk: [UInt8] = []
            while true {
                var row: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &row, 1)
                if count > 0, let row {
                    chunk.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(count)))
                    PQfreemem(row)
                    if chunk.count < Self.copyChunkBytes { continue }
                    try await consume(chunk)
                    chunk.removeAll(keepingCapacity: true)
                } else if count == 0 {
                    try await waitForInput(deadline)
                } else {
                    break
                }
            }
            let rows = try await finishSimple(deadline)
            if !chunk.isEmpty { try await consume(chunk) }
            return rows
        }
    }

    private static var copyChunkBytes: Int { 64 * 1024 }

    /// Runs text with any number of statements and no values, for what has to be as it was written (migrations).
    func runText(_ text: String, deadline: Deadline) async throws(PostgresError) {
        do {
            _ = try await unpipelined(deadline) {
                guard PQsendQuery(handle, text) == 1 else { throw lost() }
                return try await finishSimple(deadline)
            }
        } catch {
            throw error as? PostgresError ?? .connection(detail: "\(error)")
        }
    }

    // MARK: Without pipeline

    /// A wait that did not end by itself; the statement is still under way.
    private struct Interruption: Error {
        let error: IOError
    }

    /// COPY and texts of several statements are not for the pipeline mode: leaves it for the time of `body`. When that is
    /// interrupted, or throws while the server is still at work, the statement is cancelled.
    private func unpipelined(_ deadline: Deadline, _ body: () async throws -> Int) async throws -> Int {
        guard !Task.isCancelled else { throw PostgresError.cancelled }
        if let begin = pendingBegin {
            pendingBegin = nil
            _ = try await run(begin, deadline: deadline)
        }
        try begin()
        guard PQexitPipelineMode(handle) == 1 else { throw lost() }
        isBusy = true
        do {
            let rows = try await body()
            try enterPipeline()
            return rows
        } catch {
            if isClosed { throw error }
            if PQtransactionStatus(handle) == PQTRANS_ACTIVE {
                let end = await shielded { connection in
                    await connection.cancelStatement { await connection.drainSimple($0) }
                }
                if end != .done { close() }
                if notices.takeSynchronousWaitEnded() {
                    isBusy = false
                    close()
                    throw PostgresError.outcomeUnknown(detail: "the wait for a synchronous standby was given up")
                }
            }
            if !isClosed { try enterPipeline() }
            isBusy = false
            throw (error as? Interruption).map { PostgresError($0.error) } ?? error
        }
    }

    private func enterPipeline() throws(PostgresError) {
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        isBusy = false
    }

    private func startCopy(_ sql: SQL, _ expected: ExecStatusType, _ deadline: Deadline) async throws {
        guard sql.binds.isEmpty else { throw PostgresError.usage("COPY takes no values") }
        guard PQsendQuery(handle, sql.text) == 1 else { throw lost() }
        let result = try await nextResult(deadline)
        defer { PQclear(result) }
        if PQresultStatus(result) == expected { return }
        if let error = ServerError(result: result), PQresultStatus(result) == PGRES_FATAL_ERROR {
            _ = await drainSimple(deadline)
            throw PostgresError.server(error)
        }
        if PQstatus(handle) == CONNECTION_BAD { throw lost() }
        throw PostgresError.usage("not a COPY in this direction")
    }

    private func put(_ chunk: [UInt8], _ deadline: Deadline) async throws {
        guard !chunk.isEmpty else { return }
        while true {
            let code = chunk.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
            }
            if code < 0 { throw lost() }
            try await flush(deadline)
            if code == 1 { return }
        }
    }

    private func flush(_ deadline: Deadline) async throws {
        while true {
            let unsent = PQflush(handle)
            if unsent == 0 { return }
            guard unsent > 0 else { throw lost() }
            do { try await waitToSend(until: deadline) } catch { throw Interruption(error: error) }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private func waitForInput(_ deadline: Deadline) async throws {
        do { try await watch.readable(deadline: deadline) } catch { throw Interruption(error: error) }
        // After a failure the next result says what the server had to say.
        _ = PQconsumeInput(handle)
    }

    private func nextResult(_ deadline: Deadline) async throws -> OpaquePointer? {
        try await flush(deadline)
        while PQisBusy(handle) != 0, PQstatus(handle) == CONNECTION_OK { try await waitForInput(deadline) }
        return PQgetResult(handle)
    }

    /// Takes all results; the number of rows of the last. Errors: the first that the server reports.
    @discardableResult
    private func finishSimple(_ deadline: Deadline) async throws -> Int {
        var failure: ServerError?
        var rows = 0
        while let result = try await nextResult(deadline) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_FATAL_ERROR:
                failure = failure ?? ServerError(result: result)
            case PGRES_COPY_IN:
                guard PQputCopyEnd(handle, "no data for this COPY") >= 0 else { throw lost() }
            case PGRES_COPY_OUT:
                _ = await drainSimple(deadline)
            default:
                rows = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            }
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            if let failure { exchange.fail(failure) }
            throw lost()
        }
        if let failure {
            if failure.severity == .fatal {
                exchange.fail(failure)
                throw lost()
            }
            throw PostgresError.server(failure)
        }
        if notices.takeSynchronousWaitEnded() {
            throw PostgresError.outcomeUnknown(detail: "the wait for a synchronous standby was given up")
        }
        return rows
    }

    /// Throws away what is still to come of a statement that was cancelled.
    private func drainSimple(_ deadline: Deadline) async -> DriveEnd {
        do {
            while let result = try await nextResult(deadline) {
                let status = PQresultStatus(result)
                PQclear(result)
                if status == PGRES_COPY_IN {
                    guard PQputCopyEnd(handle, "cancelled") >= 0 else { return .lost }
                } else if status == PGRES_COPY_OUT {
                    var row: UnsafeMutablePointer<CChar>?
                    while true {
                        let count = PQgetCopyData(handle, &row, 1)
                        if count > 0 {
                            PQfreemem(row)
                        } else if count == 0 {
                            try await waitForInput(deadline)
                        } else {
                            break
                        }
                    }
                }
            }
        } catch {
            return (error as? Interruption)?.error == .timedOut ? .timedOut : .lost
        }
        return PQstatus(handle) == CONNECTION_OK ? .done : .lost
    }
}
