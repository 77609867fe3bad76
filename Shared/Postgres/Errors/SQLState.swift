/// The five characters by which PostgreSQL classifies what happened (appendix A of its manual).
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The first two characters: the class.
    public var errorClass: String { String(rawValue.prefix(2)) }
    public var description: String { rawValue }

    public static let warning = SQLState(rawValue: "01000")
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    public static let inFailedTransaction = SQLState(rawValue: "25P02")
    public static let invalidStatementName = SQLState(rawValue: "26000")
    public static let invalidCatalogName = SQLState(rawValue: "3D000")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    public static let syntaxError = SQLState(rawValue: "42601")
    public static let undefinedTable = SQLState(rawValue: "42P01")
    public static let undefinedFunction = SQLState(rawValue: "42883")
    public static let invalidSchemaName = SQLState(rawValue: "3F000")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    public static let outOfMemory = SQLState(rawValue: "53200")
    public static let tooManyConnections = SQLState(rawValue: "53300")
    public static let configurationLimitExceeded = SQLState(rawValue: "53400")
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let queryCanceled = SQLState(rawValue: "57014")
    public static let adminShutdown = SQLState(rawValue: "57P01")
    public static let cannotConnectNow = SQLState(rawValue: "57P03")

    /// Running the same transaction again may succeed.
    public var isRetryable: Bool { self == .serializationFailure || self == .deadlockDetected }

    /// The values that were given are at fault, not the server, its resources or other transactions: classes 21
    /// (cardinality), 22 (data), 23 (constraints), 44 (check option), 54 (limits of the server's program) and P0 (raised
    /// by a function).
    public var concernsValues: Bool { ["21", "22", "23", "44", "54", "P0"].contains(errorClass) }

    /// There is no table, function or schema of a name in the statement: nothing was done.
    public var namesNothing: Bool {
        self == .undefinedTable || self == .undefinedFunction || self == .invalidSchemaName
    }

    /// The server is in trouble, not the statement: classes 08 (connection), 53 (resources) and 57 (intervention by an
    /// operator, and a statement that was cancelled).
    public var concernsServer: Bool { ["08", "53", "57"].contains(errorClass) }

    /// Whether the same may succeed a moment later: conflict with another transaction, timeout, lack of resources,
    /// shutdown.
    public var isTemporary: Bool {
        isRetryable || concernsServer || self == .lockNotAvailable || self == .readOnlyTransaction
    }

    /// A new connection will be refused in the same way until somebody changes something: wrong password or user,
    /// no such database, no permission, a bad setting.
    var refusesConnections: Bool { ["28", "3D", "42", "22"].contains(errorClass) }
}
