import COpenSSL
import Glibc
import Primitives
import ReactorTesting
import Telemetry
import Testing

@testable import Reactor

@Suite struct TLSTests {
    private static func file(_ name: String) throws -> String { try CertificateFiles.path(name) }

    private static func server(_ name: String = "server", mutual: Bool = true) throws -> TLSContext {
        try .server(
            certificateFile: file("\(name).pem"), keyFile: file("\(name).key"),
            clientAuthorityFile: mutual ? file("ca.pem") : nil)
    }

    private static func client(_ name: String?, authority: String = "ca.pem") throws -> TLSContext {
        try .client(
            authorityFile: file(authority), certificateFile: name.map { try file("\($0).pem") },
            keyFile: name.map { try file("\($0).key") })
    }

    /// Connects, says one byte, and gives what the server answers: the names it saw in the client's certificate.
    private static func greet(_ server: ConnectionServer, _ tls: TLSContext, as name: String = "localhost") async throws
        -> (answer: String, isResumed: Bool)
    {
        let deadline = Deadline.after(.seconds(5))
        let stream = try await ByteStream.connect(
            to: Endpoint(host: "127.0.0.1", port: server.port), tls: tls, serverName: name, deadline: deadline)
        defer { stream.close() }
        try await stream.write([1], deadline: deadline)
        var buffer = ByteBuffer()
        while try await stream.read(into: &buffer, deadline: deadline) > 0 {}
        return (String(decoding: buffer.take(buffer.count), as: UTF8.self), stream.isResumed)
    }

