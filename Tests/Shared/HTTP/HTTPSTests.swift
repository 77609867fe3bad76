import Glibc
import HTTP
import Reactor
import Testing

/// A self-signed certificate for `localhost`, made with the `openssl` program, in a directory of its own.
private struct SelfSigned: Sendable {
    struct Unavailable: Error {
        let reason: String
    }

    private let directory: String
    let certificateFile: String
    let keyFile: String

    init() throws {
        var template = Array("/tmp/trackme-https-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Unavailable(reason: "mkdtemp: \(errno)") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        (certificateFile, keyFile) = ("\(directory)/localhost.pem", "\(directory)/localhost.key")
        let arguments = [
            "openssl", "req", "-x509", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", keyFile, "-out", certificateFile,
        ]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child = pid_t()
        var status: Int32 = 0
        guard posix_spawnp(&child, "openssl", &actions, nil, &argv, environ) == 0 else {
            throw Unavailable(reason: "openssl cannot be started")
        }
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Unavailable(reason: "openssl: \(status)") }
    }

    func remove() {
        unlink(certificateFile)
        unlink(keyFile)
        rmdir(directory)
    }
}

/// Passes bytes on between clients and a server, and ends the first connection with FIN alone, as load balancers do.
private final class Relay: Sendable {
    let listener: ConnectionServer
    let opened: EventCounter

    /// Once `cut` is raised, the first connection ends: at once, or at the next thing that the client says.
    init(to port: UInt16, atOnce: Bool, cut: EventCounter, gone: EventCounter, _ loops: EventLoopGroup) async throws {
        let opened = EventCounter()
        self.opened = opened
        listener = try await ConnectionServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 10)
        ) { stream in
            opened.raise()
            let isFirst = opened.value == 1
            guard
                let server = try? await ByteStream.connect(
                    to: Endpoint(host: "127.0.0.1", port: port), deadline: .after(.seconds(5)))
            else { return }
            nonisolated(unsafe) let (client, upstream) = (stream, server)
            let answers = stream.loop.task { await Self.pass(upstream, client) { false } }
            let end = stream.loop.task {
                guard isFirst, atOnce else { return }
                _ = await cut.wait(after: 0)
                client.close()
                gone.raise()
            }
            await Self.pass(stream, server) { isFirst && cut.value > 0 }
            stream.close()
            server.close()
            end.cancel()
            await answers.value
            await end.value
        }
    }

    private static func pass(_ source: ByteStream, _ sink: ByteStream, until isOver: () -> Bool) async {
        var buffer = ByteBuffer()
        do throws(IOError) {
            while try await source.read(into: &buffer) > 0, !isOver() { try await sink.write(&buffer) }
        } catch {
            // One of the two has closed.
        }
    }
}

@Suite struct HTTPSTests {
    @Test(
        "a kept connection that its server ended without a word of TLS is replaced; what its sender was told is sent is not sent again",
        arguments: [true, false], [false, true])
    func bareEnd(atOnce: Bool, isTold: Bool) async throws {
        let files = try SelfSigned()
        defer { files.remove() }
        let authority = try TLSContext.client(authorityFile: files.certificateFile)
        let tls = try TLSContext.server(certificateFile: files.certificateFile, keyFile: files.keyFile)
        var router = HTTPRouter()
        router.on(.post, "/") { request throws(Problem) in .bytes(request.bytes, as: .octets) }
        try await EventLoopGroup.withLoops(1) { [router] loops in
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops, tls: tls)
            let (cut, gone) = (EventCounter(), EventCounter())
            let relay = try await Relay(to: server.port, atOnce: atOnce, cut: cut, gone: gone, loops)
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: loops.loops[0], tls: authority, configuration: configuration)
            let url = try #require(HTTPURL("https://localhost:\(relay.listener.port)/"))
            var request = HTTPClientRequest(.post, url, body: [1, 2, 3])
            // What is seen before the request is sent helps also a call that must not be made twice.
            request.isRepeatable = !atOnce
            if isTold { request.whenSent = {} }
            #expect(try await client.send(request, deadline: .after(.seconds(5))).body == [1, 2, 3])
            cut.raise()
            if atOnce {
                _ = await gone.wait(after: 0, deadline: .after(.seconds(5)))
                for _ in 0..<3 { try await loops.loops[0].sleep(for: .milliseconds(1)) }
            }
            if isTold, !atOnce {
                await #expect(throws: HTTPClientError.self) {
                    try await client.send(request, deadline: .after(.seconds(5)))
                }
                #expect(relay.opened.value == 1)
            } else {
                #expect(try await client.send(request, deadline: .after(.seconds(5))).body == [1, 2, 3])
                #expect(relay.opened.value == 2)
            }
            client.close()
            await relay.listener.shutdown(grace: .zero)
            await server.shutdown(grace: .seconds(1))
        }
    }

    @Test("NFR-05a: HTTPS; a client refuses a server that it cannot verify, or of another name")
    func verification() async throws {
        let files = try SelfSigned()
        defer { files.remove() }
        let trusting = try TLSContext.client(authorityFile: files.certificateFile)
        let suspicious = try TLSContext.client()
        let tls = try TLSContext.server(certificateFile: files.certificateFile, keyFile: files.keyFile)
        var router = HTTPRouter()
        router.on(.post, "/echo") { request throws(Problem) in .bytes(request.bytes, as: .octets) }
        try await EventLoopGroup.withLoops(1) { [router] loops in
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops, tls: tls)
            func send(_ url: String, _ tls: TLSContext?) async throws -> Result<Int, HTTPClientError> {
                var configuration = HTTPClient.Configuration()
                configuration.allowPrivateAddresses = true
                let client = HTTPClient(on: loops.loops[0], tls: tls, configuration: configuration)
                defer { client.close() }
                let url = try #require(HTTPURL("\(url):\(server.port)/echo"))
                let request = HTTPClientRequest(.post, url, body: [UInt8](repeating: 7, count: 200_000))
                do throws(HTTPClientError) {
                    return .success(try await client.send(request, deadline: .after(.seconds(5))).body.count)
                } catch { return .failure(error) }
            }
            #expect(try await send("https://localhost", trusting).get() == 200_000)
            for (url, tls) in [("https://localhost", suspicious), ("https://127.0.0.1", trusting)] {
                let outcome = try await send(url, tls)
                guard case .failure(.io(.tls)) = outcome else {
                    Issue.record("\(url): \(outcome)")
                    continue
                }
            }
            guard case .failure(.invalidRequest) = try await send("https://localhost", nil) else {
                Issue.record("https without authorities")
                return
            }
            await server.shutdown(grace: .seconds(1))
        }
    }
}
