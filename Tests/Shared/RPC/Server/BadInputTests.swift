import JSON
import RPC
import Reactor
import Testing

/// Peers that do not keep to the protocol: they are told why, the connection ends, and everybody else is served on.
@Suite struct BadInputTests {
    /// Sends `text` and expects one error with `code` and the end; the server must go on serving others.
    private func expect(
        _ code: Int64, for text: String, finish: Bool = false,
        change: @escaping @Sendable (inout RPCServerConfiguration) -> Void = { _ in }
    ) async throws {
        try await TestServer.run(change: change) { test in
            let connection = try await test.connect()
            try await connection.send(text)
            if finish { try connection.stream.finishWriting() }
            #expect(try await connection.line()?.errorCode == code)
            #expect(await connection.isEnded())
            try await test.withClient { client in
                let sum = try await client.call(Sum.self, [1, 2])
                #expect(sum == 3)
            }
        }
    }

    @Test("malformed frames", arguments: ["hello\n", "{\"jsonrpc\":\"2.0\"\n", "\u{0}\u{1}\n", "{\"a\":1,\"a\":2}\n"])
    func malformed(text: String) async throws {
        try await expect(-32700, for: text)
    }

    @Test("NFR-03: what is JSON beyond the limits is refused alone, and the connection goes on")
    func depthBomb() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            let sum = #"{"jsonrpc":"2.0","id":2,"method":"sum","params":[1,2]}"# + "\n"
            let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
            for (bomb, id) in [
                (String(repeating: "[", count: 100_000), JSONValue.null),
                ("{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"id\":1,\"params\":\(nested)}", .integer(1)),
            ] {
                try await connection.send(bomb + "\n" + sum)
                let refusal = try await connection.line()
                #expect(refusal?.errorCode == -32600 && refusal?["id"] == id)
                #expect(try await connection.line()?["result"] == .integer(3))
            }
        }
    }

    @Test("whatever fits into a frame may be one string")
    func longString() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                let text = String(repeating: "x", count: 1_500_000)
                let echoed = try await client.call(Echo.self, .init(text: text))
                #expect(echoed.text.utf8.count == 1_500_000)
            }
        }
    }

    @Test("a frame over the limit, whether it ends or not")
    func oversized() async throws {
        let long = String(repeating: "x", count: 200_000)
        try await expect(-32600, for: long) { $0.frameBytesMax = 100_000 }
        try await expect(-32600, for: long + "\n") { $0.frameBytesMax = 100_000 }
    }

    @Test("a frame that does not arrive whole in time")
    func slow() async throws {
        try await expect(-32700, for: "{\"jsonrpc\":") { $0.frameTimeout = .milliseconds(30) }
    }

    @Test("a peer that ends its side within a frame")
    func halfFrame() async throws {
        try await expect(-32700, for: "{\"jsonrpc\":", finish: true)
    }

    @Test("a peer that ends its side after its requests still gets the answers")
    func halfClosed() async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(#"{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}"# + "\n")
            try connection.stream.finishWriting()
            #expect(try await connection.line()?["result"] == .integer(3))
            #expect(await connection.isEnded())
        }
    }

    @Test("a batch with too many requests is refused as one, and the connection goes on")
    func largeBatch() async throws {
        try await TestServer.run(change: { $0.batchCountMax = 2 }) { test in
            let connection = try await test.connect()
            try await connection.send("[1,2,3]\n" + #"{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}"# + "\n")
            #expect(try await connection.line()?.errorCode == -32600)
            #expect(try await connection.line()?["result"] == .integer(3))
        }
    }

    @Test("an idle connection is closed")
    func idle() async throws {
        try await TestServer.run(change: { $0.idleTimeout = .milliseconds(20) }) { test in
            let connection = try await test.connect()
            #expect(await connection.isEnded())
        }
    }

    @Test("a connection over the limit is told so and closed")
    func connectionLimit() async throws {
        try await TestServer.run(change: { $0.connectionsMax = 1 }) { test in
            let first = try await test.connect()
            try await first.send(#"{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}"# + "\n")
            #expect(try await first.line()?["result"] == .integer(3))
            let second = try await test.connect()
            #expect(try await second.line()?.errorCode == Int64(RPCError.Code.overloaded.number))
            #expect(await second.isEnded())
        }
    }

    @Test("NFR-05b: plain TCP needs a name for its clients, and loopback")
    func plain() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            for (host, name) in [("127.0.0.1", nil), ("0.0.0.0", "ingestion")] as [(String, String?)] {
                let configuration = RPCServerConfiguration(clientNames: [], plainClientName: name)
                await #expect(throws: IOError.self) {
                    _ = try await RPCServer.start(
                        at: Endpoint(host: host, port: 0), loops: loops, tls: nil, router: RPCRouter(),
                        configuration: configuration)
                }
            }
        }
    }
}
