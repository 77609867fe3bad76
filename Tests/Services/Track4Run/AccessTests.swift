import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await Track4RunTest.with { test in
            let faults = try await AccessWalk.faults(
                in: test.assembled, tokens: test.tokens,
                open: [
                    "GET /track4run/v1/runs", "GET /track4run/v1/runs/:run", "GET /track4run/v1/runs/:run/live",
                    "GET /track4run/v1/runs/:run/ranking", "POST /track4run/v1/runs/:run/runner-search",
                ])
            #expect(faults == [])
        }
    }
}
