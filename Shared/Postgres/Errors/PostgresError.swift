internal import Reactor
public import Telemetry

/// Why a statement, a connection or a lease failed. `description` is safe to show and to log; `debugDescription` has the
/// server's full words, which may hold values of rows.
public enum PostgresError: Error, Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The server refused or failed; nothing of the statement took effect.
    case server(ServerError)
    /// No connection, or it was lost; nothing took effect (an open transaction is rolled back by the server).
    case connection(detail: String)
    /// The connection was lost, or the wait for a synchronous standby ended, while a change was being committed: whether it
    /// took effect is not known.
    case outcomeUnknown(detail: String)
    /// The deadline passed; the statement was cancelled, or no connection became free.
    case timedOut
    /// The task was cancelled, and the statement with it.
    case cancelled
    /// Too many are waiting for a connection already.
    case overloaded
    /// The database was closed, or a transaction used after its end.
    case closed
    case decoding(PostgresDecodingError)
    /// The call itself is wrong: said in words.
    case usage(String)

    /// The server's classification, where there is one.
    public var sqlState: SQLState? {
        if case .server(let error) = self { error.sqlState } else { nil }
    }

    /// The violated constraint, where there is one.
    public var constraint: String? {
        if case .server(let error) = self { error.constraint } else { nil }
    }

    /// Whether running the same transaction again may succeed (serialization failure, deadlock).
    public var isRetryable: Bool { sqlState?.isRetryable ?? false }

    public var description: String {
        switch self {
        case .server(let error): error.description
        case .connection: "database not reachable"
        case .outcomeUnknown: "database connection lost while committing"
        case .timedOut: "database deadline passed"
        case .cancelled: "database call cancelled"
        case .overloaded: "too many waiting for the database"
        case .closed: "database closed"
        case .decoding: "unexpected value from the database"
        case .usage: "wrong use of the database"
        }
    }

    public var debugDescription: String {
        switch self {
        case .server(let error): error.debugDescription
        case .connection(let detail), .outcomeUnknown(let detail): "\(description): \(detail)"
        case .decoding(let error): "\(description): \(error)"
        case .usage(let text): "\(description): \(text)"
        default: description
        }
    }

    /// What an error of the event loop means here.
    init(_ error: IOError) {
        self =
            switch error {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .closed: .closed
            default: .connection(detail: "\(error)")
            }
    }
}

extension PostgresError: LogDescribing {
    /// Of the server's words nothing but the class of the error.
    public var logDescription: String {
        switch self {
        case .server: description
        default: debugDescription
        }
    }
}
