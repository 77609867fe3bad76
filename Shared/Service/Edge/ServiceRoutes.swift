public import HTTP
import Reactor
import Telemetry

/// The HTTP routes of a service. Each handler runs in a `RequestScope`, so that what it calls shares its deadline and
/// trace, and may throw anything: `Problem(_:log:)` says what the client is told.
public struct ServiceRoutes {
    public typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private(set) var router: HTTPRouter
    private let log: Log

    init(router: HTTPRouter = HTTPRouter(), log: Log) {
        self.router = router
        self.log = log
    }

    /// Answers `method` on `pattern`; see `HTTPRouter.on`.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil,
        _ handler: @escaping Handler
    ) {
        let log = log
        router.on(method, pattern, body: body, deadline: deadline) { (request) async throws(Problem) in
            let scope = RequestScope(deadline: request.deadline, trace: request.trace)
            let outcome = await RequestScope.$current.withValue(scope) {
                () async -> Result<HTTPResponse, Problem> in
                do {
                    return .success(try await handler(request))
                } catch {
                    return .failure(Problem(error, log: log))
                }
            }
            return try outcome.get()
        }
    }
}
