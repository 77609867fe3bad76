internal import CLibPQ
internal import Reactor
internal import Telemetry

extension Connection {
    /// Connects, on the current loop, to the first host that lets it. Errors: `server` when all refuse for good,
    /// `connection`, `timedOut`, `cancelled`.
    static func open(
        _ configuration: DatabaseConfiguration, deadline: Deadline = .never
    ) async throws(PostgresError) -> Connection {
        guard let loop = EventLoop.current else { throw .usage("connecting outside an event loop") }
        var failures: [PostgresError] = []
        for candidate in try await ConnectionParameters.candidates(configuration) {
            let end = min(deadline, .after(configuration.connectTime))
            do {
                return try await open(candidate, configuration, on: loop, until: end)
            } catch {
                if error == .cancelled || deadline.hasPassed { throw error }
                failures.append(error)
            }
        }
        // A host that cannot be reached may come back: the refusal is final only when every host refused.
        for failure in failures {
            guard case .server(let error) = failure, error.sqlState.refusesConnections else { throw failure }
        }
        throw failures.first ?? .connection(detail: "no host to connect to")
    }

    private static func open(
        _ parameters: ConnectionParameters, _ configuration: DatabaseConfiguration, on loop: EventLoop,
        until deadline: Deadline
    ) async throws(PostgresError) -> Connection {
        guard let handle = parameters.start() else { throw .connection(detail: "out of memory") }
        let notices = NoticeReceiver(configuration.observer.log)
        notices.attach(to: handle)
        // So that the refusal's SQLSTATE is in the message, which is all that libpq 15 gives out.
        _ = PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        do {
            try await poll(handle, on: loop, until: deadline)
            guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw failure(of: handle) }
            let watch = try Watch(descriptor: PQsocket(handle), on: loop)
            return Connection(handle, watch: watch, notices: notices, configuration: configuration)
        } catch {
            PQfinish(handle)
            throw error as? PostgresError ?? (error as? IOError).map { PostgresError($0) } ?? .connection(detail: "")
        }
    }

    private static func poll(
        _ handle: OpaquePointer, on loop: EventLoop, until deadline: Deadline
    ) async throws {
        guard PQstatus(handle) != CONNECTION_BAD else { throw failure(of: handle) }
        var state = PGRES_POLLING_WRITING
        while true {
            switch state {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_FAILED: throw failure(of: handle)
            default: break
            }
            // Polling may replace the descriptor, even by another of the same number: a watch lasts for one wait.
            let watch = try Watch(descriptor: PQsocket(handle), on: loop)
            defer { watch.close() }
            if state == PGRES_POLLING_READING {
                try await watch.readable(deadline: deadline)
            } else {
                try await watch.writable(deadline: deadline)
            }
            watch.close()
            state = PQconnectPoll(handle)
        }
    }

    private static func failure(of handle: OpaquePointer) -> PostgresError {
        connectFailure(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
    }

    /// Reads the SQLSTATE out of libpq's verbose message `…: FATAL:  28P01: words`; without one it is not the server's.
    static func connectFailure(_ text: String) -> PostgresError {
        let parts = text.split(separator: ": ")
        for (index, part) in parts.enumerated() where index > 0 && index + 1 < parts.count {
            let code = part.drop { $0 == " " }
            guard code.utf8.count == 5, code.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }),
                code.utf8.contains(where: { (48...57).contains($0) })
            else { continue }
            let message = parts[(index + 1)...].joined(separator: ": ").split(separator: "\n").first ?? ""
            return .server(
                ServerError(severity: .fatal, sqlState: SQLState(rawValue: String(code)), message: "\(message)"))
        }
        return .connection(detail: text)
    }
}
