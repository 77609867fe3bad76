import Primitives
import Reactor
import Testing

@testable import HTTP

/// Requests that are decided on their head.
@Suite struct HTTPGateTests {
    private static let account = UUID.random()

    /// Lets `Authorization: Bearer good` through.
    private static var router: HTTPRouter {
        var router = HTTPRouter()
        for (path, body) in [("/whole", HTTPBodyPolicy.buffered()), ("/pieces", .streaming(bytesMax: 1 << 20))] {
            router.admit(
                .post, path, body: body,
                by: { (request) throws(Problem) in
                    guard request.bearerToken == "good" else { throw .unauthorized("no token") }
                    return HTTPAdmission(account: account) { (request) throws(Problem) in
                        var count = 0
                        for try await chunk in request.chunks { count += chunk.count }
                        return .text("\(count) bytes")
                    }
                })
        }
        router.admit(
            .get, "/slow", deadline: .milliseconds(20),
            by: { (_) throws(Problem) in
                do throws(IOError) { try await EventLoop.current?.sleep(for: .seconds(60)) } catch {}
                return HTTPAdmission { (_) throws(Problem) in .text("let through") }
            })
        return router
    }

    @Test(
        "NFR-03: without a token the answer is 401 before the body is sent, and never 100",
        arguments: ["whole", "pieces"])
    func refusedOnHead(_ path: String) async throws {
        try await LiveServer.with(Self.router) { live in
            for field in ["Expect: 100-continue\r\n", ""] {
                let raw = try await live.connect()
                try await raw.send("POST /\(path) HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: 500000\r\n\r\n")
                let answer = try await raw.receive(until: "no token")
                #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("Connection: close\r\n"))
                raw.stream.close()
            }
        }
    }

    @Test("a small body that nobody wants is dropped, and the connection goes on")
    func dropped() async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            for target in ["/whole", "/nothing"] {
                try await raw.send("POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                #expect(!(try await raw.receive(until: "}")).contains("Connection: close"))
            }
            try await raw.send(
                "POST /whole HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Length: 3\r\n\r\nabc")
            #expect(try await raw.receive(until: "3 bytes").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("with a token the body is asked for and handed over", arguments: ["whole", "pieces"])
    func admitted(_ path: String) async throws {
        try await LiveServer.with(Self.router) { live in
            let raw = try await live.connect()
            try await raw.send(
                """
                POST /\(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nExpect: 100-continue\r
                Content-Length: 3\r\n\r\n
                """)
            #expect(try await raw.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await raw.send("abc")
            #expect(try await raw.receive(until: "3 bytes").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("a gate has the handler's time, and lets nobody through after it")
    func slow() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.handler = .milliseconds(100)
        try await LiveServer.with(Self.router, configuration) { live in
            let raw = try await live.connect()
            try await raw.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("deadline-exceeded"))
        }
    }
}
