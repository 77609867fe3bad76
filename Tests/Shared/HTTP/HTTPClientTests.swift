import Reactor
import Testing

@testable import HTTP

@Suite struct HTTPClientTests {
    private struct Pair: Codable, Sendable, Equatable {
        var a: Int
        var b: String
    }

    private static var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.post, "/pair") { request throws(Problem) in
            var pair = try request.json(Pair.self)
            pair.a += 1
            return try .json(pair, status: .created)
        }
        router.on(.get, "/fail") { _ throws(Problem) in throw Problem(.conflict, code: "busy") }
        router.on(.get, "/text") { _ throws(Problem) in .stream(.csv) { try await $0.write("a,b\n") } }
        router.on(.get, "/moved") { _ throws(Problem) in HTTPResponse(.seeOther, fields: ["Location": "/text"]) }
        router.on(.get, "/peer") { request throws(Problem) in .text(request.peer?.address?.description ?? "none") }
        return router
    }

    @Test("a client with kept connections may be released anywhere: they are closed on their own loop")
    func releasedElsewhere() async throws {
        try await LiveServer.with(Self.router) { live in
            let others = try EventLoopGroup(count: 1)
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            do {
                let client = HTTPClient(on: others.loops[0], configuration: configuration)
                let answer = try await client.send(.init(.get, live.url("/text")), deadline: .after(.seconds(5)))
                #expect(answer.status == .ok)
            }
            // What comes after the release finds it done.
            await others.loops[0].task {}.value
            others.shutdown()
        }
    }

    @Test("values go out and come back as JSON; problems, other methods and redirects are answers")
    func answers() async throws {
        try await LiveServer.with(Self.router) { live in
            let client = live.client()
            let deadline = Deadline.after(.seconds(5))
            let created = try await client.send(.json(.post, live.url("/pair"), Pair(a: 1, b: "é")), deadline: deadline)
            #expect(created.status == .created)
            #expect(created.fields["content-type"] == "application/json")
            #expect(try created.json(Pair.self) == Pair(a: 2, b: "é"))
            let failed = try await client.send(.init(.get, live.url("/fail")), deadline: deadline)
            #expect(failed.status == .conflict && failed.text.contains("\"code\":\"busy\""))
            #expect(try await client.send(.init(.get, live.url("/text")), deadline: deadline).text == "a,b\n")
            #expect(
                try await client.send(.init(.put, live.url("/text")), deadline: deadline).fields["allow"]
                    == "GET, HEAD, OPTIONS"
            )
            // Redirects are answers, not followed.
            #expect(try await client.send(.init(.get, live.url("/moved")), deadline: deadline).status == .seeOther)
        }
    }

    @Test("connections are kept and used again; one that the server closed is replaced")
    func reuse() async throws {
        try await LiveServer.with(Self.router) { live in
            let client = live.client()
            let peer = HTTPClientRequest(.get, try live.url("/peer"))
            let first = try await client.send(peer, deadline: .after(.seconds(5))).text
            let second = try await client.send(peer, deadline: .after(.seconds(5))).text
            #expect(first == second)
            #expect(live.server.connectionCount == 1)
            client.close()
        }
        // A server that closes after each answer without saying so.
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 10)
            ) { stream in
                let raw = RawConnection(stream)
                do throws(IOError) {
                    _ = try await raw.receive(until: "\r\n\r\n")
                    try await raw.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                } catch { return }
            }
            let live = try #require(HTTPURL("http://127.0.0.1:\(server.port)/"))
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: loops.loops[0], configuration: configuration)
            for _ in 0..<5 {
                #expect(try await client.send(.init(.get, live), deadline: .after(.seconds(5))).text == "ok")
            }
            await server.shutdown(grace: .zero)
        }
    }

    @Test("a place that becomes free goes to who has waited longest, and wakes nobody else")
    func turns() async throws {
        try await LiveServer.with(Self.router) { live in
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            configuration.connectionsPerOriginMax = 1
            let pool = HTTPClientPool(configuration, tls: nil)
            let (loop, origin) = (live.loops.loops[0], try live.url("/").origin)
            let order = Notes<Int>()
            let first = try await pool.take(origin, mustBeNew: false, deadline: .never)
            var tasks: [Task<Void, any Error>] = []
            for number in 0..<3 {
                tasks.append(
                    loop.throwingTask {
                        let connection = try await pool.take(origin, mustBeNew: false, deadline: .never)
                        order.add(number)
                        // Were the others awake, they would be in the queue no longer.
                        #expect(pool.origins[origin]?.waiters.count == 2 - number)
                        pool.release(connection, origin, isReusable: false)
                    })
                while pool.origins[origin]?.waiters.count != number + 1 { try await loop.sleep(for: .zero) }
            }
            pool.release(first, origin, isReusable: false)
            for task in tasks { try await task.value }
            #expect(order.all == [0, 1, 2] && pool.origins.isEmpty)
        }
    }

    @Test("a call that gives up waiting for a connection leaves nothing behind")
    func abandonedWait() async throws {
        try await LiveServer.with(Self.router) { live in
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            configuration.connectionsPerOriginMax = 1
            let pool = HTTPClientPool(configuration, tls: nil)
            let (loop, origin) = (live.loops.loops[0], try live.url("/").origin)
            let connection = try await pool.take(origin, mustBeNew: false, deadline: .never)
            let waiting = loop.throwingTask {
                _ = try await pool.take(origin, mustBeNew: false, deadline: .never)
            }
            while pool.origins[origin]?.waiters.count != 1 { try await loop.sleep(for: .zero) }
            waiting.cancel()
            pool.release(connection, origin, isReusable: false)
            await #expect(throws: HTTPClientError.io(.cancelled)) { try await waiting.value }
            #expect(pool.origins.isEmpty)
        }
    }

    @Test(
        "calls to addresses that are not public are refused, however they are written",
        arguments: [
            "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://10.1.2.3/", "http://172.20.0.1/",
            "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data", "http://[::ffff:127.0.0.1]/",
            "http://[fe80::1]/", "http://[fd00::1]/", "http://0.0.0.0/", "http://[::]/", "http://100.64.0.1/",
            "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://224.0.0.1/", "http://255.255.255.255/",
        ])
    func refusedAddresses(_ text: String) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let client = HTTPClient(on: loops.loops[0])
            let url = try #require(HTTPURL(text))
            do throws(HTTPClientError) {
                _ = try await client.send(.init(.get, url), deadline: .after(.seconds(5)))
                Issue.record("answered")
            } catch {
                guard case .refusedAddress = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }

    @Test("public addresses are public")
    func publicAddresses() throws {
        for text in ["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"] {
            #expect(AddressPolicy.isPublic(try #require(SocketAddress(numeric: text, port: 443))), "\(text)")
        }
    }

    @Test("URLs: what is one and what is not")
    func urls() throws {
        let url = try #require(HTTPURL("HTTPS://Example.ORG:8443/a/b?c=d#e"))
        #expect(url.isSecure && url.host == "example.org" && url.port == 8443 && url.target == "/a/b?c=d")
        #expect(HTTPURL("http://a")?.description == "http://a/")
        #expect(HTTPURL("http://a?x=1")?.target == "/?x=1")
        #expect(HTTPURL("http://[::1]:81/")?.authority == "[::1]:81")
        #expect(HTTPURL("https://a:443/")?.authority == "a")
        #expect(url.originText == "https://example.org:8443" && HTTPURL("http://a/b")?.originText == "http://a")
        for (text, isHere) in [
            ("http://localhost/", true), ("http://127.9.0.1:1/", true), ("https://[::1]/", true),
            ("http://localhost.example.org/", false), ("http://10.0.0.1/", false), ("http://128.0.0.1/", false),
        ] { #expect(HTTPURL(text)?.isOnThisMachine == isHere, "\(text)") }
        for wrong in [
            "ftp://a/", "http://", "http:///x", "http://u:p@a/", "http://a:0/", "http://a:x/", "http://a:/",
            "http://a b/",
            "http://[::1/", "http://[a]/", "//a/", "http://a:65536/", "http://é/", "http://-a/",
        ] {
            #expect(HTTPURL(wrong) == nil, "\(wrong)")
        }
    }

    @Test("deadlines, oversized and malformed answers, fields that would begin a line")
    func badAnswers() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let answers = [
                "/big": "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n",
                "/flood": "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 5000),
                "/both": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "/junk": "nonsense\r\n\r\n",
                "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
                "/interim": "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            ]
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 10)
            ) { stream in
                let raw = RawConnection(stream)
                do throws(IOError) {
                    let request = try await raw.receive(until: "\r\n\r\n")
                    guard let answer = answers.first(where: { request.contains("GET \($0.key) ") }) else {
                        _ = try await raw.receiveAll()
                        return
                    }
                    try await raw.send(answer.value)
                } catch { return }
            }
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            configuration.responseBytesMax = 1000
            let client = HTTPClient(on: loops.loops[0], configuration: configuration)
            func failure(_ path: String, _ deadline: Deadline = .after(.seconds(5))) async throws -> HTTPClientError? {
                let url = try #require(HTTPURL("http://127.0.0.1:\(server.port)\(path)"))
                do throws(HTTPClientError) { _ = try await client.send(.init(.get, url), deadline: deadline) } catch {
                    return error
                }
                return nil
            }
            #expect(try await failure("/big") == .responseTooLarge)
            #expect(try await failure("/flood") == .responseTooLarge)
            #expect(try await failure("/both") == .malformedResponse("the response's length is ambiguous"))
            #expect(try await failure("/junk") == .malformedResponse("the status line is malformed"))
            #expect(try await failure("/cut") == .malformedResponse("the response is incomplete"))
            #expect(try await failure("/interim") == nil)
            #expect(try await failure("/silent", .after(.milliseconds(50))) == .io(.timedOut))
            let url = try #require(HTTPURL("http://127.0.0.1:\(server.port)/"))
            await #expect(throws: HTTPClientError.self) {
                try await client.send(.init(.get, url, fields: ["X": "a\r\nY: b"]), deadline: .after(.seconds(5)))
            }
            await server.shutdown(grace: .zero)
        }
    }
}
