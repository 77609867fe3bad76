import JSON
import Telemetry

/// A request to send.
public struct HTTPClientRequest: Sendable {
    public var method: HTTPMethod
    public var url: HTTPURL
    public var fields: HTTPFields
    public var body: [UInt8]
    /// Whether it may be sent again on a new connection when a kept one turns out to be dead: methods that are
    /// idempotent by definition, and calls that carry an id of their own.
    public var isRepeatable: Bool
    /// Called once all of it is written, before the answer: on the client's loop. It is not sent again then, whatever `isRepeatable`.
    public var whenSent: (@Sendable () -> Void)?

    public init(_ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        isRepeatable = method.isIdempotent
    }

    /// With `value` as a JSON body. Errors: `invalidRequest` when it cannot be written as JSON.
    public static func json(
        _ method: HTTPMethod, _ url: HTTPURL, fields: HTTPFields = [:], _ value: some Encodable
    ) throws(HTTPClientError) -> HTTPClientRequest {
        do throws(JSONError) {
            var request = HTTPClientRequest(method, url, fields: fields, body: try JSONEncoder().encode(value))
            request.fields["Content-Type"] = MediaType.json.description
            return request
        } catch { throw .invalidRequest(error.description) }
    }

    /// The whole message, with the trace that it belongs to.
    func serialised(_ trace: TraceContext?) throws(HTTPClientError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512 + body.count)
        output.append("\(method) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n")
        for field in fields.entries {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Octets.isToken),
                field.value.utf8.allSatisfy(Octets.isFieldValue),
                !["host", "content-length", "transfer-encoding", "connection"].contains(where: {
                    HTTPFields.same($0, field.name)
                })
            else { throw .invalidRequest("the field \(field.name) cannot be sent") }
            output.append(fieldName: field.name, value: field.value)
        }
        if let trace, !fields.contains("traceparent") {
            output.append("traceparent: ")
            trace.write(to: &output)
            output.append("\r\n")
            if !trace.state.isEmpty { output.append(fieldName: "tracestate", value: trace.state) }
        }
        if !body.isEmpty || method == .post || method == .put || method == .patch {
            output.append("Content-Length: \(body.count)\r\n")
        }
        output.append("\r\n")
        output.append(contentsOf: body)
        return output
    }
}

/// An answer, read in full.
public struct HTTPClientResponse: Sendable {
    public let status: HTTPStatus
    public let fields: HTTPFields
    public let body: [UInt8]

    /// The body as JSON. Errors: `malformedResponse`.
    public func json<T: Decodable>(_ type: T.Type = T.self) throws(HTTPClientError) -> T {
        do throws(JSONError) {
            return try JSONDecoder().decode(T.self, from: body)
        } catch { throw .malformedResponse(error.description) }
    }

    public var text: String { String(decoding: body, as: UTF8.self) }
}
