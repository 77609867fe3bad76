import Reactor
import Testing

@testable import HTTP

@Suite struct ServerSentEventsTests {
    private func text(_ data: String, event: String? = nil, id: String? = nil) -> String {
        var output: [UInt8] = []
        ServerSentEvents.write(Array(data.utf8), event: event, id: id, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test("SUB-02: the text of events, one data line per line, nothing smuggled in")
    func format() {
        #expect(text("a") == "data: a\n\n")
        #expect(
            text("a\nb\r\nc\rd", event: "move", id: "7") == "event: move\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n"
        )
        #expect(text("", event: "x\ndata: evil", id: "1\r\n2") == "event: xdata: evil\nid: 12\ndata: \n\n")
    }

    @Test("SUB-02: what is written is read back, however it is split")
    func roundTrip() throws {
        var octets = Array("\u{feff}: comment\nretry: 10\n\n".utf8)
        ServerSentEvents.write(Array("first\nline".utf8), event: "e", id: "1", into: &octets)
        octets += Array("data\r\r\ndata:x\r\nid\r\n\r\n".utf8)
        ServerSentEvents.write(Array("last".utf8), event: nil, id: nil, into: &octets)
        let expected: [ServerSentEventParser.Event] = [
            .init(name: "e", data: "first\nline", id: "1"), .init(name: "message", data: "", id: "1"),
            .init(name: "message", data: "x", id: ""), .init(name: "message", data: "last", id: ""),
        ]
        for cut in 0...octets.count {
            var parser = ServerSentEventParser()
            let events = try parser.events(in: Array(octets[..<cut])) + parser.events(in: Array(octets[cut...]))
            #expect(events == expected, "split at \(cut)")
        }
    }

    @Test("SUB-02 RUN-09: live events, from the last one that was seen, until the client goes away")
    func live() async throws {
        let ends = Notes<String>()
        var router = HTTPRouter()
        router.on(.get, "/events") { _ throws(Problem) in
            .events { events in
                let start = (events.lastEventID.flatMap(Int.init) ?? 0) + 1
                for number in start...start + 2 { try events.send("number \(number)", event: "n", id: "\(number)") }
                await events.waitUntilEnd()
                ends.add("ended \(events.isEnded)")
            }
        }
        try await LiveServer.with(router) { live in
            let request = HTTPClientRequest(.get, try live.url("/events"), fields: ["Last-Event-ID": "4"])
            let ids = try await live.client().stream(request, deadline: .after(.seconds(5))) {
                (head, chunks) throws(HTTPClientError) in
                guard head.fields["content-type"] == "text/event-stream" else { throw .malformedResponse("type") }
                var parser = ServerSentEventParser()
                var ids: [String?] = []
                while ids.count < 3, let chunk = try await chunks.next() {
                    ids += try parser.events(in: chunk).map(\.id)
                }
                return ids
            }
            #expect(ids == ["5", "6", "7"])
            #expect(await ends.wait(for: 1) == ["ended true"])
        }
    }

    @Test("RUN-09: events that a handler writes itself end in silence, as soon as the client goes")
    func liveEnd() async throws {
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

    @Test("SUB-02: heartbeats in silence; a stopping server ends the stream in order")
    func heartbeatAndStop() async throws {
        var router = HTTPRouter()
        router.on(.get, "/events") { _ throws(Problem) in
            .events(limits: .init(heartbeat: .milliseconds(10))) { events in
                try events.send("begin")
                await events.waitUntilEnd()
            }
        }
        try await LiveServer.with(router) { live in
            let raw = try await live.connect()
            try await raw.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await raw.receive(until: "3\r\n:\n\n\r\n")
            let stopped = live.loops.loops[0].task { await live.server.shutdown(grace: .seconds(5)) }
            #expect(try await raw.receiveAll().hasSuffix("0\r\n\r\n"))
            await stopped.value
        }
    }

    @Test("NFR-03: a client that does not keep up with events is cut off")
    func slowConsumer() async throws {
        let ends = Notes<IOError>()
        var router = HTTPRouter()
        router.on(.get, "/flood") { _ throws(Problem) in
            .events(limits: .init(pendingBytesMax: 64 * 1024)) { events in
                let data = String(repeating: "x", count: 32 * 1024)
                do throws(IOError) {
                    while true {
                        try events.send(data)
                        try await EventLoop.current?.sleep(for: .microseconds(10))
                    }
                } catch { ends.add(error) }
            }
        }
        try await LiveServer.with(router) { live in
            let raw = try await live.connect()
            try await raw.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
            let seen = await ends.wait(for: 1)
            guard case .limit = seen.first else {
                Issue.record("ended by \(seen)")
                return
            }
            do throws(IOError) { _ = try await raw.receiveAll() } catch { #expect(error != .timedOut) }
        }
    }
}
