import Glibc
import JSON
import Feed
import Postgres
import Primitives
import RPC
import Reactor
@testable import Service
import ServiceTesting
import Testing

@Suite struct LogTests {
    private let sink = MemoryLogSink()

    private func log(_ level: LogLevel = .info) -> Log {
        Log(service: "accounts", level: level, sink: sink, clock: TestClock())
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
        RequestScope.$current.withValue(RequestScope(deadline: .never, trace: trace)) { log().warning("slow") }
        #expect(sink.lines.first?.contains(#""trace":"0af7651916cd43dd8448eb211c80319c""#) == true)
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

    @Test("NFR-06: of a failed statement the log has the kind and the constraint, never the row")
    func databaseErrors() throws {
        var failure = ServerError(sqlState: .uniqueViolation, message: "duplicate key", constraint: "account_email_key")
        failure.detail = "Key (email)=(ada@example.org) already exists."
        let record = FeedRecord(
            lane: 3, position: 77, entity: .random(), version: 1, kind: "changed",
            payload: try JSONRaw(encoding: ["email": "ada@example.org"]), recordedAt: .now())
        log().report(.parked(feed: "accounts.changes", record: record, error: PostgresError.server(failure)))
        log().report(.applyFailed(feed: "accounts.changes", error: PostgresError.server(failure)))
        RPCMetrics(Metrics(), log: log()).record(
            .handlerFailed(method: "accounts.find", caller: "query", trace: .root(), PostgresError.server(failure)))
        #expect(sink.lines.count == 3)
        for line in sink.lines {
            #expect(!line.contains("ada"))
            #expect(line.contains("account_email_key") || line.contains("23505"), "\(line)")
        }
        #expect(sink.lines.first?.contains(#""feed_position":77"#) == true)
    }

    @Test("a line is never longer than a pipe takes in one piece")
    func bounded() {
        log().info("long", ["text": .string(String(repeating: "é", count: 5000))])
        let many = Array(repeating: JSONValue.string(String(repeating: "x", count: 100)), count: 100)
        log().info("longer", ["texts": .array(many)])
        #expect(sink.lines.allSatisfy { $0.utf8.count < Log.lineBytesMax })
        #expect(sink.lines.last?.contains(#""left_out":1"#) == true)
    }

    @Test("a pipe that nobody reads drops lines, and says how many once it is read again")
    func fullPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let sink = DescriptorLogSink(descriptor: ends[1])
        let line = Array(repeating: UInt8(ascii: "x"), count: 4000) + [UInt8(ascii: "\n")]
        var written = 0
        while sink.droppedCount < 2, written < 1000 {
            sink.write(line)
            written += 1
        }
        #expect(sink.droppedCount == 2)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(ends[0], &buffer, buffer.count) > 0)
        sink.write(Array("again\n".utf8))
        let count = read(ends[0], &buffer, buffer.count)
        try #require(count > 0)
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        #expect(text.contains(#""message":"log lines dropped","count":2"#))
        #expect(text.hasSuffix("again\n"))
    }
}
