/// Answers one request, on the loop of its connection. It must not block. Its task is cancelled at the request's
/// deadline.
public typealias HTTPHandler = @Sendable (HTTPRequest) async throws(Problem) -> HTTPResponse

/// Something around the handlers of a group: looks at the request, calls the handler or not, looks at the response.
public typealias HTTPWrapper = @Sendable (HTTPRequest, @escaping HTTPHandler) async throws(Problem) -> HTTPResponse

/// How a route takes bodies, and how many bytes at most.
public enum HTTPBodyPolicy: Sendable {
    /// Whole, before the handler is called; `nil` is the server's limit.
    case buffered(bytesMax: Int? = nil)
    /// In pieces, while the handler runs (imports). Such a route has no deadline unless it names one: the sender's pace
    /// is watched instead.
    case streaming(bytesMax: Int)
}
