import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of “My Health”: today at a glance, each data type over time, the weekly report, places, imports, and what is
/// kept. Their values are fetched by the browser from the public API, so that nothing personal is in the page itself.
struct HealthPages: Sendable {
    /// What people measure without a device that sends, or read from one (ING-03).
    private static let entered: [DataType] = [
        .weight, .bloodPressureSystolic, .bloodPressureDiastolic, .heartRate, .bodyTemperature, .glucose,
        .oxygenSaturation, .respirationRate, .height, .nutritionEnergy, .stressLevel, .wellBeing,
    ]

    private let site: Site

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit.
    init?(assets: String?) throws {
        guard let assets else { return nil }
        site = try Site(
            "ingestion", assets: assets,
            templates: [
                "today": PackageResources.today_html, "measurement": PackageResources.measurement_html,
                "week": PackageResources.week_html, "places": PackageResources.places_html,
                "imports": PackageResources.imports_html, "my-data": PackageResources.my_data_html,
            ],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/today", .init("today"), of: site)
        routes.page("/measurements/:type", .init("measurement", needsChart: true), of: site) { request in
            // Positions are on the map.
            guard let type = DataType(name: try request.parameter("type")), type != .position else {
                throw Problem.notFound
            }
            return ["type": .string(type.name)]
        }
        routes.page("/week", .init("week"), of: site)
        routes.page("/places", .init("places", needsMap: true), of: site)
        routes.page("/imports", .init("imports"), of: site)
        routes.page("/my-data", .init("my-data"), of: site) { _ in
            ["types": Self.types(DataType.allCases), "entered": Self.types(Self.entered)]
        }
    }

    private static func types(_ types: [DataType]) -> JSONValue { .array(types.map { ["type": .string($0.name)] }) }
}
