public import Domain
public import HTTP
public import JSON
import Primitives
import Security

/// The pages of a service (NFR-08): its templates and words and those that all services share, put together once and
/// checked, so that no page meets a template or a word that is missing.
///
/// A page is HTML in the reader's language; what it can show without JavaScript is in it, the rest is fetched by its
/// script from the public API (NFR-09). Scripts and styles are files that the proxy in front serves below `assets`.
public struct Site: Sendable {
    /// One page.
    public struct Page: Sendable {
        let name: String
        let template: String
        let hasScript: Bool
        let needsMap: Bool
        let needsChart: Bool

        /// The words below `name`, `title` among them, go with it, and the template of the same name where no other is
        /// given; with `hasScript` the module `NAME.js` among the service's assets. `needsMap` loads Leaflet, `needsChart` Chart.js.
        public init(
            _ name: String, template: String? = nil, hasScript: Bool = true, needsMap: Bool = false,
            needsChart: Bool = false
        ) {
            self.name = name
            self.template = template ?? name
            self.hasScript = hasScript
            self.needsMap = needsMap
            self.needsChart = needsChart
        }
    }

    private let service: String
    private let assets: String
    private let templates: [String: Template]
    private let words: [Language: Words]
    private let zone: TimeZoneRules
    private let hasPayments: Bool?

    /// `templates` by name and `words` by language are those of the service; `assets` is the path that its scripts and
    /// styles are served below. Times are written in `zone`. `hasPayments` says whether third parties have anything to pay for, which
    /// the one service that takes payments knows: it tells the browser, so that the navigation is the same at all services' pages.
    ///
    /// Errors: a template or catalogue that cannot be read; a word or template that is missing; languages that differ in
    /// their keys.
    public init(
        _ service: String, assets: String, templates own: [String: [UInt8]], words ownWords: [Language: [UInt8]],
        zone: TimeZoneRules, hasPayments: Bool? = nil
    ) throws(TemplateError) {
        self.service = service
        self.assets = assets
        self.zone = zone
        self.hasPayments = hasPayments
        var templates: [String: Template] = [:]
        for (name, bytes) in own.merging(SharedPages.templates, uniquingKeysWith: { first, _ in first }) {
            templates[name] = try Template(String(decoding: bytes, as: UTF8.self))
        }
        var words: [Language: Words] = [:]
        for language in Language.allCases {
            var all = Words()
            for part in [SharedPages.words[language], ownWords[language]] {
                if let part { try all.add(part) }
            }
            words[language] = all
        }
        self.templates = templates
        self.words = words
        try check()
    }

    private func check() throws(TemplateError) {
        guard let first = words[.italian], let second = words[.english], first.keys == second.keys else {
            let (italian, english) = (words[.italian]?.keys ?? [], words[.english]?.keys ?? [])
            throw TemplateError(
                description:
                    "the languages differ in: \(italian.symmetricDifference(english).sorted().joined(separator: ", "))")
        }
        var missing: [String] = []
        for template in templates.values {
            template.forEach { node in
                switch node {
                case .value(let path, _) where path.first == "t":
                    let key = path.dropFirst().joined(separator: ".")
                    if first[key] == nil { missing.append(key) }
                case .partial(let name) where name != "content" && templates[name] == nil: missing.append(name)
                default: break
                }
            }
        }
        guard missing.isEmpty else {
            throw TemplateError(
                description: "templates name what is missing: \(missing.sorted().joined(separator: ", "))")
        }
    }

    /// The language that the sender of `request` reads pages in.
    public static func language(of request: HTTPRequest) -> Language { Reader(request).language }

    /// The page for the sender of `request`. `values` are what the template shows; the page's title is `values.title`, or
    /// the word `NAME.title`. Errors: 500 when the template cannot write a value.
    public func response(
        _ page: Page, to request: HTTPRequest, _ values: JSONObject = [:], status: HTTPStatus = .ok
    ) throws(TemplateError) -> HTTPResponse {
        let reader = Reader(request)
        var values = values
        values["content"] = .string(page.template)
        values["language"] = .string(reader.language.rawValue)
        values["assets"] = .string(assets)
        values["service"] = .string(service)
        values["other_language"] = .string(reader.language == .italian ? "en" : "it")
        values["here"] = .string(PercentEncoding.encode(LocalPath(of: request)?.text ?? "/"))
        if page.hasScript { values["script"] = .string(page.name) }
        if page.needsMap { values["map"] = .bool(true) }
        if page.needsChart { values["charts"] = .bool(true) }
        if hasPayments ?? reader.hasPayments { values["payments"] = .bool(true) }
        if let kind = reader.kind { values["account"] = .object([kind.rawValue: .bool(true)]) }
        if let theme = reader.theme { values["theme"] = .string(theme) }
        let words = words[reader.language] ?? Words()
        if values["title"] == nil {
            guard let title = words.text("\(page.name).title") else {
                throw TemplateError(description: "the page \(page.name) has no title")
            }
            values["title"] = .string(title)
        }
        var renderer = TemplateRenderer(
            templates, words, ReadableFormat(language: reader.language, zone: zone), values)
        let body = try renderer.render("layout")
        let tag = "\"\(Base64.url.encode(Array(Digest.sha256(body).prefix(12))))\""
        var fields: HTTPFields = [
            "Content-Security-Policy": Self.policy, "Cache-Control": "private, no-cache", "ETag": tag,
            "Vary": "Cookie, Accept-Language", "Content-Language": reader.language.rawValue,
            "Permissions-Policy": Self.permissions, "Cross-Origin-Opener-Policy": "same-origin",
        ]
        if let hasPayments, reader.kind == .thirdParty, hasPayments != reader.hasPayments {
            fields["Set-Cookie"] = Reader.paymentsCookie(hasPayments)
        }
        guard status != .ok || request.field("if-none-match") != tag else {
            return HTTPResponse(.notModified, fields: fields)
        }
        return HTTPResponse(status, contentType: .html, fields: fields, body: .bytes(body))
    }

    /// Nothing from elsewhere, nothing inline; strings become HTML only through the policy for Leaflet (`default`), and a
    /// script of its own only through that for the service worker (`worker`).
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types default worker",
    ].joined(separator: "; ")

    private static let permissions =
        "geolocation=(self), camera=(), microphone=(), payment=(), usb=(), serial=()"
}
