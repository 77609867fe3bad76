import Domain
import HTTP
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct HealthPageTests {
    private func page(
        _ target: String, _ test: IngestionTest, language: String = "en"
    ) async throws -> (HTTPStatus, String) {
        let response = await test.service.assembled.http.handle(
            try HTTPRequest(.get, target, fields: ["accept-language": language]))
        return (response.status, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test(
        "NFR-08a NFR-08b: people's own pages are there in both languages, each with its script",
        arguments: [
            ("/today", "today", "Today", "Oggi"), ("/week", "week", "Week", "Settimana"),
            ("/places", "places", "Places", "Luoghi"), ("/imports", "imports", "Import a file", "Importa un file"),
            ("/my-data", "my-data", "My data", "I miei dati"),
            ("/measurements/steps?span=year", "measurement", "Steps", "Passi"),
        ])
    func pages(path: String, script: String, english: String, italian: String) async throws {
        try await IngestionTest.with { test in
            for (language, title) in [("en", english), ("it", italian)] {
                let (status, text) = try await page(path, test, language: language)
                #expect(status == .ok)
                #expect(text.contains(">\(title)</h1>") && text.contains("/ingestion/\(script).js\""))
            }
        }
    }

    @Test("NFR-08a: every data type that has a series has a page; positions have the map, and what is no type has none")
    func types() async throws {
        try await IngestionTest.with { test in
            for type in DataType.allCases {
                let (status, text) = try await page("/measurements/\(type.name)", test)
                #expect(status == (type == .position ? .notFound : .ok), "\(type)")
                #expect(type == .position || text.contains("data-type=\"\(type.name)\""))
            }
            #expect(try await page("/measurements/mood", test).0 == .notFound)
        }
    }

    @Test("ING-03 NFR-08a: what can be entered and deleted is chosen by its name")
    func choices() async throws {
        try await IngestionTest.with { test in
            let text = try await page("/my-data", test, language: "it").1
            #expect(text.contains("<option value=\"weight\">Peso</option>"))
            // Once, among what can be deleted: nobody types positions.
            #expect(text.ranges(of: "<option value=\"position\">Posizione</option>").count == 1)
        }
    }
}
