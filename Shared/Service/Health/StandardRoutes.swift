import HTTP

/// What every service answers beside its own routes, for operators and their tools.
enum StandardRoutes {
    static func add(
        to routes: inout ServiceRoutes, name: String, openAPI: [UInt8], health: Health, metrics: Metrics
    ) {
        // The process answers: that is all this says.
        routes.on(.get, "/healthz", access: .anyone) { _ in .text("ok\n") }
        routes.on(.get, "/readyz", access: .anyone) { _ in
            let report = await health.report()
            var response = try HTTPResponse.json(report, status: report.isReady ? .ok : .serviceUnavailable)
            response.fields["Cache-Control"] = "no-store"
            return response
        }
        routes.on(.get, "/metrics", access: .anyone) { _ in .bytes(await metrics.text(), as: .metrics) }
        for path in ["/openapi.json", "/\(name)/openapi.json"] {
            routes.on(.get, path, access: .anyone) { _ in .bytes(openAPI, as: .json) }
        }
    }
}
