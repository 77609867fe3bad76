import RPC
import Reactor
import Testing

/// A service with two replicas.
@Suite struct ReplicaTests {
    private func with(_ body: @escaping @Sendable (TestServer, TestServer) async throws -> Void) async throws {
        try await TestServer.run { first in
            try await TestServer.run { second in try await body(first, second) }
        }
    }

    @Test("NFR-03b: calls spread over a neighbour's replicas, and none fails when one of them stops")
    func spread() async throws {
        try await with { first, second in
            try await first.withClient(endpoints: [first.endpoint, second.endpoint]) { client in
                // Both are connected then.
                for _ in 0..<20 { _ = try await client.call(Echo.self, Echo.Params(text: "x")) }
                let before = (first.events.callCodes.count, second.events.callCodes.count)
                for _ in 0..<100 { _ = try await client.call(Echo.self, Echo.Params(text: "x")) }
                #expect(first.events.callCodes.count - before.0 == 50)
                #expect(second.events.callCodes.count - before.1 == 50)
                async let stopped: Void = second.server.stop(grace: .seconds(1))
                for _ in 0..<200 { _ = try await client.call(Echo.self, Echo.Params(text: "x")) }
                await stopped
                for _ in 0..<100 { _ = try await client.call(Echo.self, Echo.Params(text: "x")) }
                #expect(first.events.callCodes.count >= 200)
            }
        }
    }

    @Test("NFR-03: a replica that nobody listens at is left out")
    func absent() async throws {
        try await TestServer.run { test in
            let nobody = Endpoint(host: "127.0.0.1", port: 1)
            try await test.withClient(endpoints: [nobody, test.endpoint]) { client in
                for _ in 0..<100 { _ = try await client.call(Echo.self, Echo.Params(text: "x")) }
                #expect(test.events.callCodes.count == 100)
            }
        }
    }
}
