public import JSON
import Primitives
public import Telemetry

/// What went wrong, for the client (RFC 9457). Handlers throw it; it tells nothing about the inside.
public struct Problem: Error, Sendable, Equatable {
    /// One thing that is wrong with the request's content.
    public struct FieldError: Sendable, Equatable, Encodable {
        /// JSON pointer (RFC 6901) into the body, as a URI fragment without `#`; or `nil`.
        public var pointer: String?
        /// Name of the query or path parameter; or `nil`.
        public var parameter: String?
        /// As the problem's; the problem's own unless given.
        public var code: String?
        public var detail: String

        public init(pointer: String? = nil, parameter: String? = nil, code: String? = nil, detail: String) {
            self.pointer = pointer
            self.parameter = parameter
            self.code = code
            self.detail = detail
        }
    }

    public var status: HTTPStatus
    /// Stable and for programs: lower-case words with hyphens between them. The `type` is `urn:trackme:problem:` and this.
    public var code: String
    /// A short sentence that is the same for all problems of this code; the status's phrase unless given.
    public var title: String
    /// What happened this time, for people.
    public var detail: String?
    public var errors: [FieldError]
    /// When to try again, sent as `Retry-After` in whole seconds.
    public var retryAfter: Duration?
    /// More header fields, such as `WWW-Authenticate`.
    public var fields: [String: String]
    /// More members, by their names on the wire (RFC 9457 section 3.2): what a client needs to go on.
    public var members: [String: JSONValue] = [:]
    /// The trace by which the log lines of the request are found; set when the response is made.
    private var trace: String?

    public init(
        _ status: HTTPStatus, code: String, title: String? = nil, detail: String? = nil, errors: [FieldError] = [],
        retryAfter: Duration? = nil, fields: [String: String] = [:]
    ) {
        assert(Self.isCode(code), "\(code) is not lower-case words with hyphens between them")
        self.status = status
        self.code = code
        self.title = title ?? status.reason
        self.detail = detail
        self.errors = errors
        self.retryAfter = retryAfter
        self.fields = fields
    }

    private static func isCode(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { octet in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) || octet == UInt8(ascii: "-")
            }
    }

    public static let notFound = Problem(.notFound, code: "not-found")
    /// For everything unexpected; the cause belongs into the log.
    public static let internalError = Problem(.internalServerError, code: "internal-error")
    static let deadlineExceeded = Problem(
        .serviceUnavailable, code: "deadline-exceeded", detail: "the request took too long", retryAfter: .seconds(1))
    static let overloaded = Problem(
        .serviceUnavailable, code: "overloaded", detail: "too many requests are in progress", retryAfter: .seconds(1))

    /// A client has its share of connections, requests in progress, or bytes of bodies.
    static let tooMuchAtOnce = Problem(
        .tooManyRequests, code: "too-much-at-once", detail: "send fewer or smaller requests at the same time",
        retryAfter: .seconds(1))

    /// 401 with the challenge of RFC 6750.
    public static func unauthorized(_ detail: String, code: String = "unauthorized") -> Problem {
        Problem(.unauthorized, code: code, detail: detail, fields: ["WWW-Authenticate": "Bearer"])
    }

    /// 400 for a body that is not JSON or beyond its limits; 422 for JSON of another shape, with a pointer for each fault.
    public init(_ error: JSONError) {
        switch error.kind {
        case .syntax, .limit:
            self.init(.badRequest, code: "invalid-json", detail: error.description)
        case .value, .missing, .unknownKey:
            let faults = [error] + error.others
            let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
            self.init(
                .unprocessableContent, code: "invalid-request", detail: error.description + more,
                errors: faults.map {
                    FieldError(pointer: Self.pointer($0.path), code: Self.code($0.kind), detail: $0.message)
                })
        }
    }

    private static func code(_ kind: JSONError.Kind) -> String {
        switch kind {
        case .missing: "missing"
        case .unknownKey: "unknown-member"
        case .value, .syntax, .limit: "invalid-value"
        }
    }

    init(_ error: HTTPParseError) {
        self.init(
            error.status, code: error.status == .contentTooLarge ? "content-too-large" : "malformed-request",
            detail: error.detail)
    }

    /// `$.samples[3].value` as a JSON pointer: `/samples/3/value`.
    static func pointer(_ path: String) -> String {
        var pointer: [UInt8] = []
        var isQuoted = false
        for octet in path.utf8.dropFirst() {
            switch octet {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case _ where isQuoted:
                if octet == UInt8(ascii: "~") {
                    pointer.append("~0")
                } else if octet == UInt8(ascii: "/") {
                    pointer.append("~1")
                } else {
                    pointer.append(octet)
                }
            case UInt8(ascii: "."), UInt8(ascii: "["): pointer.append(UInt8(ascii: "/"))
            case UInt8(ascii: "]"): break
            default: pointer.append(octet)
            }
        }
        return String(decoding: pointer, as: UTF8.self)
    }
}

extension Problem: Encodable {
    private enum Key: String, CodingKey { case type, title, status, detail, code, errors, trace }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("urn:trackme:problem:\(code)", forKey: .type)
        try container.encode(title, forKey: .title)
        try container.encode(status.rawValue, forKey: .status)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encode(code, forKey: .code)
        let errors = errors.map {
            FieldError(pointer: $0.pointer, parameter: $0.parameter, code: $0.code ?? code, detail: $0.detail)
        }
        if !errors.isEmpty { try container.encode(errors, forKey: .errors) }
        try container.encodeIfPresent(trace, forKey: .trace)
        guard !members.isEmpty else { return }
        var more = encoder.container(keyedBy: MemberName.self)
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            try more.encode(value, forKey: MemberName(stringValue: name))
        }
    }
}

extension Problem {
    /// The response to a request of this trace, which it names.
    public func response(_ trace: TraceContext) -> HTTPResponse {
        var problem = self
        problem.trace = trace.identifier
        return problem.response
    }

    /// The response that carries this problem.
    public var response: HTTPResponse {
        // Strings and numbers always encode; were it not so, the status alone still tells.
        let body = (try? JSONEncoder().encode(self)) ?? []
        var response = HTTPResponse(status, contentType: .problem, body: .bytes(body))
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { response.fields.add(name, value) }
        if let retryAfter {
            response.fields.add("Retry-After", String(max(1, (retryAfter.milliseconds + 999) / 1000)))
        }
        return response
    }
}
