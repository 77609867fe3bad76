public import Primitives

/// Answers one request, on the loop of its connection. It must not block. Its task is cancelled at the request's
/// deadline.
public typealias HTTPHandler = @Sendable (HTTPRequest) async throws(Problem) -> HTTPResponse

/// Decides on the head of a request whether it is admitted, before its body is read; what it throws is the answer. The
/// request has no body then. It runs as a handler does, with a time limit of its own.
public typealias HTTPGate = @Sendable (HTTPRequest) async throws(Problem) -> HTTPAdmission

/// The admission of a request.
public struct HTTPAdmission: Sendable {
    /// Answers the request when its body has been received.
    public let handler: HTTPHandler
    /// The account whose share of the memory for bodies the request takes from.
    public let account: UUID?

    public init(account: UUID? = nil, handler: @escaping HTTPHandler) {
        self.account = account
        self.handler = handler
    }
}

/// How a route takes bodies, and how many bytes at most.
public enum HTTPBodyPolicy: Sendable {
    /// Whole, before the handler is called; `nil` is the server's limit.
    case buffered(bytesMax: Int? = nil)
    /// In pieces, while the handler runs (imports). Such a route has no deadline unless it names one: the sender's pace
    /// is watched instead.
    case streaming(bytesMax: Int)
}
