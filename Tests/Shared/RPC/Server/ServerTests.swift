import JSON
import RPC
import Reactor
import ReactorTesting
import Testing

@Suite struct ServerTests {
    private static func request(_ id: Int, _ method: String, meta: String = "{}") -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":{},\"meta\":\(meta)}\n"
    }

    @Test("answers come when they are ready, in any order")
    func outOfOrder() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold") + Self.request(2, "get_data"))
            #expect(try await connection.line()?["id"] == .integer(2))
            test.service.release.raise()
            #expect(try await connection.line()?["id"] == .integer(1))
        }
    }

    @Test("a handler gets the caller's time less the allowance, its name, and a child of its trace")
    func context() async throws {
        try await TestServer.run { test in
            let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let connection = try await test.connect()
            try await connection.send(
                Self.request(1, "test.describe", meta: "{\"deadline_ms\":2000,\"traceparent\":\"\(trace)\"}"))
            let result = try #require(try await connection.line()?["result"])
            #expect(result["caller"] == .string("ingestion"))
            guard case .integer(let remaining)? = result["remaining_milliseconds"],
                case .string(let own)? = result["trace"]
            else {
                Issue.record("unexpected: \(result)")
                return
            }
            #expect((1500...1990).contains(remaining))
            #expect(own.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && own.hasSuffix("-01") && own != trace)
        }
    }

    @Test("a call with too little time left is refused before its handler begins")
    func tooLate() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold", meta: "{\"deadline_ms\":12}"))
            #expect(try await connection.line()?.errorCode == Int64(RPCError.Code.deadline.number))
            #expect(test.service.began.value == 0)
        }
    }

    @Test("when the deadline passes, the caller is told and the handler cancelled")
    func deadline() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold", meta: "{\"deadline_ms\":40}"))
            #expect(try await connection.line()?.errorCode == Int64(RPCError.Code.deadline.number))
            #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
        }
    }

    @Test("a client that is gone in the middle of a call has its handler cancelled")
    func clientGone() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold"))
            #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
            connection.stream.close()
            #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
            let patience = Deadline.after(.patience)
            while test.events.cancellations.isEmpty, !patience.hasPassed {
                try await test.loops.loops[0].sleep(for: .milliseconds(1))
            }
            // No fault of the handler's: nothing above debug.
            #expect(test.events.cancellations.count == 1 && test.events.failures.isEmpty)
        }
    }

    @Test("rpc.cancel ends a call")
    func cancel() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold") + Self.request(2, "test.hold"))
            #expect(await test.service.began.wait(after: 1, deadline: .after(.patience)) == 2)
            try await connection.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":2}}"# + "\n")
            let answer = try await connection.line()
            #expect(answer?["id"] == .integer(2))
            #expect(answer?.errorCode == Int64(RPCError.Code.cancelled.number))
            #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
        }
    }

    @Test("over the server's limit, calls are answered overloaded at once")
    func overloaded() async throws {
        try await TestServer.run(change: { $0.callsMax = 2 }) { test in
            let connection = try await test.connect()
            try await connection.send((1...3).map { Self.request($0, "test.hold") }.joined())
            let answer = try await connection.line()
            #expect(answer?["id"] == .integer(3))
            #expect(answer?.errorCode == Int64(RPCError.Code.overloaded.number))
            test.service.release.raise()
            #expect(try await connection.line()?["result"] != nil)
        }
    }

    @Test("NFR-03: over the connection's limit, calls are answered overloaded, and what gives room is still heeded")
    func connectionLimit() async throws {
        try await TestServer.run(change: { $0.callsPerConnectionMax = 2 }) { test in
            let connection = try await test.connect()
            try await connection.send((1...3).map { Self.request($0, "test.hold") }.joined())
            let refused = try await connection.line()
            #expect(refused?["id"] == .integer(3))
            #expect(refused?.errorCode == Int64(RPCError.Code.overloaded.number))
            try await connection.send(#"{"jsonrpc":"2.0","method":"rpc.cancel","params":{"id":2}}"# + "\n")
            #expect(try await connection.line()?["id"] == .integer(2))
            #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
            try await connection.send(Self.request(4, "get_data"))
            #expect(try await connection.line()?["id"] == .integer(4))
            #expect(test.server.callCount == 1)
        }
    }

    @Test("what a handler throws by accident reaches the log and not the caller")
    func internalError() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(#"{"jsonrpc":"2.0","id":1,"method":"test.fail","params":{"kind":"?"}}"# + "\n")
            let answer = try #require(try await connection.line())
            #expect(answer.errorCode == -32603)
            #expect(answer["error"]?["message"] == .string("Internal error"))
            #expect(test.events.failures.count == 1)
        }
    }

    @Test("a client on no method's list, and parameters of the wrong shape")
    func refusals() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.guarded") + Self.request(2, "test.echo"))
            #expect(try await connection.line()?.errorCode == Int64(RPCError.Code.notAllowed.number))
            #expect(try await connection.line()?.errorCode == -32602)
        }
    }

    @Test("a graceful stop says goodbye, answers what is in flight and ends")
    func gracefulStop() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold"))
            #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
            async let stopped: Void = test.server.stop(grace: .seconds(5))
            #expect(try await connection.line()?["method"] == .string("rpc.goodbye"))
            test.service.release.raise()
            #expect(try await connection.line()?["id"] == .integer(1))
            #expect(await connection.isEnded())
            connection.stream.close()
            await stopped
            #expect(test.server.connectionCount == 0)
        }
    }

    @Test("a stop whose grace is over cancels what still runs")
    func hardStop() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(Self.request(1, "test.hold"))
            #expect(await test.service.began.wait(after: 0, deadline: .after(.patience)) == 1)
            await test.server.stop(grace: .milliseconds(10))
            #expect(test.server.connectionCount == 0)
            #expect(await test.service.cancelled.wait(after: 0, deadline: .after(.patience)) == 1)
            #expect(test.events.callCodes == [.string("cancelled")])
        }
    }

    @Test("a stop waits for handlers that do not heed their cancellation")
    func deafHandler() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (began, release, ended) = (EventCounter(), EventCounter(), EventCounter())
            var router = RPCRouter()
            router.register(Hold.self, allow: ["ingestion"]) { _, _ in
                began.raise()
                await loops.loops[0].task { _ = await release.wait(after: 0, deadline: .after(.seconds(5))) }.value
                ended.raise()
                return Empty()
            }
            let server = try await RPCServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, router: router,
                configuration: RPCServerConfiguration(clientNames: [], plainClientName: "ingestion"))
            let connection = RawConnection(
                try await ByteStream.connect(
                    to: Endpoint(host: "127.0.0.1", port: server.port), deadline: .after(.seconds(5))))
            try await connection.send(Self.request(1, "test.hold"))
            #expect(await began.wait(after: 0, deadline: .after(.patience)) == 1)
            _ = loops.loops[0].schedule(at: .after(.milliseconds(20))) { release.raise() }
            await server.stop(grace: .zero)
            #expect(ended.value == 1)
        }
    }
}
