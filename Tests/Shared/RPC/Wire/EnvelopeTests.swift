import JSON
import Telemetry
import Testing

@testable import RPC

@Suite struct EnvelopeTests {
    private func request(_ text: String) throws -> RequestEnvelope {
        let frame = try ParsedFrame(Array(text.utf8), limits: JSONLimits())
        return try RequestEnvelope(frame.scanner.root, in: frame)
    }

    private func response(_ text: String) throws -> ResponseEnvelope {
        try ResponseEnvelope(try ParsedFrame(Array(text.utf8), limits: JSONLimits()))
    }

    @Test("a request that was written reads back, with its deadline and trace")
    func roundTrip() throws {
        let trace = TraceContext.root(isSampled: true)
        var line: [UInt8] = []
        RequestEnvelope.write(
            id: 7, method: "accounts.resolve", params: Array("[1]".utf8), deadlineMilliseconds: 2990, trace: trace,
            to: &line)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count <= RequestEnvelope.overheadBytesMax + 3 + 16)
        let read = try request(String(decoding: line, as: UTF8.self))
        #expect(read.id == .integer(7))
        #expect(read.method == "accounts.resolve")
        #expect(read.deadlineMilliseconds == 2990)
        #expect(read.trace == trace)
    }

    @Test(
        "identifiers are repeated as they were written",
        arguments: ["7", "-3", "0", "-0", "1.50", "1e2", "\"a\\u0041\"", "null", "12345678901234567890123"])
    func identifiers(text: String) throws {
        let id = try #require(try request("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\": \(text) }").id)
        var written: [UInt8] = []
        id.write(to: &written)
        #expect(String(decoding: written, as: UTF8.self) == text)
    }

    @Test(
        "what is JSON but no request is refused, with its identifier where there is a usable one",
        arguments: [
            ("1", RequestID.null), ("{}", .null), (#"{"jsonrpc":"1.0","method":"m","id":4}"#, .integer(4)),
            (#"{"jsonrpc":"2.0","id":4}"#, .integer(4)), (#"{"jsonrpc":"2.0","method":"m","id":{}}"#, .null),
            (#"{"jsonrpc":"2.0","method":"m","id":true}"#, .null),
            (#"{"jsonrpc":"2.0","method":7,"id":"x"}"#, .verbatim(Array("\"x\"".utf8))),
            (#"{"jsonrpc":"2.0","method":"m","params":3,"id":4}"#, .integer(4)),
        ])
    func refusals(text: String, id: RequestID) throws {
        do {
            _ = try request(text)
            Issue.record("accepted: \(text)")
        } catch let refusal as RequestEnvelope.Refusal {
            #expect(refusal.id == id)
            #expect(refusal.error.code == .invalidRequest)
        }
    }

    @Test("escapes in a method's name are understood, and unusable meta is left out")
    func leniency() throws {
        let read = try request(
            #"{"id":1,"meta":{"deadline_ms":"soon","traceparent":5,"new":{}},"method":"a\u002eb","jsonrpc":"2.0"}"#)
        #expect(read.method == "a.b")
        #expect(read.deadlineMilliseconds == nil)
        #expect(read.trace == nil)
    }

    @Test("every error code crosses the wire, with domain and retryable", arguments: RPCError.Code.allCases)
    func errors(code: RPCError.Code) throws {
        let error = RPCError(code, "Why \"not\"\n", domain: "feed.gone", isRetryable: code != .overloaded)
        var line: [UInt8] = []
        ResponseEnvelope.write(id: .integer(9), .failure(error), bytesMax: 1000, to: &line)
        guard case .error(let id, let read) = try response(String(decoding: line, as: UTF8.self)) else {
            Issue.record("not an error")
            return
        }
        #expect(id == 9)
        #expect(read == error)
        #expect(RPCError.Code(number: code.number) == code)
    }

    @Test("an error code of a later version reads as internal and keeps its message")
    func unknownCode() throws {
        guard case .error(_, let error) = try response(#"{"id":1,"error":{"code":-32050,"message":"New"}}"#) else {
            Issue.record("not an error")
            return
        }
        #expect(error == RPCError(.internal, "New"))
    }

    @Test("an answer that is too large becomes an error of the same call")
    func tooLarge() throws {
        var line: [UInt8] = []
        let result = [UInt8](repeating: UInt8(ascii: "1"), count: 100)
        ResponseEnvelope.write(id: .integer(9), .success(result), bytesMax: 120, to: &line)
        guard case .error(9, let error) = try response(String(decoding: line, as: UTF8.self)) else {
            Issue.record("not an error")
            return
        }
        #expect(error.code == .internal)
    }

    @Test(
        "what no server answers is malformed",
        arguments: [
            "[]", "{}", #"{"id":1}"#, #"{"result":1}"#, #"{"id":1,"result":1,"error":{"code":1,"message":""}}"#,
            #"{"id":1,"error":"no"}"#, #"{"id":"x","result":1}"#,
        ])
    func malformed(text: String) throws {
        #expect(throws: ResponseEnvelope.Malformed.self) { try response(text) }
    }
}
