import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await IngestionTest.with { test in
            let faults = try await AccessWalk.faults(
                in: test.service.assembled, tokens: test.service.tokens, open: [])
            #expect(faults == [])
        }
    }
}
