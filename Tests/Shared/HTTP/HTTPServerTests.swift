import JSON
import Reactor
import Telemetry
import Testing

@testable import HTTP

@Suite struct HTTPServerTests {
    private static var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.get, "/hello/:name") { request throws(Problem) in .text("hello \(try request.parameter("name"))") }
        router.on(.post, "/echo") { request throws(Problem) in .bytes(request.bytes, as: .octets) }
        router.on(.post, "/upload", body: .streaming(bytesMax: 8 << 20)) { request throws(Problem) in
            var (count, sum) = (0, 0)
            for try await chunk in request.chunks {
                count += chunk.count
                for octet in chunk { sum += Int(octet) }
            }
            return .text("\(count) \(sum)")
        }
        router.on(.post, "/ignore", body: .streaming(bytesMax: 8 << 20)) { _ throws(Problem) in .text("ignored") }
        router.on(.get, "/long") { _ throws(Problem) in
            .stream(.text) { writer in for line in 0..<10_000 { try await writer.write("line \(line)\n") } }
        }
        router.on(.get, "/counted") { _ throws(Problem) in .stream(.text, count: 6) { try await $0.write("abcdef") } }
        router.on(.get, "/broken") { _ throws(Problem) in
            .stream(.text) { writer in
                try await writer.write("begun")
                try await writer.flush()
                throw IOError.closed
            }
        }
        router.on(.get, "/big") { _ throws(Problem) in .bytes([UInt8](repeating: 97, count: 3_000_000), as: .octets) }
        return router
    }

    @Test("RFC 9112 §9.3.2: pipelined requests are answered in order, on one connection")
    func pipelining() async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            var requests = (0..<50).map { "GET /hello/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            requests += "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
            requests += "GET /hello/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            try await raw.send(requests)
            let answer = try await raw.receiveAll()
            #expect(answer.components(of: "HTTP/1.1 200 OK\r\n") == 52)
            var position = answer.startIndex
            for name in (0..<50).map({ "\r\n\r\nhello \($0)HTTP" }) + ["\r\n\r\nbodyHTTP", "\r\n\r\nhello last"] {
                let found = try #require(answer[position...].firstRange(of: name), "\(name)")
                position = answer.index(found.lowerBound, offsetBy: 4)
            }
            #expect(answer.components(of: "Connection: close\r\n") == 1)
        }
    }

    @Test("a request in single bytes is answered like a whole one")
    func singleBytes() async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            for character in head + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n" {
                try await raw.send(String(character))
            }
            #expect(try await raw.receiveAll().hasSuffix("\r\n\r\nabc"))
        }
    }

    @Test(
        "what is not HTTP, or too much, gets one clear status and the connection ends",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\n", 400), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
            ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n", 413),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
            ("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
            ("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab", 400),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n", 417),
            ("GET /\(String(repeating: "a", count: 9000))", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))", 431),
        ])
    func refusals(_ text: String, _ status: Int) async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            try await raw.send(text)
            let answer = try await raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("Connection: close\r\n") && answer.contains("application/problem+json"))
            #expect(answer.components(of: "HTTP/1.1 \(status)") == 1)
            // The process is fine.
            #expect(
                try await live.client().send(.init(.get, live.url("/hello/x")), deadline: .after(.seconds(5))).text
                    == "hello x")
        }
    }

    @Test("NFR-03: slow senders are cut off: head, body, and a connection that says nothing")
    func slowloris() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.head = .milliseconds(60)
        configuration.timeouts.body = .milliseconds(60)
        configuration.timeouts.idle = .milliseconds(60)
        try await LiveServer.with(Self.router, configuration) { live in
            let head = try await live.connect()
            try await head.send("GET /hello/x HTT")
            #expect(try await head.receiveAll().hasPrefix("HTTP/1.1 408 "))
            let body = try await live.connect()
            try await body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            #expect(try await body.receiveAll().hasPrefix("HTTP/1.1 408 "))
            let streamed = try await live.connect()
            try await streamed.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            #expect(try await streamed.receiveAll().hasPrefix("HTTP/1.1 408 "))
            let idle = try await live.connect()
            try await idle.send("GET /hello/x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await idle.receiveAll().hasSuffix("hello x"))
        }
    }

    @Test("a half-closed client gets its answers, then the end; one that leaves in a request gets nothing")
    func halfClose() async throws {
        try await LiveServer.with(Self.router) { live in
            let done = try await live.connect()
            try await done.send("GET /hello/x HTTP/1.1\r\nHost: a\r\n\r\n")
            try done.stream.finishWriting()
            #expect(try await done.receiveAll().hasSuffix("hello x"))
            for half in ["GET /hello", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"] {
                let raw = try await live.connect()
                try await raw.send(half)
                try raw.stream.finishWriting()
                #expect(try await raw.receiveAll() == "")
            }
        }
    }

    @Test("RFC 9110 §10.1.1: 100 Continue when the body is wanted, the final answer at once when it is not")
    func expectContinue() async throws {
        try await LiveServer.with(Self.router) { live in
            for path in ["/echo", "/upload"] {
                let raw = try await live.connect()
                try await raw.send(
                    "POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                #expect(try await raw.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await raw.send("ab")
                #expect(
                    try await raw.receive(until: path == "/echo" ? "\r\n\r\nab" : "\r\n\r\n2 195").hasPrefix(
                        "HTTP/1.1 200 "))
            }
            let raw = try await live.connect()
            try await raw.send("POST /nothing HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try await raw.receiveAll().hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("long bodies both ways: counted, in chunks, streamed; the connection stays usable")
    func longBodies() async throws {
        try await LiveServer.with(Self.router) { live in
            let client = live.client { $0.responseBytesMax = 8 << 20 }
            let deadline = Deadline.after(.seconds(20))
            let big = try await client.send(.init(.get, live.url("/big")), deadline: deadline)
            #expect(big.body.count == 3_000_000)
            let long = try await client.send(.init(.get, live.url("/long")), deadline: deadline)
            #expect(long.fields["transfer-encoding"] == "chunked")
            #expect(long.text == (0..<10_000).map { "line \($0)\n" }.joined())
            let counted = try await client.send(.init(.get, live.url("/counted")), deadline: deadline)
            #expect(counted.fields["content-length"] == "6" && counted.text == "abcdef")
            let upload = try await client.send(
                .init(.post, live.url("/upload"), body: [UInt8](repeating: 1, count: 3_000_000)), deadline: deadline)
            #expect(upload.text == "3000000 3000000")
            let ignored = try await client.send(
                .init(.post, live.url("/ignore"), body: [UInt8](repeating: 1, count: 3_000)), deadline: deadline)
            #expect(ignored.text == "ignored" && ignored.fields["connection"] == "close")
            #expect(try await client.send(.init(.head, live.url("/counted")), deadline: deadline).body.isEmpty)
            #expect(try await client.send(.init(.get, live.url("/hello/x")), deadline: deadline).text == "hello x")
        }
    }

    @Test("a response that breaks off is noticed by the client and is in the access log")
    func brokenStream() async throws {
        let log = AccessLog()
        try await LiveServer.with(Self.router, observer: log.observer) { live in
            await #expect(throws: HTTPClientError.self) {
                try await live.client().send(.init(.get, live.url("/broken")), deadline: .after(.seconds(5)))
            }
            let seen = await log.wait(for: 1)
            #expect(seen[0]["route"] == .string("/broken") && seen[0]["broken_off"] == .bool(true))
            #expect(seen[0]["response_bytes"] == .integer(5))
        }
    }

    @Test("NFR-09: requests of unknown methods and versions count as the client's faults and are no warnings")
    func refusedHeads() async throws {
        let observer = AccessLog().observer
        try await LiveServer.with(Self.router, observer: observer) { live in
            for text in ["BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/3.0\r\nHost: a\r\n\r\n"] {
                let raw = try await live.connect()
                try await raw.send(text)
                #expect(try await raw.receiveAll().hasPrefix("HTTP/1.1 50"))
            }
            let raw = try await live.connect()
            try await raw.send("DELETE /hello/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let answer = try await raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("Allow: GET, HEAD, OPTIONS\r\n"))
            let metrics = String(decoding: await observer.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_http_heads_refused_total{status=\"501\"} 1"))
            #expect(metrics.contains("trackme_http_heads_refused_total{status=\"505\"} 1"))
            #expect(!metrics.contains("trackme_http_requests_total{method=\"none\""))
        }
    }

    @Test("HTTP/1.0: answered, and closed unless the client wants to keep it")
    func oldVersion() async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            try await raw.send("GET /hello/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await raw.receive(until: "hello x").contains("Connection: keep-alive\r\n"))
            try await raw.send("GET /long HTTP/1.0\r\n\r\n")
            let answer = try await raw.receiveAll()
            #expect(!answer.contains("chunked") && answer.hasSuffix("line 9999\n"))
        }
    }

    @Test("the access log and a problem carry the trace: the client's, or a new one")
    func trace() async throws {
        let log = AccessLog()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        try await LiveServer.with(Self.router, observer: log.observer) { live in
            var request = HTTPClientRequest(.get, try live.url("/nothing"))
            request.fields["traceparent"] = "00-\(trace)-b7ad6b7169203331-01"
            let answer = try await live.client().send(request, deadline: .after(.seconds(5)))
            #expect(try answer.json(JSONValue.self)["trace"] == .string(trace))
            let other = try await live.client().send(.init(.get, live.url("/nothing")), deadline: .after(.seconds(5)))
            let seen = await log.wait(for: 2)
            #expect(seen[0]["trace"] == .string(trace))
            #expect(try other.json(JSONValue.self)["trace"] == seen[1]["trace"])
            #expect(seen[1]["trace"] != seen[0]["trace"])
        }
    }

    @Test("a call out carries the trace of the request that it is made for")
    func traceOut() async throws {
        var router = HTTPRouter()
        router.on(.get, "/echo") { (request) throws(Problem) in
            .text("\(request.field("traceparent") ?? "") \(request.field("tracestate") ?? "")")
        }
        try await LiveServer.with(router) { live in
            let trace = TraceContext.root(isSampled: true).with(tracestate: "vendor=1")
            let client = live.client()
            let told = try await RequestScope.$current.withValue(RequestScope(deadline: .never, trace: trace)) {
                try await client.send(.init(.get, live.url("/echo")), deadline: .after(.seconds(5))).text
            }
            let words = told.split(separator: " ")
            let received = try #require(words.first.flatMap { TraceContext(traceparent: $0.utf8) })
            #expect(received.traceLow == trace.traceLow && received.span != trace.span && received.isSampled)
            #expect(words.last == "vendor=1")
        }
    }

    @Test("the access log has method, route, status, bytes and problems")
    func observer() async throws {
        let log = AccessLog()
        try await LiveServer.with(Self.router, observer: log.observer) { live in
            let client = live.client()
            _ = try await client.send(.init(.post, live.url("/echo"), body: [1, 2, 3]), deadline: .after(.seconds(5)))
            _ = try await client.send(.init(.get, live.url("/nothing")), deadline: .after(.seconds(5)))
            let seen = await log.wait(for: 2)
            #expect(
                seen[0]["route"] == .string("/echo") && seen[0]["status"] == .integer(200)
                    && seen[0]["request_bytes"] == .integer(3) && seen[0]["response_bytes"] == .integer(3))
            #expect(seen[1]["route"] == .string("none") && seen[1]["status"] == .integer(404))
        }
    }
}

extension String {
    /// How often `text` occurs.
    func components(of text: String) -> Int { ranges(of: text).count }
}
