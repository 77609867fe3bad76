import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await TestDispatcher.with { dispatcher in
            let faults = try await AccessWalk.faults(
                in: dispatcher.assembled, tokens: dispatcher.tokens,
                open: [
                    "POST /dispatcher/v1/handovers/:incident/acceptance",
                    "POST /dispatcher/v1/handovers/:incident/rejection",
                    "POST /dispatcher/v1/handovers/:incident/resolution",
                ])
            #expect(faults == [])
        }
    }
}
