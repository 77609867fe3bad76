import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await World.with { world in
            let faults = try await AccessWalk.faults(
                in: world.service.assembled, tokens: world.service.tokens, open: [])
            #expect(faults == [])
        }
    }
}
