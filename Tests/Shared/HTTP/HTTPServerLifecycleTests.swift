import Reactor
import Testing

@testable import HTTP

@Suite struct HTTPServerLifecycleTests {
    @Test("NFR-03: a handler is cancelled at its deadline and the client gets 503")
    func deadline() async throws {
        var router = HTTPRouter()
        router.on(.get, "/slow", deadline: .milliseconds(40)) { request throws(Problem) in
            do throws(IOError) { try await EventLoop.current?.sleep(for: .seconds(60)) } catch {
                throw Problem(
                    .internalServerError, code: "ended", detail: "ended by \(error), \(request.deadline.remaining)")
            }
            return .text("slept")
        }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.handler = .milliseconds(100)
        try await LiveServer.with(router, configuration) { live in
            let response = try await live.client().send(.init(.get, live.url("/slow")), deadline: .after(.seconds(5)))
            #expect(response.status == .serviceUnavailable)
            #expect(response.text.contains("deadline-exceeded"))
            #expect(response.fields["connection"] == "close")
        }
    }

    @Test("NFR-04: what a handler completes after its deadline is answered, not called a failure; a refusal likewise")
    func lateSuccess() async throws {
        @Sendable func late() async {
            do throws(IOError) { try await EventLoop.current?.sleep(for: .seconds(60)) } catch {}
        }
        var router = HTTPRouter()
        let time = Duration.milliseconds(20)
        let text = String(repeating: "a", count: 4 << 20)
        router.on(.post, "/short", deadline: time) { _ throws(Problem) in
            await late()
            return .text("made", status: .created)
        }
        router.on(.post, "/long", deadline: time) { _ throws(Problem) in
            await late()
            return .text(text, status: .created)
        }
        router.on(.post, "/refused", deadline: time) { _ throws(Problem) in
            await late()
            throw Problem(.conflict, code: "taken")
        }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.handler = .milliseconds(100)
        try await LiveServer.with(router, configuration) { live in
            for (path, status, body) in [("short", 201, "made"), ("long", 201, text), ("refused", 409, "")] {
                let raw = try await live.connect()
                try await raw.send("POST /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try await raw.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
                #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix(body), "\(path)")
            }
        }
    }

    @Test("a handler that does not heed its cancellation loses its connection")
    func deafHandler() async throws {
        let open = EventCounter()
        var router = HTTPRouter()
        router.on(.get, "/deaf", deadline: .milliseconds(20)) { _ throws(Problem) in
            // Waits outside the task, so that cancelling it changes nothing.
            await EventLoop.current?.task { _ = await open.wait(after: 0, deadline: .after(.seconds(5))) }.value
            return .noContent
        }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.handler = .milliseconds(100)
        configuration.timeouts.handlerGrace = .milliseconds(20)
        try await LiveServer.with(router, configuration) { live in
            let raw = try await live.connect()
            try await raw.send("GET /deaf HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await raw.receiveAll() == "")
            open.raise()
        }
    }

    @Test("NFR-03: beyond the limits of requests in progress and of connections the answer is 503")
    func overload() async throws {
        let open = EventCounter()
        let begun = Notes<Int>()
        var router = HTTPRouter()
        router.on(.get, "/wait") { _ throws(Problem) in
            begun.add(1)
            _ = await open.wait(after: 0)
            return .text("waited")
        }
        var configuration = HTTPServerConfiguration()
        configuration.requestsInFlightMax = 1
        configuration.connectionsMax = 2
        try await LiveServer.with(router, configuration) { live in
            let first = try await live.connect()
            try await first.send("GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = await begun.wait(for: 1)
            let second = try await live.connect()
            try await second.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            let busy = try await second.receive(until: "overloaded")
            #expect(busy.hasPrefix("HTTP/1.1 503 ") && busy.contains("Retry-After: 1\r\n"))
            let third = try await live.connect()
            #expect(try await third.receiveAll().hasPrefix("HTTP/1.1 503 "))
            open.raise()
            #expect(try await first.receiveAll().hasSuffix("waited"))
        }
    }

    @Test("NFR-03: a stopping server finishes what is in progress, says close, and takes no more")
    func shutdown() async throws {
        let open = EventCounter()
        let begun = Notes<Int>()
        var router = HTTPRouter()
        router.on(.get, "/wait") { _ throws(Problem) in
            begun.add(1)
            _ = await open.wait(after: 0)
            return .text("waited")
        }
        router.on(.get, "/now") { _ throws(Problem) in .text("now") }
        try await LiveServer.with(router) { live in
            let idle = try await live.connect()
            try await idle.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await idle.receive(until: "\r\n\r\nnow")
            let busy = try await live.connect()
            try await busy.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await begun.wait(for: 1)
            let stopped = live.loops.loops[0].task { await live.server.shutdown(grace: .seconds(5)) }
            #expect(try await idle.receiveAll() == "")
            open.raise()
            let answer = try await busy.receiveAll()
            #expect(answer.hasSuffix("waited") && answer.contains("Connection: close\r\n"))
            await stopped.value
            #expect(live.server.connectionCount == 0)
            await #expect(throws: IOError.self) { try await live.connect() }
        }
    }

    @Test("a stopping server cancels what does not finish in time")
    func shutdownWithoutPatience() async throws {
        let begun = Notes<Int>()
        var router = HTTPRouter()
        router.on(.get, "/wait") { _ throws(Problem) in
            begun.add(1)
            _ = await EventCounter().wait(after: 0)
            return .text("cancelled: \(Task.isCancelled)")
        }
        try await LiveServer.with(router) { live in
            let busy = try await live.connect()
            try await busy.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await begun.wait(for: 1)
            await live.server.shutdown(grace: .milliseconds(10))
            #expect(try await busy.receiveAll().hasSuffix("cancelled: true"))
        }
    }
}
