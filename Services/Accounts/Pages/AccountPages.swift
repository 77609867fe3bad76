import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of accounts: what TrackMe is, registration, log-in, terms, help, the tour, the own account, inbox, devices, and
/// the programs of a company (ACC-15); and where people authorise an application (ACC-14).
struct AccountPages: Sendable {
    private static let templates: [String: [UInt8]] = [
        "home": PackageResources.home_html, "login": PackageResources.login_html,
        "register": PackageResources.register_html, "register-company": PackageResources.register_company_html,
        "terms": PackageResources.terms_html, "help": PackageResources.help_html,
        "account": PackageResources.account_html, "inbox": PackageResources.inbox_html,
        "devices": PackageResources.devices_html, "clients": PackageResources.clients_html,
        "confirm": PackageResources.confirm_html, "send-again": PackageResources.send_again_html,
        "tour": PackageResources.tour_html, "forgot": PackageResources.forgot_html,
        "reset": PackageResources.reset_html, "parent": PackageResources.parent_html,
        "consent-checks": PackageResources.consent_checks_html, "leave": PackageResources.leave_html,
        "receipt": PackageResources.receipt_html, "authorize": PackageResources.authorize_html,
    ]
    private static let companies: [(path: String, kind: AccountKind)] = [
        ("/register/third-party", .thirdParty), ("/register/organiser", .organiser),
    ]

    private static let occupations = JSONValue.array(
        Occupation.allCases.map { .object(["value": .string($0.rawValue)]) })

    /// The consents with their texts, in the reader's language.
    private static func consents(for request: HTTPRequest) -> JSONValue {
        let language = Site.language(of: request)
        return .array(
            ConsentPurpose.allCases.map { purpose in
                .object([
                    "name": .string(purpose.rawValue.replacing("-", with: "_")),
                    "text": .string(purpose.text(language)),
                ])
            })
    }

    private let site: Site
    private let terms: TermsCatalogue
    private let support: SupportContact

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit.
    init?(terms: TermsCatalogue, support: SupportContact, assets: String?) throws {
        guard let assets else { return nil }
        (self.terms, self.support) = (terms, support)
        site = try Site(
            "accounts", assets: assets, templates: Self.templates,
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        let (terms, support) = (terms, support)
        routes.page("/", .init("home", hasScript: false), of: site)
        routes.page("/help", .init("help", hasScript: false), of: site) { _ in
            ["support_link": .string(support.link), "support_text": .string(support.text)]
        }
        for name in ["confirm", "forgot", "reset", "tour", "inbox", "leave", "receipt", "authorize"] {
            routes.page("/\(name)", .init(name), of: site)
        }
        for name in ["login", "parent"] {
            routes.page("/\(name)", .init(name), of: site) { request in ["consents": Self.consents(for: request)] }
        }
        routes.page("/account", .init("account"), of: site) { request in
            ["occupations": Self.occupations, "consents": Self.consents(for: request)]
        }
        routes.page("/devices", .init("devices"), of: site) { _ in
            ["types": .array(DataType.allCases.map { .object(["type": .string($0.name)]) })]
        }
        routes.page("/clients", .init("clients"), of: site) { _ in
            ["scopes": .array(TokenIssuer.thirdPartyScopes.map { .object(["scope": .string($0)]) })]
        }
        routes.page("/register", .init("register"), of: site) { request in
            [
                "terms_version": .string(terms[.individual]), "occupations": Self.occupations,
                "consents": Self.consents(for: request),
            ]
        }
        for (path, kind) in Self.companies {
            routes.page(path, .init("register-company"), of: site) { _ in
                [
                    "terms_version": .string(terms[kind]), "kind": .string(kind.rawValue),
                    "is_third_party": .bool(kind == .thirdParty),
                ]
            }
        }
        routes.page("/terms", .init("terms", hasScript: false), of: site) { request in
            let language = Site.language(of: request)
            return [
                "kinds": .array(
                    AccountKind.allCases.map { kind in
                        let paragraphs = TermsText.text(kind, language).split(separator: "\n\n").map(String.init)
                        return .object([
                            "kind": .string(kind.rawValue), "version": .string(terms[kind]),
                            "paragraphs": .array(paragraphs.dropFirst().map { .string($0) }),
                        ])
                    })
            ]
        }
        routes.on(.get, "/language", access: .page, query: .read) { request in
            let (language, from) = try request.parameters { (query) throws(Problem) in
                (query.choice("to", of: Language.self), query.text("from").flatMap(LocalPath.init))
            }
            return HTTPResponse(
                .seeOther,
                fields: [
                    "Location": from?.text ?? "/",
                    "Set-Cookie":
                        "language=\((language ?? .italian).rawValue); Path=/; SameSite=Lax; Max-Age=31536000",
                ])
        }
    }
}
