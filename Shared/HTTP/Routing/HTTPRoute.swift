/// One method of one pattern.
final class HTTPRoute: Sendable {
    let pattern: String
    let parameterNames: [String]
    let body: HTTPBodyPolicy
    /// `nil` is the server's.
    let deadline: Duration?
    let handler: HTTPHandler

    init(
        pattern: String, parameterNames: [String], body: HTTPBodyPolicy, deadline: Duration?,
        handler: @escaping HTTPHandler
    ) {
        self.pattern = pattern
        self.parameterNames = parameterNames
        self.body = body
        self.deadline = deadline
        self.handler = handler
    }
}

/// Where a request leads.
enum HTTPRouteMatch {
    case route(HTTPRoute, PathParameters)
    /// The path exists, the method does not; the methods that do.
    case otherMethods([HTTPMethod])
    case notFound
    /// A segment is not UTF-8, or holds NUL.
    case malformed
}
