import HTTP
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// The pages of AutomatedSOS, as they are sent.
@Suite struct SOSPageTests {
    private static let paths = [
        "/sos", "/sos/enrol", "/sos/contact", "/sos/contacts", "/sos/limits",
        "/sos/incidents/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d",
    ]

    private static func with(
        ageMin: Int? = nil, _ body: @escaping @Sendable (TestService<DispatcherService>) async throws -> Void
    ) async throws {
        let settings = DispatcherSettings(
            keystore: try .given(schema: "nobody_reads_it"), hooksFile: "/nonexistent", enrolmentAgeMin: ageMin)
        try await TestService<DispatcherService>.with(
            settings: settings,
            building: { context in
                let pages = try SOSPages(assets: context.assets, ageMin: context.settings.enrolmentAgeMin)
                var parts = ServiceParts()
                parts.http { pages?.add(to: &$0) }
                return parts
            }, body)
    }

    private func page(
        _ path: String, _ service: TestService<DispatcherService>, language: String = "en"
    ) async throws -> (status: HTTPStatus, text: String) {
        let response = await service.assembled.http.handle(
            try HTTPRequest(.get, path, fields: ["Accept-Language": language, "Cookie": "account=individual"]))
        return (response.status, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test("NFR-08bd SOS-12a: each page is there in both languages, with large controls; the first has the SOS button")
    func pages() async throws {
        try await Self.with { service in
            for path in Self.paths {
                let (english, italian) = (try await page(path, service), try await page(path, service, language: "it"))
                #expect(english.status == .ok && italian.status == .ok, "\(path)")
                #expect(english.text.contains("<div class=\"large\">") && english.text != italian.text, "\(path)")
                #expect(!english.text.contains("{{") && !english.text.contains("style="), "\(path)")
            }
            let first = try await page("/sos", service).text
            #expect(first.contains("class=\"sos\"") && first.contains("href=\"tel:112\""))
            #expect(first.contains("<option value=\"10080\">1 week</option>"))
            #expect(try await page("/sos/incidents/none", service).status == .notFound)
        }
    }

    @Test("SOS-01f: the longest pause that the page offers is the longest that can be set")
    func pauses() async throws {
        try await Self.with { service in
            let text = try await page("/sos", service).text
            let offered = text.split(separator: "<option value=\"").dropFirst().compactMap {
                Int($0.prefix { $0 != "\"" })
            }
            #expect(
                offered.max() == Int(EnrolmentStore.pauseMax.components.seconds / 60) && offered.allSatisfy { $0 > 0 })
        }
    }

    @Test(
        "SOS-01d: where a deployment asks for an age, the page says so before anything is typed; elsewhere nothing of it"
    )
    func age() async throws {
        try await Self.with(ageMin: 65) { service in
            let (english, italian) = (
                try await page("/sos/enrol", service).text, try await page("/sos/enrol", service, language: "it").text
            )
            #expect(english.contains("people of at least 65 years") && italian.contains("chi ha almeno 65 anni"))
        }
        try await Self.with { service in
            let open = try await page("/sos/enrol", service).text
            #expect(!open.contains("people of at least"))
        }
    }
}
