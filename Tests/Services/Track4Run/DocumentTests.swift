import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await Track4RunTest.with { test in
            let (run, runners, _) = try await test.begun(path: Paths.path([(90, 2000)]))
            test.neighbours.email(runners[0], "anna.rossi@example.org")
            // Its clauses are those that the document shows being accepted.
            let clauses = #", "clauses": "Corro a mio rischio.""#
            let planned = try await test.create(try test.draft(startsIn: .seconds(5 * 86_400), more: clauses))
            let (all, runner) = ("/track4run/v1/runs", UUID.random())
            test.neighbours.name(runner, "Anna")
            let walk = try DocumentWalk(
                test.assembled,
                paths: [
                    "\(all)/{run}": "\(all)/\(planned.code)", "\(all)/{run}/live": "\(all)/\(run)/live",
                    "\(all)/{run}/ranking": "\(all)/\(run)/ranking",
                    "\(all)/{run}/runner-search": "\(all)/\(run)/runner-search",
                    "\(all)/{run}/participants": "\(all)/\(run)/participants",
                    "\(all)/{run}/participants/{bib}": "\(all)/\(run)/participants/1",
                ]
            ) { kind, scopes in
                // With a scope, as the organiser; as a runner otherwise.
                try test.tokens.token(kind, account: scopes.isEmpty ? runner : test.organiser, scopes: scopes)
            }
            let faults = try await walk.faults()
            #expect(faults == [])
        }
    }
}
