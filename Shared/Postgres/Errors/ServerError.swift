internal import CLibPQ

/// An error or a notice as the server reports it.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    public enum Severity: String, Sendable {
        case error = "ERROR"
        case fatal = "FATAL"
        case panic = "PANIC"
        case warning = "WARNING"
        case notice = "NOTICE"
        case info = "INFO"
        case log = "LOG"
        case debug = "DEBUG"
    }

    public var severity: Severity
    public var sqlState: SQLState
    /// May hold values of the row concerned: not for users and not for logs that leave the system.
    public var message: String
    public var detail: String?
    public var hint: String?
    /// Where it happened in nested calls.
    public var context: String?
    public var schema: String?
    public var table: String?
    public var column: String?
    /// The constraint that was violated.
    public var constraint: String?
    /// Where in the statement, in characters from 1.
    public var position: Int?
    /// The function of the server's source that reported it; unlike the message it is the same in every language.
    var routine: String?

    public init(severity: Severity = .error, sqlState: SQLState, message: String, constraint: String? = nil) {
        self.severity = severity
        self.sqlState = sqlState
        self.message = message
        self.constraint = constraint
    }

    /// `nil` when the client library made the error itself (the connection is lost).
    init?(result: OpaquePointer?) {
        func field(_ code: UInt8) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        guard let sqlState = field(UInt8(ascii: "C")) else { return nil }
        severity = field(UInt8(ascii: "V")).flatMap(Severity.init) ?? .error
        self.sqlState = SQLState(rawValue: sqlState)
        message = field(UInt8(ascii: "M")) ?? ""
        detail = field(UInt8(ascii: "D"))
        hint = field(UInt8(ascii: "H"))
        context = field(UInt8(ascii: "W"))
        schema = field(UInt8(ascii: "s"))
        table = field(UInt8(ascii: "t"))
        column = field(UInt8(ascii: "c"))
        constraint = field(UInt8(ascii: "n"))
        position = field(UInt8(ascii: "P")).flatMap { Int($0) }
        routine = field(UInt8(ascii: "R"))
    }

    /// A prepared statement can no longer be run as it is and has to be prepared anew.
    var needsPreparingAgain: Bool {
        sqlState == .invalidStatementName
            || (sqlState == .featureNotSupported && routine == "RevalidateCachedQuery")
    }

    /// The commit is on this server's disk, but its wait for the synchronous standby was given up.
    var endsSynchronousWait: Bool { severity == .warning && routine == "SyncRepWaitForLSN" }

    /// Nothing but the class of the error.
    public var description: String { "database error \(sqlState)" }

    public var debugDescription: String {
        var text = "\(severity.rawValue) \(sqlState): \(message)"
        let more = [
            ("detail", detail), ("hint", hint), ("schema", schema), ("table", table), ("column", column),
            ("constraint", constraint), ("position", position.map { String($0) }), ("context", context),
        ]
        for case (let name, let value?) in more { text += "; \(name): \(value)" }
        return text
    }
}
