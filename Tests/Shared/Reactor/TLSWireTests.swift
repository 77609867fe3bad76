import Glibc
import ReactorTesting
import Testing

@testable import Reactor

/// What clients do on the wire that `ByteStream` never does.
@Suite struct TLSWireTests {
    private static func file(_ name: String) throws -> String { try CertificateFiles.path(name) }

    private static func client() throws -> TLSContext { try .client(authorityFile: file("ca.pem")) }

    private static func server(isHTTP: Bool) throws -> TLSContext {
        try .server(
            certificateFile: file("server.pem"), keyFile: file("server.key"), oldest: .tls12, isHTTP: isHTTP)
    }

    /// Runs `body` on a thread of its own while the loop serves.
    private static func apart<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        let pool = try BlockingPool(threads: 1, queueMax: 1)
        defer { pool.shutdown() }
        return try await pool.run { Result { try body() } }.get()
    }

    @Test(
        "NFR-05a: a client that offers protocols is answered with http/1.1, or refused with no_application_protocol",
        arguments: [
            ([], nil), (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), (["http/1.1", "h2"], "http/1.1"),
        ] as [([String], String?)])
    func protocols(offered: [String], chosen: String?) async throws {
        try await Self.withServer(isHTTP: true) { server in
            let found = try await Self.apart {
                try RawTLSClient(server.port, try Self.client(), offering: offered).chosen
            }
            #expect(found == chosen)
        }
    }

    @Test(
        "NFR-05a: a client that offers unknown protocols only is refused, as RFC 7301 says",
        arguments: [["h2"], ["spdy/3", "x"]])
    func unknownProtocols(offered: [String]) async throws {
        try await Self.withServer(isHTTP: true) { server in
            let failure = await #expect(throws: RawTLSClient.Failed.self) {
                _ = try await Self.apart {
                    try RawTLSClient(server.port, try Self.client(), offering: offered).chosen
                }
            }
            #expect(failure?.step == "handshake")
            #expect(failure?.reason.contains("no application protocol") == true, "\(failure?.reason ?? "")")
        }
    }

    private static func withServer(
        isHTTP: Bool, _ body: @escaping @Sendable (ConnectionServer) async throws -> Void
    ) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: try Self.server(isHTTP: isHTTP),
                limits: .init(connectionsMax: 10)
            ) { _ in }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
            await server.shutdown(grace: .seconds(5))
            try outcome.get()
        }
    }

    @Test(
        "NFR-03: a peer that changes its keys while a send to it waits gets everything, and is heard meanwhile, however often",
        arguments: [3, 3000])
    func keyUpdate(updates: Int) async throws {
        let message = (0..<(24 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 16) }
        try await EventLoopGroup.withLoops(1) { loops in
            let heard = EventCounter()
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: try Self.server(isHTTP: false),
                limits: .init(connectionsMax: 10)
            ) { stream in
                // Both tasks are on the stream's loop, and the handler outlives them.
                nonisolated(unsafe) let stream = stream
                let writing = stream.loop.task {
                    do { try await stream.write(message, deadline: .after(.seconds(30))) } catch {
                        Issue.record("write: \(error)")
                    }
                }
                var input = ByteBuffer()
                while let count = try? await stream.read(into: &input, deadline: .after(.seconds(30))), count > 0 {
                    for _ in 0..<count { heard.raise() }
                }
                await writing.value
            }
            let port = server.port
            let client = try await Self.apart { try RawTLSClient(port, try Self.client()) }
            try await Self.apart {
                client.waitUntilFull()
                for _ in 0..<updates { try client.updateKeys(then: 1) }
            }
            let deadline = Deadline.after(.seconds(20))
            func isHeard(_ count: Int) async -> Bool {
                while heard.value < count, !deadline.hasPassed {
                    _ = await heard.wait(after: heard.value, deadline: deadline)
                }
                return heard.value >= count
            }
            // Beyond some 64 KiB of answers that it does not take it is read no further.
            #expect(await isHeard(min(updates, 500)))
            let received = try await Self.apart { try client.read(message.count) }
            #expect(received == message)
            // The server's keys were changed in answer, too: what follows is read as well.
            try await Self.apart { try client.updateKeys(then: 9) }
            #expect(await isHeard(updates + 1))
            await server.shutdown(grace: .zero)
        }
    }
}
