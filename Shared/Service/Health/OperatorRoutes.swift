import HTTP
import Synchronization
import Telemetry

/// What operators and their tools ask a service, on a listener of its own. It answers from the first moment of the process
/// on, also while the service waits for its database.
public enum OperatorRoutes {
    /// Bytes of a body of the service's own routes at most.
    public static let bodyBytesMax = 2 << 20

    /// What the paths of a service's own routes for operators begin with.
    public static func prefix(_ service: String) -> String { "/\(service)/v1/operator" }

    /// A service's own routes for operators.
    struct Own: Sendable {
        /// The OpenAPI document about them.
        let document: [UInt8]
        let add: @Sendable (inout ServiceRoutes) -> Void
    }

    static func router(_ service: String, health: KnownHealth, metrics: Metrics, acts: OperatorActs) -> HTTPRouter {
        var router = HTTPRouter()
        router.on(.get, "/healthz") { _ in
            health.isAlive ? .text("ok\n") : .text("a loop stands still\n", status: .serviceUnavailable)
        }
        router.on(.get, "/readyz") { (_) async throws(Problem) in
            let report = await health.report()
            return try HTTPResponse.json(report, status: report.isReady ? .ok : .serviceUnavailable).uncached
        }
        router.on(.get, "/metrics") { _ in .bytes(await metrics.text(), as: .metrics) }
        for method in [HTTPMethod.get, .post, .delete] {
            router.on(method, prefix(service) + "/*path", body: .buffered(bytesMax: bodyBytesMax)) {
                (request) async throws(Problem) in try await acts.answer(request)
            }
        }
        return router
    }
}

/// The service's own routes for operators, which are there once it is built.
final class OperatorActs: Sendable {
    private let router: Mutex<HTTPRouter?>

    init(_ router: HTTPRouter? = nil) { self.router = Mutex(router) }

    func set(_ new: HTTPRouter) { router.withLock { $0 = new } }

    func answer(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        guard let router = router.withLock({ $0 }) else {
            throw Problem(
                .serviceUnavailable, code: "starting", detail: "the service is starting; try again soon",
                retryAfter: .seconds(1))
        }
        return await router.handle(request)
    }
}
