import Domain
import HTTP
import JSON
import Testing

@testable import Web

@Suite struct SiteTests {
    private static let page = "<h1>{{title}}</h1>{{t.page.text}}"

    private func site(
        _ template: String = page, italian: String? = nil, hasPayments: Bool? = nil
    ) throws -> Site {
        let words = #"{"page": {"title": "A page", "text": "Words"}}"#
        return try Site(
            "test", assets: "/assets/1", templates: ["page": Array(template.utf8)],
            words: [
                .english: Array(words.utf8),
                .italian: Array((italian ?? #"{"page": {"title": "Una pagina", "text": "Parole"}}"#).utf8),
            ], zone: .utc, hasPayments: hasPayments)
    }

    private func answer(
        _ fields: HTTPFields = [:], at target: String = "/page", hasScript: Bool = true, site: Site? = nil
    ) async throws -> (response: HTTPResponse, text: String) {
        let request = try HTTPRequest(.get, target, fields: fields)
        let response = try (site ?? self.site()).response(.init("page", hasScript: hasScript), to: request)
        return (response, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test(
        "NFR-08b: the language is the reader's choice, else the browser's, else Italian",
        arguments: [
            ([:], "it"), (["accept-language": "en-GB,en;q=0.9,it;q=0.8"], "en"),
            (["accept-language": "de, it;q=0.5"], "it"),
            (["accept-language": "fr"], "it"), (["accept-language": "it;q=0.1, en;q=0"], "it"),
            (["accept-language": "it", "cookie": "a=b; language=en"], "en"), (["cookie": "language=xx"], "it"),
        ] as [([String: String], String)])
    func language(_ fields: [String: String], _ language: String) async throws {
        var all = HTTPFields()
        for (name, value) in fields { all[name] = value }
        let (response, text) = try await answer(all)
        #expect(text.contains("<html lang=\"\(language)\""))
        #expect(text.contains(language == "en" ? "Words" : "Parole"))
        #expect(response.fields["Content-Language"] == language)
        #expect(response.fields["Vary"] == "Cookie, Accept-Language")
    }

    @Test("NFR-08a: the ways that are shown follow the kind of account; hostile cookies change nothing")
    func kinds() async throws {
        #expect(try await answer(["cookie": "account=individual"]).text.contains("href=\"/today\""))
        let company = try await answer(["cookie": "account=third-party"]).text
        #expect(company.contains("href=\"/group-requests\"") && !company.contains("href=\"/today\""))
        let organiser = try await answer(["cookie": "account=organiser"]).text
        #expect(organiser.contains("href=\"/organise\"") && !organiser.contains("href=\"/my-runs\""))
        let nobody = try await answer(["cookie": "account=\"><script>; theme=<b>"]).text
        #expect(nobody.contains("href=\"/login\"") && !nobody.contains("<script>") && !nobody.contains("<b>"))
    }

    @Test(
        "PAY-01c NFR-08a: the way to payments follows what the service that takes them says, which tells third parties' browsers",
        arguments: [
            (nil, "account=third-party", false, nil), (nil, "account=third-party; payments=on", true, nil),
            (nil, "account=individual; payments=on", false, nil), (true, "account=third-party", true, "payments=on;"),
            (true, "account=third-party; payments=on", true, nil), (true, "account=individual", false, nil),
            (false, "account=third-party", false, nil),
            (false, "account=third-party; payments=on", false, "payments=;"),
        ] as [(Bool?, String, Bool, String?)])
    func payments(_ hasPayments: Bool?, _ cookie: String, _ isShown: Bool, _ told: String?) async throws {
        let (response, text) = try await answer(["cookie": cookie], site: try site(hasPayments: hasPayments))
        #expect(text.contains("href=\"/payments\"") == isShown)
        #expect(response.fields["Set-Cookie"].map { String($0.prefix(told?.count ?? 0)) } == told)
    }

    @Test("NFR-08a: a page allows nothing from elsewhere and nothing inline, and is not sent again when it is the same")
    func policy() async throws {
        let (response, text) = try await answer()
        let policy = try #require(response.fields["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(text.contains("<script type=\"module\" src=\"/assets/1/test/page.js\">"))
        #expect(!text.contains("style=") && !text.contains("onclick"))
        #expect(try await !answer(hasScript: false).text.contains("/test/page.js"))
        let again = try await answer(["if-none-match": try #require(response.fields["ETag"])])
        #expect(again.response.status == .notModified && again.text.isEmpty)
    }

    @Test(
        "NFR-08b: the other language is that of the page one is on",
        arguments: [
            ("/page?a=1&b=%2F", "%2Fpage%3Fa%3D1%26b%3D%252F"), ("//evil.example", "%2F"),
            ("/" + String(repeating: "a", count: 1000), "%2F"),
        ])
    func otherLanguage(_ target: String, _ from: String) async throws {
        let text = try await answer(["cookie": "language=en"], at: target).text
        #expect(text.contains("href=\"/language?to=it&amp;from=\(from)\""))
    }

    @Test("NFR-08b: who comes back to a page stays on this site")
    func localPaths() {
        for path in ["/", "/runs?text=a%20b&x=//", "/a/../b", "/\(String(repeating: "a", count: 999))"] {
            #expect(LocalPath(path)?.text == path)
        }
        for path in [
            "", "runs", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
            "/a\r\nSet-Cookie: a=b",
            "https://evil.example", "javascript:alert(1)", " /", "/è", "/#a", "/\(String(repeating: "a", count: 1000))",
        ] { #expect(LocalPath(path) == nil, "\(path)") }
    }

    @Test("NFR-08b: a site whose languages differ, or that lacks a word or a template, does not start")
    func completeness() {
        #expect(throws: TemplateError.self) { try site(italian: #"{"page": {"title": "Una pagina"}}"#) }
        #expect(throws: TemplateError.self) { try site("{{t.page.absent}}") }
        #expect(throws: TemplateError.self) { try site("{{#a}}{{>absent}}{{/a}}") }
        #expect(throws: TemplateError.self) { try site(italian: "[]") }
        #expect(throws: TemplateError.self) { try site(italian: #"{"frame": {"menu": "there already"}}"#) }
    }
}
