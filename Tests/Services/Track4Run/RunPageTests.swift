import Contracts
import Domain
import HTTP
import JSON
import Primitives
import Service
import ServiceTesting
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
            let begin = Paths.start
            #expect(text.contains("data-at=\"\(begin.longitude) \(begin.latitude) \""))
            let none = try await page("/runs?text=zzz", test).1
            #expect(none.contains("No run matches the search.") && !none.contains(created.code))
            let bad = try await page("/runs?date=yesterday", test)
            #expect(bad.0 == .ok && bad.1.contains("cannot be used") && bad.1.contains(created.code))
            // Whoever passes a link on may add parameters.
            for link in ["/runs?text=navigli&fbclid=1", "/runs/\(created.code)?from=1&utm_source=mail"] {
                let (status, text) = try await page(link, test)
                #expect(status == .ok && text.contains(created.code) && !text.contains("cannot be used"))
            }
        }
    }

    @Test("RUN-05a: the page shows runs that are not over, and offers the others; those over only when asked for")
    func order() async throws {
        try await Track4RunTest.with { test in
            let soon = try await test.create(try test.draft())
            let later = try await test.create(try test.draft(startsIn: .seconds(2 * 86_400)))
            let all = try await page("/runs", test).1
            let places = [soon, later].map { all.firstRange(of: "/runs/\($0.code)\"")?.lowerBound }
            #expect(try #require(places[0]) < (try #require(places[1])))
            #expect(all.contains("<option value=\"current\" selected>") && all.contains("Runs that are over"))
            test.clock.advance(by: .seconds(4 * 3600))
            let current = try await page("/runs", test).1
            #expect(!current.contains(soon.code) && current.contains(later.code))
            let past = try await page("/runs?state=past", test).1
            #expect(
                past.contains(soon.code) && !past.contains(later.code) && past.contains("Runs under way and upcoming"))
        }
    }

    private struct Ranking: Decodable { let placings: [Placing] }

    @Test("RUN-11: placings are read in pages of a hundred; who has not started has no place")
    func placings() async throws {
        try await Track4RunTest.with { test in
            let path = Paths.path([(90, 2000)])
            let point = path.point(at: 900)
            let run = try await test.create(
                try test.draft(
                    path, startsIn: .seconds(600), participantsMax: 200,
                    more:
                        #", "checkpoints": [{"name": "Bridge", "coordinates": [\#(point.longitude), \#(point.latitude)]}]"#
                ))
            let runners = (0..<103).map { _ in UUID.random() }
            for runner in runners { _ = try await test.enrol(runner, in: run.id) }
            for _ in 0..<2 { try await test.tick() }
            for runner in runners { try await test.consent(.accepted, runner, run: run.id) }
            let start = test.clock.now() + .seconds(600)
            test.clock.advance(by: .seconds(605))
            try await test.tick()
            try await test.send(Samples.running(runners[102], path, from: start, speed: 3, seconds: 400))
            let first = try await page("/runs/\(run.code)", test).1
            #expect(first.ranges(of: "<tr><td class=\"number\">").count == 100)
            #expect(first.contains("<tr><td class=\"number\">1</td><td class=\"number\">103</td>"))
            // The run is in Milano, which is nobody's place.
            #expect(first.contains("<tr><td class=\"number\"></td><td class=\"number\">1</td>"))
            let ranking = try await test.call(.get, "/runs/\(run.code)/ranking").decode(Ranking.self)
            let split = Int(try #require(ranking.placings[0].splits.first).rounded())
            let (minutes, seconds) = split.quotientAndRemainder(dividingBy: 60)
            #expect(first.contains("<td class=\"number\">\(minutes):\(seconds < 10 ? "0" : "")\(seconds)</td>"))
            #expect(first.contains("?from=101\""))
            let second = try await page("/runs/\(run.code)?from=101", test).1
            #expect(second.ranges(of: "<tr><td class=\"number\">").count == 3 && second.contains("?from=1\""))
            #expect(!second.contains("?from=201"))
            let decorated = try await page("/runs/\(run.code)?utm_source=x", test)
            #expect(decorated.0 == .ok)
        }
    }

    @Test("RUN-05c NFR-08a: the page of own runs holds nothing of anybody")
    func own() async throws {
        try await Track4RunTest.with { test in
            let (status, text) = try await page("/my-runs", test)
            #expect(status == .ok && text.contains("<title>My runs – TrackMe</title>"))
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
