import Domain
import HTTP
import JSON
import Service
import Web

/// The pages by which individuals decide who gets their data: requests and followers (REQ-04, REQ-05, REQ-10), and who
/// received what (REQ-11).
struct ConsentPages: Sendable {
    private let site: Site

    private let hasPayments: Bool
    private let groupPrice: Price?

    /// `nil` where the deployment has no pages (`public.assets`). Of payments nothing shows unless there are any (PAY-01c);
    /// `groupPrice` is what an answer about a group costs. Errors: templates or words that do not fit.
    init?(assets: String?, hasPayments: Bool, groupPrice: Price?) throws {
        guard let assets else { return nil }
        self.hasPayments = hasPayments
        self.groupPrice = groupPrice
        site = try Site(
            "query", assets: assets,
            templates: [
                "requests": PackageResources.requests_html, "access-log": PackageResources.access_log_html,
                "data-requests": PackageResources.data_requests_html,
                "data-request": PackageResources.data_request_html,
                "data-events": PackageResources.data_events_html,
                "webhooks": PackageResources.webhooks_html, "webhook": PackageResources.webhook_html,
                "webhook-fields": PackageResources.webhook_fields_html,
                "webhook-secret": PackageResources.webhook_secret_html,
                "event-kinds": PackageResources.event_kinds_html,
                "mailing": PackageResources.mailing_html, "payments": PackageResources.payments_html,
                "group-requests": PackageResources.group_requests_html, "developers": PackageResources.developers_html,
            ],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc,
            hasPayments: hasPayments)
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/requests", .init("requests"), of: site)
        routes.page("/access-log", .init("access-log"), of: site)
        ThirdPartyPages(site: site, hasPayments: hasPayments, groupPrice: groupPrice).add(to: &routes)
    }
}
