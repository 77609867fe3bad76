import HTTP
import Telemetry

/// What operators and their tools ask a service, on a listener of its own. It answers from the first moment of the process
/// on, also while the service waits for its database.
enum OperatorRoutes {
    static func router(health: KnownHealth, metrics: Metrics) -> HTTPRouter {
        var router = HTTPRouter()
        router.on(.get, "/healthz") { _ in
            health.isAlive ? .text("ok\n") : .text("a loop stands still\n", status: .serviceUnavailable)
        }
        router.on(.get, "/readyz") { (_) async throws(Problem) in
            let report = await health.report()
            var response = try HTTPResponse.json(report, status: report.isReady ? .ok : .serviceUnavailable)
            response.fields["Cache-Control"] = "no-store"
            return response
        }
        router.on(.get, "/metrics") { _ in .bytes(await metrics.text(), as: .metrics) }
        return router
    }
}
