import Primitives
import RPC
import Reactor
import ReactorTesting
import Telemetry
import Testing

@Suite struct ClientTests {
    @Test("calls and errors go through, with text of every kind")
    func calls() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                let text = "ünïcödé \"quoted\"\n\u{1F3C3}"
                let echoed = try await client.call(Echo.self, .init(text: text))
                #expect(echoed == .init(text: text))
                do {
                    _ = try await client.call(Fail.self, .init(kind: "gone"))
                    Issue.record("no error")
                } catch let error as RPCError {
                    #expect(error == RPCError(.gone, "Too old.", domain: "feed.gone"))
                }
            }
        }
    }

    @Test("many calls at once share one connection, and a waiting one holds up none")
    func pipelined() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                async let held = client.call(Hold.self, Empty())
                let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<200 {
                        group.addTask { try await client.call(Subtract.self, .init(minuend: number, subtrahend: 1)) }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(sum == 199 * 100 - 200)
                #expect(test.server.connectionCount == 1)
                test.service.release.raise()
                _ = try await held
            }
        }
    }

    @Test("the earliest of the call's and the scope's deadlines counts, and the trace goes on")
    func scope() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                let scope = RequestScope(deadline: .after(.milliseconds(700)), trace: .root())
                let told = try await RequestScope.$current.withValue(scope) {
                    try await client.call(Describe.self, Empty(), deadline: .after(.seconds(10)))
                }
                #expect((300...690).contains(told.remainingMilliseconds))
                #expect(told.trace.dropFirst(3).prefix(32) == scope.trace.description.dropFirst(3).prefix(32))
            }
        }
    }

    @Test("a deadline that passes ends the call, and with it the work")
    func deadline() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                let code = await code {
                    _ = try await client.call(Hold.self, Empty(), deadline: .after(.milliseconds(200)))
                }
                #expect(code == .deadline)
                #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
            }
        }
    }

    @Test("cancelling the task ends the call, and with it the work")
    func cancellation() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                let call = test.loops.next().throwingTask { _ = try await client.call(Hold.self, Empty()) }
                #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
                call.cancel()
                #expect(await code { try await call.value } == .cancelled)
                #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
            }
        }
    }

    @Test("beyond its limit of pending calls a client answers overloaded by itself")
    func overloaded() async throws {
        try await TestServer.run { test in
            try await test.withClient(change: {
                $0.callsPerConnectionMax = 1
                $0.retries.attemptsMax = 1
            }) { client in
                async let held = client.call(Hold.self, Empty())
                #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
                #expect(await code { _ = try await client.call(Sum.self, [1]) } == .overloaded)
                test.service.release.raise()
                _ = try await held
            }
        }
    }

    /// A server that reads what its first connection sends and is gone.
    private func dyingServer(_ test: TestServer, died: EventCounter = EventCounter()) async throws -> ConnectionServer {
        try await ConnectionServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: test.loops, tls: nil, limits: .init(connectionsMax: 1)
        ) { stream in
            var buffer = ByteBuffer()
            guard let count = try? await stream.read(into: &buffer), count > 0 else { return }
            died.raise()
        }
    }

    @Test("a server that dies in the middle of an idempotent call: it is made again elsewhere")
    func retried() async throws {
        try await TestServer.run { test in
            let died = EventCounter()
            let dying = try await dyingServer(test, died: died)
            let endpoints = [Endpoint(host: "127.0.0.1", port: dying.port), test.endpoint]
            test.service.release.raise()
            try await test.withClient(endpoints: endpoints) { client in
                // Round robin takes one of them to the dying server, once that is connected.
                var calls: UInt64 = 0
                while died.value == 0, calls < 100 {
                    _ = try await client.call(Hold.self, Empty())
                    calls += 1
                }
                #expect(died.value == 1 && test.service.began.value == calls)
            }
            await dying.shutdown(grace: .zero)
        }
    }

    @Test("a server that dies in the middle of another call: its outcome is unknown, and it is not made again")
    func notRetried() async throws {
        try await TestServer.run { test in
            let dying = try await dyingServer(test)
            let endpoints = [Endpoint(host: "127.0.0.1", port: dying.port), test.endpoint]
            test.service.release.raise()
            try await test.withClient(endpoints: endpoints) { client in
                var codes: [RPCError.Code?] = []
                while !codes.contains(.unavailable), codes.count < 100 {
                    codes.append(await code { _ = try await client.call(HoldOnce.self, Empty()) })
                }
                #expect(codes.last == .unavailable)
                #expect(test.service.began.value == UInt64(codes.count - 1))
            }
            await dying.shutdown(grace: .zero)
        }
    }

    @Test("with nobody listening, calls fail as unavailable; once somebody does, they succeed by themselves")
    func reconnects() async throws {
        try await TestServer.run { test in
            let port = test.server.port
            try await test.withClient(change: { $0.reconnect = BackOff(base: .milliseconds(5), max: .milliseconds(10)) }
            ) {
                client in
                let before = try await client.call(Sum.self, [1])
                #expect(before == 1)
                await test.server.stop(grace: .seconds(1))
                #expect(await code { _ = try await client.call(Sum.self, [1]) } == .unavailable)
                let again = try await RPCServer.start(
                    at: Endpoint(host: "127.0.0.1", port: port), loops: test.loops, tls: nil,
                    router: test.service.router,
                    configuration: RPCServerConfiguration(clientNames: [], plainClientName: "ingestion"))
                let patience = Deadline.after(.patience)
                var result: Int?
                while result == nil, !patience.hasPassed { result = try? await client.call(Sum.self, [2]) }
                #expect(result == 2)
                await again.stop(grace: .seconds(1))
            }
        }
    }

    @Test("after a goodbye, the call in flight is answered and new ones look for another connection")
    func goodbye() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                async let held = client.call(Hold.self, Empty())
                #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
                async let stopped: Void = test.server.stop(grace: .seconds(5))
                let patience = Deadline.after(.patience)
                var refused: RPCError.Code?
                while refused == nil, !patience.hasPassed {
                    refused = await code { _ = try await client.call(Sum.self, [1]) }
                }
                #expect(refused == .unavailable)
                test.service.release.raise()
                _ = try await held
                await stopped
            }
        }
    }

    @Test("a closed client fails its calls")
    func closed() async throws {
        try await TestServer.run { test in
            let client = RPCClient(
                RPCClientConfiguration(service: "accounts", endpoints: [test.endpoint]), loops: test.loops, tls: nil)
            async let held = code { _ = try await client.call(Hold.self, Empty()) }
            #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
            await client.close()
            #expect(await held == .unavailable)
            #expect(await code { _ = try await client.call(Sum.self, [1]) } == .unavailable)
        }
    }

    @Test("NFR-05b: no plain connection leaves this machine")
    func plainIsLocal() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let configuration = RPCClientConfiguration(
                service: "accounts", endpoints: [Endpoint(host: "192.0.2.1", port: 7)])
            let client = RPCClient(configuration, loops: loops, tls: nil)
            await #expect { _ = try await client.call(Sum.self, [1]) } throws: {
                ($0 as? RPCError)?.code == .unavailable
            }
            await client.close()
        }
    }
}
