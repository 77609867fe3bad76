import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of “My Health”: today at a glance, and each data type over time. Their values are fetched by the browser
/// from the public API, so that nothing personal is in the page itself.
struct HealthPages: Sendable {
    private let site: Site

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit.
    init?(assets: String?) throws {
        guard let assets else { return nil }
        site = try Site(
            "ingestion", assets: assets,
            templates: ["today": PackageResources.today_html, "measurement": PackageResources.measurement_html],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/today", .init("today"), of: site)
        routes.page("/measurements/:type", .init("measurement", needsChart: true), of: site) { request in
            guard let type = DataType(name: try request.parameter("type")) else { throw Problem.notFound }
            return ["type": .string(type.name)]
        }
    }
}
