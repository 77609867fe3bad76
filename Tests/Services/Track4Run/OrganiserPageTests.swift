import HTTP
import Primitives
import Service
import Testing

@testable import Track4Run

@Suite struct OrganiserPageTests {
    private func page(_ target: String, _ test: Track4RunTest, language: String = "en") async throws -> (
        HTTPStatus, String
    ) {
        let response = await test.assembled.http.handle(
            try HTTPRequest(.get, target, fields: ["accept-language": language]))
        return (response.status, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test("RUN-02 RUN-03a NFR-08ab: the form of a run tells the script the API's limits and the runs' time zone")
    func form() async throws {
        try await Track4RunTest.with(configured: { $0.timeZone = "Europe/Vienna" }) { test in
            let (status, text) = try await page("/organise/new", test)
            #expect(status == .ok && text.contains("<title>Organise a run – TrackMe</title>"))
            for limit in [
                "data-points-max=\"20000\"", "data-length-min=\"100\"", "data-length-max=\"350000\"",
                "data-jump-max=\"5000\"", "data-speed-max=\"7\"", "data-checkpoints-max=\"100\"",
                "data-checkpoint-offset-max=\"100\"", "max=\"10000\"", "data-zone=\"Europe/Vienna\"",
            ] {
                #expect(text.contains(limit), "\(limit)")
            }
            #expect(try await page("/organise", test, language: "it").1.contains("Le corse che organizzi"))
        }
    }

    @Test("RUN-04a RUN-12a: the page of an own run is found by its code and names it; who takes part is not in it")
    func run() async throws {
        try await Track4RunTest.with { test in
            let created = try await test.create(try test.draft(name: "Corsa <b>dei</b> Navigli"))
            let runner = UUID.random()
            test.neighbours.name(runner, "Annunziata")
            #expect(try await test.enrol(runner, in: created.id).status == .created)
            let (status, text) = try await page("/organise/\(created.code)", test)
            #expect(status == .ok && text.contains("<h1>Corsa &lt;b&gt;dei&lt;/b&gt; Navigli</h1>"))
            #expect(text.contains("data-run=\"\(created.code)\"") && text.contains("data-check-in-before-s=\"900\""))
            #expect(!text.contains("Annunziata"))
            let missing = try await page("/organise/ABCDEF", test)
            #expect(missing.0 == .notFound && missing.1.contains("Page not available"))
        }
    }
}
