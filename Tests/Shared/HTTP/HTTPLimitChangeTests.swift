import Primitives
import Reactor
import Testing

@testable import HTTP

/// Limits that change while the server runs.
@Suite struct HTTPLimitChangeTests {
    private static let head = "HTTP/1.1\r\nHost: a\r\n"

    private static func router(waitFor open: EventCounter = EventCounter(), _ begun: Notes<Int> = Notes()) -> HTTPRouter
    {
        var router = HTTPRouter()
        router.on(.get, "/hello") { _ throws(Problem) in .text("hello") }
        router.on(.post, "/count") { request throws(Problem) in .text("\(request.bytes.count) bytes") }
        router.on(.get, "/wait") { _ throws(Problem) in
            begun.add(1)
            _ = await open.wait(after: 0)
            if Task.isCancelled { throw Problem(.internalServerError, code: "ended") }
            return .text("waited")
        }
        return router
    }

    @Test("NFR-03: a connection that exists has the new limits and times from its next request on", arguments: [1, 2])
    func runningConnection(loops: Int) async throws {
        try await LiveServer.with(Self.router(), loops: loops) { live in
            let raw = try await live.connect()
            try await raw.send("GET /hello \(Self.head)\r\n")
            #expect(try await raw.receive(until: "\r\n\r\nhello").hasPrefix("HTTP/1.1 200 "))
            var configuration = HTTPServerConfiguration()
            configuration.timeouts.handler = .milliseconds(30)
            configuration.limits.bodyBytesMax = 10
            await live.server.update(configuration)
            try await raw.send("POST /count \(Self.head)Content-Length: 10\r\n\r\n0123456789")
            #expect(try await raw.receive(until: "10 bytes").hasPrefix("HTTP/1.1 200 "))
            let large = try await live.connect()
            try await large.send("POST /count \(Self.head)Content-Length: 11\r\n\r\n0123456789a")
            #expect(try await large.receiveAll().hasPrefix("HTTP/1.1 413 "))
            configuration.limits.requestLineBytesMax = 30
            await live.server.update(configuration)
            try await raw.send("GET /wait \(Self.head)\r\n")
            #expect(try await raw.receiveAll().hasPrefix("HTTP/1.1 503 "))
            let long = try await live.connect()
            try await long.send("GET /hello?\(String(repeating: "a", count: 30)) \(Self.head)\r\n")
            #expect(try await long.receiveAll().hasPrefix("HTTP/1.1 414 "))
        }
    }

    @Test(
        "NFR-03: numbers of connections and of requests grow and shrink; what goes beyond a lower one stays to its end")
    func numbers() async throws {
        let (open, begun) = (EventCounter(), Notes<Int>())
        var few = HTTPServerConfiguration()
        (few.connectionsMax, few.requestsInFlightMax) = (2, 1)
        try await LiveServer.with(Self.router(waitFor: open, begun), few) { [few] live in
            let first = try await live.connect()
            try await first.send("GET /wait \(Self.head)Connection: close\r\n\r\n")
            _ = await begun.wait(for: 1)
            let second = try await live.connect()
            try await second.send("GET /hello \(Self.head)\r\n")
            #expect(try await second.receive(until: "overloaded").hasPrefix("HTTP/1.1 503 "))
            let refused = try await live.connect()
            #expect(try await refused.receiveAll().hasPrefix("HTTP/1.1 503 "))
            await live.server.update(HTTPServerConfiguration())
            try await second.send("GET /hello \(Self.head)\r\n")
            #expect(try await second.receive(until: "hello").hasPrefix("HTTP/1.1 200 "))
            let third = try await live.connect()
            try await third.send("GET /hello \(Self.head)\r\n")
            #expect(try await third.receive(until: "hello").hasPrefix("HTTP/1.1 200 "))
            await live.server.update(few)
            let again = try await live.connect()
            #expect(try await again.receiveAll().hasPrefix("HTTP/1.1 503 "))
            open.raise()
            #expect(try await first.receiveAll().hasSuffix("waited"))
            try await third.send("GET /hello \(Self.head)\r\n")
            #expect(try await third.receive(until: "hello").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("NFR-03: shares of networks and the memory for bodies change, and what is held is counted on")
    func shares() throws {
        let shares = NetworkShares(max: 2)
        #expect(shares.enter([1]) && shares.enter([1]))
        shares.update(max: 1)
        #expect(!shares.enter([1]) && shares.enter([2]))
        shares.leave([1])
        #expect(!shares.enter([1]))
        shares.leave([1])
        #expect(shares.enter([1]))
        var configuration = HTTPServerConfiguration()
        configuration.bufferedBodyBytesMax = 100
        let memory = BodyMemory(configuration)
        let (account, network) = (BodyMemory.Holder.account(.random()), BodyMemory.Holder.network([1]))
        #expect(memory.reserve(100, for: [account, network]) == .reserved)
        #expect(memory.reserve(1, for: []) == .full)
        configuration.bufferedBodyBytesMax = 200
        configuration.bufferedBodyBytesPerAccountMax = 110
        configuration.bufferedBodyBytesPerNetworkMax = 120
        memory.update(configuration)
        #expect(memory.reserve(11, for: [account]) == .shareTaken)
        #expect(memory.reserve(21, for: [network]) == .shareTaken)
        #expect(memory.reserve(20, for: [network]) == .reserved)
        configuration.bufferedBodyBytesMax = 50
        memory.update(configuration)
        #expect(memory.reserve(1, for: []) == .full)
        memory.release(100, for: [account, network])
        #expect(memory.reserve(30, for: []) == .reserved)
        #expect(memory.reserve(1, for: []) == .full)
    }

    @Test("NFR-03: new connections have the new trusted proxies")
    func proxies() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.requestsPerNetworkMax = 1
        let (open, begun) = (EventCounter(), Notes<Int>())
        try await LiveServer.with(Self.router(waitFor: open, begun), configuration) { [configuration] live in
            func ask(_ path: String) async throws -> RawConnection {
                let raw = try await live.connect()
                try await raw.send(
                    "GET \(path) \(Self.head)X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n")
                return raw
            }
            var behindProxy = configuration
            behindProxy.trustedProxies.ranges = [try #require(AddressRange("127.0.0.1"))]
            await live.server.update(behindProxy)
            let first = try await ask("/wait")
            _ = await begun.wait(for: 1)
            #expect(try await ask("/hello").receiveAll().hasPrefix("HTTP/1.1 429 "))
            await live.server.update(configuration)
            #expect(try await ask("/hello").receiveAll().hasSuffix("hello"))
            open.raise()
            #expect(try await first.receiveAll().hasSuffix("waited"))
        }
    }
}
