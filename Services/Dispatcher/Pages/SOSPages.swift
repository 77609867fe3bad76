import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of AutomatedSOS: the state in one glance with the SOS button, enrolment, contacts, own limits, each incident with its
/// history, and what a contact sees by a link. Their controls are large (NFR-08d).
struct SOSPages: Sendable {
    private let site: Site
    private let ageMin: Int?

    /// `nil` where the deployment has no pages (`public.assets`). `ageMin` is the age from which people may enrol here, if there is one
    /// (SOS-01d). Errors: templates or words that do not fit.
    init?(assets: String?, ageMin: Int?) throws {
        guard let assets else { return nil }
        self.ageMin = ageMin
        site = try Site(
            "dispatcher", assets: assets,
            templates: [
                "sos": PackageResources.sos_html, "sos-enrol": PackageResources.sos_enrol_html,
                "sos-contact": PackageResources.sos_contact_html, "sos-contacts": PackageResources.sos_contacts_html,
                "sos-limits": PackageResources.sos_limits_html, "sos-incident": PackageResources.sos_incident_html,
            ],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/sos", .init("sos"), of: site) { _ in ["pauses": Self.pauses] }
        routes.page("/sos/contact", .init("sos-contact", needsMap: true), of: site)
        routes.page("/sos/contacts", .init("sos-contacts"), of: site)
        routes.page("/sos/limits", .init("sos-limits"), of: site)
        routes.page("/sos/incidents/:incident", .init("sos-incident"), of: site) {
            let _: UUID = try $0.parameter("incident")
            return [:]
        }
        routes.page("/sos/enrol", .init("sos-enrol"), of: site) { _ in
            [
                "clauses_version": .string(EnrolmentForm.clausesVersion),
                "windows": .array([0, 10, 20, 30, 60].map { ["seconds": .integer($0)] }),
                "age_min": ageMin.map { .integer(Int64($0)) } ?? .null,
            ]
        }
    }

    /// The longest is `EnrolmentStore.pauseMax`.
    private static let pauses = JSONValue.array(
        [(30, "half_hour"), (60, "hour"), (180, "three_hours"), (720, "half_day"), (1440, "day"), (10_080, "week")].map
        {
            ["minutes": .integer($0), "name": .string($1)]
        })
}