    private static func withServer(
        _ tls: TLSContext, _ observer: Observer = .silent,
        _ body: @escaping @Sendable (ConnectionServer) async throws -> Void
    ) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: tls, limits: .init(connectionsMax: 10),
                listener: "test", observer: observer
            ) { stream in
                var buffer = ByteBuffer()
                guard (try? await stream.read(into: &buffer)) == 1 else { return }
                let names = stream.peerIdentity?.names.joined(separator: ",") ?? "nobody"
                try? await stream.write(Array(names.utf8))
            }
            do { try await body(server) } catch {
                await server.shutdown(grace: .zero)
                throw error
            }
            await server.shutdown(grace: .seconds(5))
        }
    }

    @Test("NFR-05: handshakes that fail are counted by reason, connections by listener; a certificate tells its end")
    func metrics() async throws {
        let observer = Observer.silent
        try await Self.withServer(try Self.server(), observer) { server in
            await #expect(throws: IOError.self) { try await Self.greet(server, try Self.client("foreign")) }
            let greeted = try await Self.greet(server, try Self.client("query"))
            #expect(greeted.answer.contains("query"))
        }
        let text = String(decoding: await observer.metrics.text(), as: UTF8.self)
        #expect(text.contains(#"trackme_tls_handshake_failures_total{listener="test",reason="TLS"#), "\(text)")
        #expect(text.contains(#"trackme_connections{listener="test"} 0"#))
        let end = try #require(try Self.server().certificateEnd)
        #expect(end > Timestamp.now() && end < Timestamp.now() + .seconds(400 * 86_400))
        let without = try Self.client(nil)
        #expect(without.certificateEnd == nil)
    }

    @Test("NFR-05b: mutual TLS tells the server the names in the client's certificate")
    func mutual() async throws {
        try await Self.withServer(try Self.server()) { server in
            let answer = try await Self.greet(server, try Self.client("query")).answer
            #expect(answer.split(separator: ",").contains("query"))
        }
    }

    @Test("NFR-05b: a client without a certificate, with a foreign one, or with an expired one is turned away")
    func strangers() async throws {
        try await Self.withServer(try Self.server()) { server in
            for name in [nil, "foreign", "expired"] {
                await #expect(throws: IOError.self) { _ = try await Self.greet(server, try Self.client(name)) }
            }
        }
    }

    @Test("NFR-05b: a server of a foreign authority, or with another name than the one asked for, is not trusted")
    func wrongServer() async throws {
        try await Self.withServer(try Self.server("accounts")) { server in
            await #expect(throws: IOError.self) {
                _ = try await Self.greet(server, try Self.client("query", authority: "foreign-ca.pem"), as: "accounts")
            }
            await #expect(throws: IOError.self) {
                _ = try await Self.greet(server, try Self.client("query"), as: "ingestion")
            }
            let answer = try await Self.greet(server, try Self.client("query"), as: "accounts").answer
            #expect(answer.contains("query"))
        }
    }

    @Test("NFR-05b: a server's name that cannot be checked refuses the connection")
    func uncheckableName() async throws {
        try await Self.withServer(try Self.server()) { server in
            await #expect(throws: IOError.self) {
                _ = try await Self.greet(server, try Self.client("query"), as: "")
            }
        }
    }

    @Test("TLS 1.2 is spoken where it is allowed, and nowhere else")
    func versions() async throws {
        func context(_ oldest: TLSContext.OldestVersion) throws -> TLSContext {
            try .server(
                certificateFile: Self.file("server.pem"), keyFile: Self.file("server.key"), oldest: oldest, isHTTP: true
            )
        }
        let old = try TLSContext.client(Self.file("ca.pem"), nil, nil, .tls12) { context in
            #expect(tm_SSL_CTX_set_max_tls12(context) == 1)
        }
        try await Self.withServer(try context(.tls12)) { server in
            for client in [old, try Self.client(nil)] {
                let answer = try await Self.greet(server, client).answer
                #expect(answer == "nobody")
            }
        }
        try await Self.withServer(try context(.tls13)) { server in
            await #expect(throws: IOError.self) { _ = try await Self.greet(server, old) }
        }
    }

    @Test("a second connection resumes the session, and still tells who the client is")
    func resumption() async throws {
        try await Self.withServer(try Self.server()) { server in
            let client = try Self.client("query")
            let first = try await Self.greet(server, client)
            let second = try await Self.greet(server, client)
            #expect(!first.isResumed && second.isResumed)
            #expect(second.answer == first.answer)
        }
    }

    @Test("NFR-05b: a session is not resumed past the end of the client's certificate")
    func outlived() async throws {
        let short = try ShortCertificate(name: "query", seconds: 4)
        defer { short.remove() }
        let server = try TLSContext.server(
            certificateFile: try Self.file("server.pem"), keyFile: try Self.file("server.key"),
            clientAuthorityFile: short.certificateFile)
        let client = try TLSContext.client(
            authorityFile: try Self.file("ca.pem"), certificateFile: short.certificateFile, keyFile: short.keyFile)
        try await Self.withServer(server) { server in
            let over = Deadline.after(.seconds(5))
            #expect(try await !Self.greet(server, client).isResumed)
            let resumed = try await Self.greet(server, client)
            #expect(resumed.isResumed && resumed.answer == "query")
            // The certificate's own clock is the system's.
            try await EventLoop.current?.sleep(until: over)
            await #expect(throws: IOError.self) { _ = try await Self.greet(server, client) }
        }
    }

    @Test("a name that cannot be asked for is an error, not a connection whose certificate may have any name")
    func impossibleName() async throws {
        try await Self.withServer(try Self.server()) { server in
            await #expect(throws: IOError.self) {
                _ = try await Self.greet(server, try Self.client("query"), as: String(repeating: "a", count: 300))
            }
        }
    }

    @Test("reloading takes new certificates for new connections, and keeps the old ones when the files are bad")
    func reload() async throws {
        let directory = "/tmp/trackme-tls-\(getpid())-\(UInt32.random(in: .min ... .max))"
        #expect(mkdir(directory, 0o700) == 0)
        defer {
            unlink("\(directory)/cert.pem")
            unlink("\(directory)/cert.key")
            rmdir(directory)
        }
        @Sendable func link(_ name: String) throws {
            for (target, source) in [("cert.pem", "\(name).pem"), ("cert.key", "\(name).key")] {
                unlink("\(directory)/\(target)")
                #expect(symlink(try Self.file(source), "\(directory)/\(target)") == 0)
            }
        }
        try link("accounts")
        let context = try TLSContext.server(
            certificateFile: "\(directory)/cert.pem", keyFile: "\(directory)/cert.key",
            clientAuthorityFile: try Self.file("ca.pem"))
        try link("ingestion")
        let client = try Self.client("query")
        try await Self.withServer(context) { server in
            #expect(try await Self.greet(server, client, as: "accounts").answer.contains("query"))
            try context.reload()
            await #expect(throws: IOError.self) { _ = try await Self.greet(server, client, as: "accounts") }
            #expect(try await Self.greet(server, client, as: "ingestion").answer.contains("query"))
            #expect(try !context.reloadIfChanged())
            try link("accounts")
            #expect(try context.reloadIfChanged())
            #expect(try await Self.greet(server, client, as: "accounts").answer.contains("query"))
            try link("ingestion")
            #expect(try context.reloadIfChanged())
            unlink("\(directory)/cert.pem")
            #expect(throws: IOError.self) { try context.reload() }
            #expect(throws: IOError.self) { try context.reloadIfChanged() }
            #expect(try await Self.greet(server, client, as: "ingestion").answer.contains("query"))
        }
    }

    @Test("NFR-05: an end without close_notify, which anybody on the way can make, is an error and not the end")
    func truncation() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: try Self.server(),
                limits: .init(connectionsMax: 10)
            ) { stream in
                var buffer = ByteBuffer()
                guard (try? await stream.read(into: &buffer)) == 1 else { return }
                try? await stream.write([2])
                shutdown(stream.descriptor, Int32(SHUT_WR))
                _ = try? await stream.read(into: &buffer)
            }
            let deadline = Deadline.after(.seconds(5))
            let stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), tls: try Self.client("query"),
                serverName: "localhost", deadline: deadline)
            try await stream.write([1], deadline: deadline)
            var buffer = ByteBuffer()
            #expect(try await stream.read(into: &buffer, deadline: deadline) == 1)
            do throws(IOError) {
                try await stream.read(into: &buffer, deadline: deadline)
                Issue.record("taken for the end")
            } catch {
                guard case .tls = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            stream.close()
            await server.shutdown(grace: .seconds(5))
        }
    }

    @Test("large messages cross TLS whole in both directions")
    func large() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: try Self.server(),
                limits: .init(connectionsMax: 10)
            ) { stream in
                var buffer = ByteBuffer()
                while let count = try? await stream.read(into: &buffer), count > 0 {
                    guard (try? await stream.write(&buffer)) != nil else { return }
                }
            }
            let deadline = Deadline.after(.seconds(20))
            let stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), tls: try Self.client("query"),
                serverName: "localhost", deadline: deadline)
            let message = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            for _ in 0..<5 {
                try await stream.write(message, deadline: deadline)
                var echoed = ByteBuffer()
                while echoed.count < message.count { try await stream.read(into: &echoed, deadline: deadline) }
                let bytes = echoed.take(echoed.count)
                #expect(bytes == message)
            }
            stream.close()
            await server.shutdown(grace: .seconds(5))
        }
    }
}
