public import HTTP
import Primitives
import Reactor
public import Telemetry

/// The HTTP routes of a service. Each declares who may call it; others are refused before the body is read. Gates and
/// handlers run in a `RequestScope`, so that what they call shares their deadline and trace, and may throw any error:
/// `Problem(_:log:)` makes the answer.
public struct ServiceRoutes {
    public typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse
    /// A handler that gets the identity of the request's token.
    public typealias AccountHandler = @Sendable (HTTPRequest, Identity) async throws -> HTTPResponse

    public private(set) var router: HTTPRouter
    public private(set) var declared: [DeclaredRoute] = []
    private let authentication: Authentication
    private let checks: TokenChecks
    private let withholding: Withholding
    private let log: Log

    public init(
        router: HTTPRouter = HTTPRouter(), authentication: Authentication, withholding: Withholding = Withholding(),
        observer: Observer
    ) {
        self.router = router
        self.withholding = withholding
        self.authentication = authentication
        checks = TokenChecks(observer.metrics)
        log = observer.log
    }

    /// How a route treats the query of a request.
    public enum QueryPolicy: Sendable {
        /// The route has no parameters: 422 for any.
        case refused
        /// The handler reads them with `HTTPRequest.parameters`.
        case read
        /// Ignored, for links and tools that add parameters of their own.
        case ignored
    }

    /// Answers `method` on `pattern` without a token; see `HTTPRouter.on`.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, access: OpenAccess, query: QueryPolicy = .refused,
        body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil, _ handler: @escaping Handler
    ) {
        declared.append(DeclaredRoute(method: method, pattern: pattern, caller: .open(access)))
        let (log, withholding) = (log, withholding)
        router.on(method, pattern, body: body, deadline: deadline) { (request) async throws(Problem) in
            try withholding.check(access)
            return try await Self.scoped(request, log) {
                if query == .refused { try request.refuseQuery() }
                return try await handler(request)
            }
        }
    }

    /// Answers `method` on `pattern` for tokens that `access` admits.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, access: Access, query: QueryPolicy = .refused,
        body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil, _ handler: @escaping AccountHandler
    ) {
        let (log, authentication, checks, withholding) = (log, authentication, checks, withholding)
        admit(
            DeclaredRoute(method: method, pattern: pattern, caller: .token(access)), query, body, deadline, handler,
            account: { $0.account },
            by: { (request) async throws(Problem) in
                let identity = try await checks.counting { () async throws(Problem) in
                    try await Self.scoped(request, log) { try await authentication.admit(request, access) }
                }
                try withholding.check(identity)
                return identity
            })
    }

    /// Answers `method` on `pattern` for whom `gate` admits, by something else than a token: it looks at the head alone, and what it
    /// returns goes to the handler.
    public mutating func on<Caller: Sendable>(
        _ method: HTTPMethod, _ pattern: String, query: QueryPolicy = .refused, body: HTTPBodyPolicy = .buffered(),
        admitting gate: @escaping @Sendable (HTTPRequest) async throws -> Caller,
        _ handler: @escaping @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse
    ) {
        let (log, withholding) = (log, withholding)
        admit(
            DeclaredRoute(method: method, pattern: pattern, caller: .gate), query, body, nil, handler,
            account: { _ in nil },
            by: { (request) async throws(Problem) in
                try withholding.check(.anyone)
                return try await Self.scoped(request, log) { try await gate(request) }
            })
    }

    /// Routes whose caller is known from the head. `account` has a share of the memory for bodies.
    private mutating func admit<Caller: Sendable>(
        _ route: DeclaredRoute, _ query: QueryPolicy, _ body: HTTPBodyPolicy, _ deadline: Duration?,
        _ handler: @escaping @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse,
        account: @escaping @Sendable (Caller) -> UUID?,
        by gate: @escaping @Sendable (HTTPRequest) async throws(Problem) -> Caller
    ) {
        declared.append(route)
        let log = log
        router.admit(
            route.method, route.pattern, body: body, deadline: deadline,
            by: { (request) async throws(Problem) in
                let caller = try await gate(request)
                if query == .refused { try request.refuseQuery() }
                return HTTPAdmission(account: account(caller)) { (request) async throws(Problem) in
                    try await Self.scoped(request, log) { try await handler(request, caller) }
                }
            })
    }

    private static func scoped<R: Sendable>(
        _ request: HTTPRequest, _ log: Log, _ body: () async throws -> R
    ) async throws(Problem) -> R {
        let scope = RequestScope(deadline: request.deadline, trace: request.trace)
        let outcome = await RequestScope.$current.withValue(scope) { () async -> Result<R, Problem> in
            do { return .success(try await body()) } catch { return .failure(Problem(error, log: log)) }
        }
        return try outcome.get()
    }
}
