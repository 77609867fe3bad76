import JSON
import Reactor
import ReactorTesting
import Testing

@testable import HTTP

@Suite struct ServerSentEventsTests {
    private func text(_ name: String, id: String, data: String) -> String {
        String(decoding: ServerSentEvent.encode(name, id: id, data: Array(data.utf8)), as: UTF8.self)
    }

    @Test("SUB-02: the text of events, one data line per line, nothing smuggled in")
    func format() {
        #expect(text("n", id: "1", data: "a") == "event: n\nid: 1\ndata: a\n\n")
        #expect(
            text("move", id: "7", data: "a\nb\r\nc\rd\n")
                == "event: move\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
        #expect(text("x\ndata: evil", id: "1\r\n2\0", data: "") == "event: xdata: evil\nid: 12\ndata: \n\n")
        #expect(ServerSentEvent.retry(after: .seconds(2)) == Array("retry: 2000\n\n".utf8))
        #expect(ServerSentEvent.place("a\nb") == Array("id: ab\n\n".utf8))
    }

    @Test("SUB-02: what is written is read back, however it is split")
    func roundTrip() throws {
        var octets =
            Array("\u{feff}".utf8) + ServerSentEvent.heartbeat + ServerSentEvent.still
            + ServerSentEvent.retry(after: .seconds(1))
        octets += ServerSentEvent.encode("e", id: "1", data: Array("first\nline".utf8))
        octets += Array("data\r\r\ndata:x\r\nid\r\n\r\n".utf8)
        octets += ServerSentEvent.encode("", id: "2", data: Array("last".utf8))
        let expected: [ServerSentEventParser.Event] = [
            .init(name: "still", data: "{}", id: nil), .init(name: "e", data: "first\nline", id: "1"),
            .init(name: "message", data: "", id: "1"),
            .init(name: "message", data: "x", id: ""), .init(name: "message", data: "last", id: "2"),
        ]
        for cut in 0...octets.count {
            var parser = ServerSentEventParser()
            let events = try parser.events(in: Array(octets[..<cut])) + parser.events(in: Array(octets[cut...]))
            #expect(events == expected, "split at \(cut)")
        }
    }

    @Test("SUB-02 RUN-09: events end in silence, as soon as the client goes")
    func clientGoes() async throws {
        let ends = Notes<Bool>()
        var router = HTTPRouter()
        router.on(.get, "/live") { _ throws(Problem) in
            .live { writer in
                try await writer.write("data: a\n\n")
                try await writer.flush()
                try? await EventLoop.current?.sleep(for: .seconds(60))
                ends.add(Task.isCancelled)
            }
        }
        try await LiveServer.with(router) { live in
            let raw = try await live.connect()
            try await raw.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try await raw.receive(until: "data: a\n\n")
            #expect(head.contains("Connection: close\r\n") && head.contains("text/event-stream"))
            raw.stream.close()
            #expect(await ends.wait(for: 1) == [true])
        }
    }

    @Test("SUB-02: a stream is in the access log once, when it has ended or its client has gone")
    func logged() async throws {
        let log = AccessLog()
        var router = HTTPRouter()
        router.on(.get, "/short") { _ throws(Problem) in .live { writer in try await writer.write("data: a\n\n") } }
        router.on(.get, "/long") { _ throws(Problem) in
            .live { writer in
                try await writer.write("data: b\n\n")
                try await writer.flush()
                try await EventLoop.current?.sleep(for: .patience)
            }
        }
        try await LiveServer.with(router, observer: log.observer) { live in
            let (short, long) = (try await live.connect(), try await live.connect())
            try await short.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await short.receiveAll().hasSuffix("data: a\n\n\r\n0\r\n\r\n"))
            try await long.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await long.receive(until: "data: b\n\n")
            long.stream.close()
            let seen = await log.wait(for: 2)
            #expect(seen.map { $0["route"] } == [.string("/short"), .string("/long")])
            #expect(seen.map { $0["broken_off"] } == [.bool(false), .bool(true)])
            #expect(seen.allSatisfy { $0["response_bytes"] == .integer(9) })
        }
    }

    @Test("SUB-02: a stream that ends while its request's body is still being sent reaches its client whole")
    func unreadBody() async throws {
        var router = HTTPRouter()
        router.on(.post, "/live", body: .streaming(bytesMax: 8 << 20)) { _ throws(Problem) in
            .live { writer in try await writer.write("data: a\n\n") }
        }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.linger = .patience
        try await LiveServer.with(router, configuration) { live in
            let raw = try await live.connect()
            try await raw.send("POST /live HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n")
            // The end, and the connection takes what is sent until the client ends its side.
            #expect(try await raw.receiveAll().hasSuffix("data: a\n\n\r\n0\r\n\r\n"))
            try await raw.send(String(repeating: "x", count: 20_000))
            #expect(live.server.connectionCount == 1)
            raw.stream.close()
        }
    }

    /// A stream that goes on until its server stops, and a long poll that is answered then.
    private static func waiting(_ begun: Notes<String>) -> HTTPRouter {
        @Sendable func wait(_ request: HTTPRequest) async {
            let news = EventCounter()
            begun.add(request.path)
            await request.serverEnd.calling {
                news.raise()
            } during: {
                _ = await news.wait(after: 0)
            }
        }
        var router = HTTPRouter()
        router.on(.get, "/live") { request throws(Problem) in
            .live { writer in
                try await writer.write(ServerSentEvent.still)
                try await writer.flush()
                await wait(request)
                try await writer.write(ServerSentEvent.encode("last", id: "1", data: []))
            }
        }
        router.on(.get, "/poll", deadline: .seconds(60)) { request throws(Problem) in
            await wait(request)
            return .text("nothing new")
        }
        return router
    }

    @Test("NFR-03 SUB-02 RUN-09: a stopping server ends streams of events and long polls in order, at once")
    func stop() async throws {
        let begun = Notes<String>()
        try await LiveServer.with(Self.waiting(begun)) { live in
            let (stream, poll) = (try await live.connect(), try await live.connect())
            try await stream.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await stream.receive(until: "event: still\ndata: {}\n\n\r\n")
            try await poll.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await begun.wait(for: 2)
            let began = Deadline.now()
            let stopped = live.loops.loops[0].task { await live.server.shutdown(grace: .seconds(60)) }
            #expect(try await stream.receiveAll().hasSuffix("event: last\nid: 1\ndata: \n\n\r\n0\r\n\r\n"))
            #expect(try await poll.receiveAll().hasSuffix("nothing new"))
            await stopped.value
            #expect(Deadline.now().since(began) < .seconds(10))
        }
    }

    @Test("NFR-03: what begins to wait while its server stops already waits for nothing")
    func stopped() async throws {
        let end = HTTPServerEnd()
        let notes = Notes<String>()
        await end.calling {
            notes.add("first")
        } during: {
        }
        await end.calling {
            notes.add("second")
        } during: {
            end.reach()
        }
        #expect(end.isReached)
        await end.calling {
            notes.add("third")
        } during: {
            notes.add("body")
        }
        end.reach()
        #expect(notes.all == ["second", "third", "body"])
    }
}
