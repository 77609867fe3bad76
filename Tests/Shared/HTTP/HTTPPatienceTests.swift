import JSON
import Primitives
import Reactor
import Testing

@testable import HTTP

/// Clients that are slow, and what the server holds for them.
@Suite struct HTTPPatienceTests {
    private static var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.get, "/hello") { _ throws(Problem) in .text("hello") }
        router.on(.post, "/count") { request throws(Problem) in .text("\(request.bytes.count) bytes") }
        return router
    }

    @Test("a handler's time begins when it has its body, which may take longer to arrive")
    func slowUpload() async throws {
        var router = HTTPRouter()
        let limit = Duration.seconds(60)
        let deadlines = Notes<Deadline>()
        router.on(.post, "/late", deadline: limit) { request throws(Problem) in
            deadlines.add(request.deadline)
            return .text("done")
        }
        router.on(.get, "/hello") { _ throws(Problem) in .text("hello") }
        try await LiveServer.with(router) { live in
            let raw = try await live.connect()
            try await raw.send("POST /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\na")
            // Once others were answered twice, the server has taken the head.
            for _ in 0..<2 {
                _ = try await live.client().send(.init(.get, live.url("/hello")), deadline: .after(.seconds(5)))
            }
            let hadBody = Deadline.now()
            try await raw.send("b")
            #expect(try await raw.receiveAll().hasSuffix("done"))
            #expect(try #require(deadlines.all.first) >= hadBody.advanced(by: limit))
        }
    }

    @Test("NFR-03: beyond the memory for bodies that arrive, large ones get 503 and small ones are answered")
    func bodyMemory() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bufferedBodyBytesMax = 100_000
        try await LiveServer.with(Self.router, configuration) { live in
            let part = String(repeating: "x", count: 90_000)
            let head = "POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length:"
            func answerOthers() async throws {
                for _ in 0..<2 {
                    let answer = try await live.client().send(
                        .init(.get, live.url("/hello")), deadline: .after(.seconds(5)))
                    #expect(answer.text == "hello")
                }
            }
            let first = try await live.connect()
            try await first.send("\(head) 180000\r\n\r\n\(part)")
            try await answerOthers()
            let second = try await live.connect()
            try await second.send("\(head) 180000\r\n\r\n\(part)")
            let refusal = try await second.receiveAll()
            #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("Retry-After: 1\r\n"))
            let small = try await live.connect()
            try await small.send("\(head) 2\r\n\r\na")
            try await answerOthers()
            try await small.send("b")
            #expect(try await small.receiveAll().hasSuffix("2 bytes"))
            first.stream.close()
            try await answerOthers()
            for _ in 0..<2 {
                let later = try await live.connect()
                try await later.send("\(head) 90000\r\n\r\n\(part)")
                #expect(try await later.receiveAll().hasSuffix("90000 bytes"))
            }
        }
    }

    @Test("NFR-03: the memory for bodies is that of all loops together, so that a large one is taken on any of many")
    func sharedBodyMemory() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bufferedBodyBytesMax = 100
        let memory = BodyMemory(configuration)
        func reserve(_ bytes: Int) -> Bool { memory.reserve(bytes, for: []) == .reserved }
        #expect(reserve(60) && !reserve(41) && reserve(40) && !reserve(1))
        memory.release(60, for: [])
        #expect(reserve(60) && !reserve(1))
        configuration.bufferedBodyBytesMax = 200_000
        try await LiveServer.with(Self.router, configuration, loops: 4) { live in
            for _ in 0..<4 {
                let raw = try await live.connect()
                try await raw.send(
                    "POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 180000\r\n\r\n"
                        + String(repeating: "x", count: 180_000))
                #expect(try await raw.receiveAll().hasSuffix("180000 bytes"))
            }
        }
    }

    @Test("NFR-03: an account and a network each have a share of the memory for bodies, so that others find room")
    func shares() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.bufferedBodyBytesMax = 1000
        configuration.bufferedBodyBytesPerAccountMax = 200
        configuration.bufferedBodyBytesPerNetworkMax = 300
        let memory = BodyMemory(configuration)
        let (first, second) = (BodyMemory.Holder.account(.random()), BodyMemory.Holder.account(.random()))
        let network = BodyMemory.Holder.network([192, 0, 2, 1])
        #expect(memory.reserve(200, for: [first, network]) == .reserved)
        #expect(memory.reserve(1, for: [first]) == .shareTaken)
        #expect(memory.reserve(101, for: [second, network]) == .shareTaken)
        #expect(memory.reserve(100, for: [second, network]) == .reserved)
        memory.release(200, for: [first, network])
        #expect(memory.reserve(200, for: [first, network]) == .reserved)
        #expect(memory.reserve(200, for: [.network([10, 0, 0, 1])]) == .reserved)
        configuration.bufferedBodyBytesMax = 1 << 20
        configuration.bufferedBodyBytesPerNetworkMax = 100_000
        configuration.trustedProxies.ranges = [try #require(AddressRange("127.0.0.1"))]
        try await LiveServer.with(Self.router, configuration) { live in
            func begin(_ client: String) async throws -> RawConnection {
                let raw = try await live.connect()
                try await raw.send(
                    """
                    POST /count HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\nConnection: close\r
                    Content-Length: 90001\r\n\r\n\(String(repeating: "x", count: 90_000))
                    """)
                for _ in 0..<2 {
                    _ = try await live.client().send(.init(.get, live.url("/hello")), deadline: .after(.seconds(5)))
                }
                return raw
            }
            let one = try await begin("2001:db8::1")
            let neighbour = try await begin("2001:db8::2").receiveAll()
            #expect(neighbour.hasPrefix("HTTP/1.1 429 ") && neighbour.contains("Retry-After: 1\r\n"))
            let other = try await begin("192.0.2.7")
            for raw in [one, other] {
                try await raw.send("x")
                #expect(try await raw.receiveAll().hasSuffix("90001 bytes"))
            }
        }
    }

    @Test("NFR-03: a network has its share of connections and of requests in progress, also behind a proxy")
    func networkShares() async throws {
        let shares = NetworkShares(max: 2)
        #expect(shares.enter([1]) && shares.enter([1]) && !shares.enter([1]) && shares.enter([2]))
        shares.leave([1])
        #expect(shares.enter([1]))
        for _ in 0..<5 { #expect(shares.enter(nil)) }
        let open = EventCounter()
        let begun = Notes<Int>()
        var router = Self.router
        router.on(.get, "/wait", deadline: .seconds(5)) { _ throws(Problem) in
            begun.add(1)
            _ = await open.wait(after: 0)
            return .text("waited")
        }
        var configuration = HTTPServerConfiguration()
        configuration.requestsPerNetworkMax = 1
        configuration.trustedProxies.ranges = [try #require(AddressRange("127.0.0.1"))]
        try await LiveServer.with(router, configuration) { live in
            func ask(_ path: String, for client: String) async throws -> RawConnection {
                let raw = try await live.connect()
                try await raw.send(
                    "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\nConnection: close\r\n\r\n")
                return raw
            }
            let first = try await ask("/wait", for: "192.0.2.1")
            _ = await begun.wait(for: 1)
            let refusal = try await ask("/hello", for: "192.0.2.1").receiveAll()
            #expect(refusal.hasPrefix("HTTP/1.1 429 ") && refusal.contains("too-much-at-once"))
            #expect(try await ask("/hello", for: "192.0.2.2").receiveAll().hasSuffix("hello"))
            open.raise()
            #expect(try await first.receiveAll().hasSuffix("waited"))
            #expect(try await ask("/hello", for: "192.0.2.1").receiveAll().hasSuffix("hello"))
        }
    }

    @Test("NFR-03: the sender of a buffered body has so much time and no more, at whatever pace")
    func bodyTime() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.bufferedBodyMax = .milliseconds(60)
        try await LiveServer.with(Self.router, configuration) { live in
            let raw = try await live.connect()
            try await raw.send(
                "POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n\(String(repeating: "x", count: 100_000))"
            )
            #expect(try await raw.receiveAll().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("a head that came with an earlier request has its own time, which begins after that one's answer")
    func pipelinedHead() async throws {
        let open = EventCounter()
        var router = Self.router
        router.on(.get, "/wait", deadline: .seconds(5)) { _ throws(Problem) in
            _ = await open.wait(after: 0)
            return .text("waited")
        }
        var configuration = HTTPServerConfiguration()
        let limit = Duration.milliseconds(150)
        configuration.timeouts.head = limit
        try await LiveServer.with(router, configuration) { live in
            let raw = try await live.connect()
            try await raw.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /hel")
            // Were the time running already, it would be over now.
            try await live.loops.loops[0].sleep(for: limit)
            let answered = Deadline.now()
            open.raise()
            #expect(try await raw.receiveAll().contains("HTTP/1.1 408 "))
            #expect(Deadline.now() >= answered.advanced(by: limit))
        }
    }

    @Test("an answer that the client does not take is in the access log as broken off")
    func notTaken() async throws {
        let log = AccessLog()
        var router = HTTPRouter()
        router.on(.get, "/huge") { _ throws(Problem) in .bytes([UInt8](repeating: 97, count: 16 << 20), as: .octets) }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.writeStall = .milliseconds(50)
        try await LiveServer.with(router, configuration, observer: log.observer) { live in
            let raw = try await live.connect()
            try await raw.send("GET /huge HTTP/1.1\r\nHost: a\r\n\r\n")
            let seen = await log.wait(for: 1)
            #expect(seen[0]["broken_off"] == .bool(true) && seen[0]["response_bytes"] == .integer(0))
            raw.stream.close()
        }
    }
}
