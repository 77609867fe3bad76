import Domain
import HTTP
import JSON
import Service
import Web

/// The pages of AutomatedSOS: the state in one glance, enrolment, test call, history. Their controls are large (NFR-08d).
struct SOSPages: Sendable {
    private let site: Site

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit.
    init?(assets: String?) throws {
        guard let assets else { return nil }
        site = try Site(
            "dispatcher", assets: assets,
            templates: ["sos": PackageResources.sos_html, "sos-enrol": PackageResources.sos_enrol_html],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/sos", .init("sos"), of: site)
        routes.page("/sos/enrol", .init("sos-enrol"), of: site) { _ in
            [
                "clauses_version": .string(EnrolmentForm.clausesVersion),
                "windows": .array([0, 10, 20, 30, 60].map { ["seconds": .integer($0)] }),
            ]
        }
    }
}
