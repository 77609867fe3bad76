/// The one error that crosses the wire between services. Its message is safe to show: it never tells what happened
/// inside.
public struct RPCError: Error, Sendable, Hashable {
    /// What kind of failure this is; stable names, also on the wire.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case parseError = "parse_error"
        case invalidRequest = "invalid_request"
        case methodNotFound = "method_not_found"
        case invalidParams = "invalid_params"
        case `internal` = "internal"
        /// This client may not call this method, or may not do so for this person.
        case notAllowed = "not_allowed"
        case notFound = "not_found"
        case conflict = "conflict"
        /// A limit was reached; nothing was done.
        case overloaded = "overloaded"
        /// The caller's time was over, or too little of it was left to begin.
        case deadline = "deadline"
        /// No connection, or it was lost before the answer came.
        case unavailable = "unavailable"
        /// What was asked for existed once and is no longer kept.
        case gone = "gone"
        /// The calling task was cancelled; whether the call took effect is not known.
        case cancelled = "cancelled"

        /// JSON-RPC 2.0's integer: its reserved codes, and -32001 and below for the rest.
        public var number: Int {
            switch self {
            case .parseError: -32700
            case .invalidRequest: -32600
            case .methodNotFound: -32601
            case .invalidParams: -32602
            case .internal: -32603
            case .notAllowed: -32001
            case .notFound: -32002
            case .conflict: -32003
            case .overloaded: -32004
            case .deadline: -32005
            case .unavailable: -32006
            case .gone: -32007
            case .cancelled: -32008
            }
        }

        /// `nil` for an integer that no code has.
        public init?(number: Int) {
            guard let code = Self.allCases.first(where: { $0.number == number }) else { return nil }
            self = code
        }

        /// The title in the JSON-RPC specification, or a similar one.
        public var title: String {
            switch self {
            case .parseError: "Parse error"
            case .invalidRequest: "Invalid Request"
            case .methodNotFound: "Method not found"
            case .invalidParams: "Invalid params"
            case .internal: "Internal error"
            case .notAllowed: "Not allowed"
            case .notFound: "Not found"
            case .conflict: "Conflict"
            case .overloaded: "Overloaded"
            case .deadline: "Deadline exceeded"
            case .unavailable: "Unavailable"
            case .gone: "Gone"
            case .cancelled: "Cancelled"
            }
        }

        /// Whether a second try of an idempotent call may well succeed.
        var isTransient: Bool { self == .overloaded || self == .unavailable }
    }

    public let code: Code
    /// A sentence for people, without secrets and without personal data.
    public let message: String
    /// The service's own stable name for the case, such as `feed.gone`; for programs.
    public let domain: String?
    /// Whether the same call may succeed a moment later.
    public let isRetryable: Bool

    /// Without a message, the code's title; without `isRetryable`, what is usual for the code.
    public init(_ code: Code, _ message: String? = nil, domain: String? = nil, isRetryable: Bool? = nil) {
        self.code = code
        self.message = message ?? code.title
        self.domain = domain
        self.isRetryable = isRetryable ?? code.isTransient
    }
}

extension RPCError: CustomStringConvertible {
    public var description: String { "\(domain ?? code.rawValue): \(message)" }
}
