import HTTP
import JSON
import Primitives
import Service
import Testing

@testable import Track4Run

@Suite struct RunPageTests {
    private func page(_ target: String, _ test: Track4RunTest, language: String = "en") async throws -> (
        HTTPStatus, String
    ) {
        let response = await test.assembled.http.handle(
            try HTTPRequest(.get, target, fields: ["accept-language": language]))
        return (response.status, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test(
        "RUN-05 NFR-08a: runs are found and read without JavaScript; the fields of the search that were left empty do not count"
    )
    func list() async throws {
        try await Track4RunTest.with { test in
            let created = try await test.create(try test.draft(name: "Corsa <b>dei</b> Navigli"))
            let (status, text) = try await page("/runs?text=&place=milano&date=&state=upcoming", test)
            #expect(status == .ok)
            #expect(
                text.contains("href=\"/runs/\(created.code)\"") && text.contains("Corsa &lt;b&gt;dei&lt;/b&gt; Navigli")
            )
            #expect(text.contains("<option value=\"upcoming\" selected>Upcoming</option>"))
            let none = try await page("/runs?text=zzz", test).1
            #expect(none.contains("No run matches the search.") && !none.contains(created.code))
            let bad = try await page("/runs?date=yesterday", test)
            #expect(bad.0 == .unprocessableContent && bad.1.contains("<html lang=\"en\""))
        }
    }

    @Test("RUN-09 RUN-11 NFR-08b: a run's page names its facts, checkpoints and placings, in both languages")
    func run() async throws {
        try await Track4RunTest.with { test in
            let created = try await test.create()
            let (status, english) = try await page("/runs/\(created.code)", test)
            #expect(status == .ok && english.contains("<title>City run – TrackMe</title>") && english.contains("2 km"))
            let italian = try await page("/runs/\(created.code)", test, language: "it").1
            #expect(italian.contains("In programma") && italian.contains("<html lang=\"it\""))
            let missing = try await page("/runs/ABCDEF", test)
            #expect(missing.0 == .notFound && missing.1.contains("Page not available"))
        }
    }
}
