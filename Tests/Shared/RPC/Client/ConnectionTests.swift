import Glibc
import RPC
import Reactor
import ReactorTesting
import Testing

/// What a client's connections bear, and when they are given up.
@Suite struct ConnectionTests {
    @Test("NFR-03: however many long polls wait, other calls go through")
    func longPolls() async throws {
        try await TestServer.run { test in
            try await test.withClient(change: {
                $0.longPollsPerConnectionMax = 2
                $0.callsPerConnectionMax = 1
                $0.retries.attemptsMax = 1
            }) { client in
                async let first = client.call(Poll.self, Empty())
                async let second = client.call(Poll.self, Empty())
                #expect(await test.service.began.wait(after: 1, deadline: .after(.patience)) == 2)
                #expect(await code { _ = try await client.call(Poll.self, Empty()) } == .overloaded)
                let sum = try await client.call(Sum.self, [1, 2])
                #expect(sum == 3)
                test.service.release.raise()
                _ = try await (first, second)
                _ = try await client.call(Poll.self, Empty())
            }
        }
    }

    @Test("SOS-05: between services, a peer that vanished is noticed after seconds, on both sides")
    func keepAlive() async throws {
        try await TestServer.run { test in
            try await test.withClient { client in
                _ = try await client.call(Sum.self, [1])
                let sockets = Self.connections(of: test.server.port)
                #expect(sockets.count == 2)
                for socket in sockets {
                    #expect(Self.option(socket, Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 2)
                    #expect(Self.option(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 5000)
                }
            }
        }
    }

    /// The descriptors of this process that are connected to or from a port of this machine.
    private static func connections(of port: UInt16) -> [Int32] {
        (3..<4096).filter { descriptor in
            guard let remote = Self.port(descriptor, getpeername) else { return false }
            return remote == port || Self.port(descriptor, getsockname) == port
        }
    }

    private static func port(
        _ descriptor: Int32,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
        }
        return code == 0 && Int32(address.sin_family) == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    private static func option(_ descriptor: Int32, _ level: Int32, _ option: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, level, option, &value, &length) == 0 ? value : -1
    }

    /// A server that answers whatever comes first on a connection with `line`, and then waits for the end, or makes it.
    private static func server(
        _ test: TestServer, saying line: String, closes: Bool = false, accepted: EventCounter = EventCounter()
    ) async throws -> ConnectionServer {
        try await ConnectionServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: test.loops, tls: nil, limits: .init(connectionsMax: 10)
        ) { stream in
            accepted.raise()
            var buffer = ByteBuffer()
            do {
                _ = try await stream.read(into: &buffer)
                try await stream.write(Array(line.utf8))
                if !closes { while try await stream.read(into: &buffer) > 0 {} }
            } catch {
                // The client is gone.
            }
        }
    }

    @Test("an answer beyond the limits fails its own call; the others on the connection go on")
    func largeAnswer() async throws {
        try await TestServer.run { test in
            let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
            let server = try await Self.server(
                test,
                saying:
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(nested)}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":7}\n"
            )
            try await test.withClient(endpoints: [Endpoint(host: "127.0.0.1", port: server.port)]) { client in
                async let first = code { _ = try await client.call(Sum.self, [1]) }
                async let second = code { _ = try await client.call(Sum.self, [1]) }
                let codes = await [first, second]
                #expect(codes.filter { $0 == nil }.count == 1 && codes.contains(.internal))
            }
            await server.shutdown(grace: .zero)
        }
    }

    @Test("NFR-03: a server that refuses this client is left alone longer and longer")
    func refused() async throws {
        try await TestServer.run { test in
            let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Not known here."}}"# + "\n"
            let accepted = EventCounter()
            let server = try await Self.server(test, saying: refusal, closes: true, accepted: accepted)
            let loop = test.loops.loops[0]
            try await test.withClient(
                endpoints: [Endpoint(host: "127.0.0.1", port: server.port)],
                change: {
                    $0.reconnect = BackOff(base: .milliseconds(20), max: .seconds(5))
                    $0.retries.attemptsMax = 1
                }
            ) { client in
                #expect(await code { _ = try await client.call(Sum.self, [1]) } == .notAllowed)
                let end = Deadline.after(.milliseconds(300))
                while !end.hasPassed {
                    _ = try? await client.call(Sum.self, [1])
                    try await loop.sleep(for: .milliseconds(2))
                }
            }
            // Rests of at least 10, 20, 40, 80 and 160 ms.
            #expect(accepted.value <= 6)
            await server.shutdown(grace: .zero)
        }
    }
}
