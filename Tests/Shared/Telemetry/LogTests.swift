import JSON
import Primitives
import Telemetry
import Testing

@Suite struct LogTests {
    private let sink = MemoryLogSink()

    private func log(_ level: LogLevel = .info) -> Log {
        Log(service: "accounts", level: level, sink: sink, clock: FixedClock())
    }

    @Test("a line is one JSON object with time, level, service, message and fields")
    func line() {
        log().info(
            "ready", ["port": .integer(8101), "ratio": .number(0.5), "text": .string("a\"b\nc"), "on": .bool(true)])
        #expect(
            sink.lines == [
                #"{"time":"2026-01-01T00:00:00Z","level":"info","service":"accounts","message":"ready","#
                    + #""fields":{"port":8101,"ratio":0.5,"text":"a\"b\nc","on":true}}"#
            ])
    }

    @Test("a line carries the trace of the request it was written in")
    func trace() throws {
        let trace = try #require(
            TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".utf8))
        RequestScope.$current.withValue(RequestScope(deadlineNanoseconds: .max, trace: trace)) { log().warning("slow") }
        #expect(sink.lines.first?.contains(#""trace":"0af7651916cd43dd8448eb211c80319c""#) == true)
    }

    @Test("the level changes while the process runs, for all copies")
    func changedLevel() {
        let log = log(.warning)
        let copy = log
        copy.info("unseen")
        log.level = .info
        copy.info("seen")
        #expect(sink.count(of: "seen") == 1 && !sink.has("unseen"))
    }

    @Test("what is below the level costs nothing: fields are not even made")
    func disabled() {
        var made = 0
        func fields() -> JSONObject {
            made += 1
            return [:]
        }
        log(.warning).info("unseen", fields())
        log(.warning).warning("seen", fields())
        #expect(made == 1)
        #expect(sink.lines.count == 1)
    }

    @Test("NFR-06: fields with the names of personal data are blanked")
    func redaction() {
        log().info("x", ["email": .string("ada@example.org"), "account": .string("7")])
        #expect(sink.lines.first?.contains("ada") == false)
        #expect(sink.lines.first?.contains(#""email":"[redacted]","account":"7""#) == true)
    }

    @Test("a line is never longer than a pipe takes in one piece")
    func bounded() {
        log().info("long", ["text": .string(String(repeating: "é", count: 5000))])
        let many = Array(repeating: JSONValue.string(String(repeating: "x", count: 100)), count: 100)
        log().info("longer", ["texts": .array(many)])
        #expect(sink.lines.allSatisfy { $0.utf8.count < Log.lineBytesMax })
        #expect(sink.lines.last?.contains(#""left_out":1"#) == true)
    }
}

/// Stands still.
private struct FixedClock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_767_225_600_000) }
}
