/// One method of one pattern.
final class HTTPRoute: Sendable {
    enum Answering: Sendable {
        case handler(HTTPHandler)
        /// The gate names the handler.
        case gate(HTTPGate)
    }

    let pattern: String
    let parameterNames: [String]
    let body: HTTPBodyPolicy
    /// `nil` is the server's.
    let deadline: Duration?
    let answering: Answering

    init(
        pattern: String, parameterNames: [String], body: HTTPBodyPolicy, deadline: Duration?, answering: Answering
    ) {
        self.pattern = pattern
        self.parameterNames = parameterNames
        self.body = body
        self.deadline = deadline
        self.answering = answering
    }
}

/// Where a request leads.
enum HTTPRouteMatch {
    case route(HTTPRoute, PathParameters)
    /// The path exists, the method does not; the methods that do.
    case otherMethods([HTTPMethod])
    case notFound
    /// A segment is not UTF-8, or holds a control character.
    case malformed
}
