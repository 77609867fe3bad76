import JSON
import Telemetry

/// One JSON-RPC 2.0 request or notification, as it arrives, and the `meta` member that this project adds: the caller's
/// remaining time and the trace.
struct RequestEnvelope {
    /// `nil` for a notification, which gets no answer.
    let id: RequestID?
    let method: String
    let params: ParsedFrame.Value?
    let deadlineMilliseconds: Int64?
    let trace: TraceContext?

    /// What a JSON text was that is not a request: answered with `error` and `id`.
    struct Refusal: Error, Equatable {
        let id: RequestID
        let error: RPCError

        init(_ id: RequestID?, _ message: String) {
            self.id = id ?? .null
            error = RPCError(.invalidRequest, "Invalid Request: \(message)")
        }
    }

    init(_ object: ParsedFrame.Value, in frame: ParsedFrame) throws(Refusal) {
        // Members are asked for in the order in which this project's clients write them, which is quickest.
        let version = frame.scanner.member("jsonrpc", of: object)
        let idValue = frame.scanner.member("id", of: object)
        let id = idValue.flatMap { RequestID(json: frame.text($0)) }
        guard let version, frame.plainString(version)?.elementsEqual("2.0".utf8) == true else {
            throw Refusal(id, "the member jsonrpc must be \"2.0\"")
        }
        guard (id == nil) == (idValue == nil) else {
            throw Refusal(nil, "the id must be a string, a number or null")
        }
        guard let method = frame.scanner.member("method", of: object).flatMap(frame.string) else {
            throw Refusal(id, "the method must be a string")
        }
        let meta = frame.scanner.member("meta", of: object)
        let params = frame.scanner.member("params", of: object)
        if let params, !frame.isObject(params), !frame.isArray(params) {
            throw Refusal(id, "the params must be an object or an array")
        }
        self.id = id
        self.method = method
        self.params = params
        // The member is an extension and may grow: what is not understood is left out.
        deadlineMilliseconds = meta.flatMap { frame.scanner.member("deadline_ms", of: $0) }
            .flatMap { RequestID.integer(frame.text($0)) }
        trace = meta.flatMap { Self.trace($0, in: frame) }
    }

    private static func trace(_ meta: ParsedFrame.Value, in frame: ParsedFrame) -> TraceContext? {
        let found = frame.scanner.member("traceparent", of: meta)
            .flatMap(frame.plainString).flatMap { TraceContext(traceparent: $0) }
        guard let found, let state = frame.scanner.member("tracestate", of: meta).flatMap(frame.string) else {
            return found
        }
        return found.with(tracestate: state)
    }

    /// Appends a request as one line. `params` is JSON; `method` needs no escapes.
    static func write(
        id: Int64, method: String, params: [UInt8], deadlineMilliseconds: Int64, trace: TraceContext,
        to output: inout [UInt8]
    ) {
        output.appendText("{\"jsonrpc\":\"2.0\",\"id\":")
        JSONWriter.integer(id, into: &output)
        output.appendText(",\"method\":\"")
        output.append(contentsOf: method.utf8)
        output.appendText("\",\"meta\":{\"deadline_ms\":")
        JSONWriter.integer(deadlineMilliseconds, into: &output)
        output.appendText(",\"traceparent\":\"")
        trace.write(to: &output)
        output.append(UInt8(ascii: "\""))
        if !trace.state.isEmpty {
            output.appendText(",\"tracestate\":")
            JSONWriter.string(trace.state, into: &output)
        }
        output.appendText("},\"params\":")
        output.append(contentsOf: params)
        output.appendText("}\n")
    }

    /// What such a request has beside its parameters, at most, without the method's name.
    static let overheadBytesMax = 192
    /// A `tracestate` beside that, each of its characters escaped.
    static func stateBytesMax(_ trace: TraceContext) -> Int {
        trace.state.isEmpty ? 0 : 16 + trace.state.utf8.count * 2
    }
}
