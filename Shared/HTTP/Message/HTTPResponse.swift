import JSON

/// What a handler answers. Framing, date and security fields are the server's business.
public struct HTTPResponse: Sendable {
    /// Writes a body piece by piece; throwing breaks the connection off, so that the client notices.
    public typealias Producer = @Sendable (HTTPBodyWriter) async throws -> Void

    public enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// `count` is the exact number of bytes, when it is known beforehand.
        case stream(count: Int?, Producer)
        /// Server-Sent Events.
        case live(Producer)
    }

    public var status: HTTPStatus
    public var contentType: MediaType?
    /// More fields. What stands here replaces the server's default of the same name; framing fields are ignored.
    public var fields: HTTPFields
    public var body: Body

    public init(
        _ status: HTTPStatus, contentType: MediaType? = nil, fields: HTTPFields = HTTPFields(), body: Body = .empty
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }

    /// `value` as JSON; 500 when it cannot be written as JSON.
    public static func json(_ value: some Encodable, status: HTTPStatus = .ok) throws(Problem) -> HTTPResponse {
        do throws(JSONError) {
            return HTTPResponse(status, contentType: .json, body: .bytes(try JSONEncoder().encode(value)))
        } catch { throw .internalError }
    }

    public static func bytes(_ bytes: [UInt8], as type: MediaType, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, contentType: type, body: .bytes(bytes))
    }

    public static func text(_ text: String, as type: MediaType = .text, status: HTTPStatus = .ok) -> HTTPResponse {
        bytes(Array(text.utf8), as: type, status: status)
    }

    public static let noContent = HTTPResponse(.noContent)

    /// A long body, written while it is made.
    public static func stream(_ type: MediaType, count: Int? = nil, _ producer: @escaping Producer) -> HTTPResponse {
        HTTPResponse(.ok, contentType: type, body: .stream(count: count, producer))
    }

    /// Server-Sent Events (`ServerSentEvent`) from a producer with a buffer of its own. It is cancelled as soon as the client goes
    /// away; when the server stops (`HTTPRequest.serverEnd`) it has to return, which ends the stream in order.
    public static func live(_ producer: @escaping Producer) -> HTTPResponse {
        HTTPResponse(.ok, contentType: .eventStream, body: .live(producer))
    }

    /// The whole body in memory, for tests and in-process callers. Errors: the producer's.
    public func collectedBody() async throws -> [UInt8] {
        switch body {
        case .empty: return []
        case .bytes(let bytes): return bytes
        case .stream(let count, let producer): return try await Self.collect(count, producer)
        case .live(let producer): return try await Self.collect(nil, producer)
        }
    }
}

extension HTTPResponse {
    private static func collect(_ count: Int?, _ producer: Producer) async throws -> [UInt8] {
        let writer = HTTPBodyWriter(count: count)
        try await producer(writer)
        return writer.collected
    }
}

/// The state of a quota, as `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers).
public struct RateLimit: Sendable {
    public var policy: String
    public var quota: Int
    public var windowSeconds: Int
    public var remaining: Int
    public var resetSeconds: Int

    public init(policy: String, quota: Int, windowSeconds: Int, remaining: Int, resetSeconds: Int) {
        self.policy = policy
        self.quota = quota
        self.windowSeconds = windowSeconds
        self.remaining = remaining
        self.resetSeconds = resetSeconds
    }

    /// `RateLimit-Policy` and `RateLimit`, by name.
    public var fields: [String: String] {
        [
            "RateLimit-Policy": "\"\(policy)\";q=\(quota);w=\(windowSeconds)",
            "RateLimit": "\"\(policy)\";r=\(max(0, remaining));t=\(max(0, resetSeconds))",
        ]
    }
}

extension HTTPResponse {
    public mutating func set(_ limit: RateLimit) {
        for (name, value) in limit.fields { fields[name] = value }
    }
}

extension Problem {
    /// 429 with when to come back.
    public static func tooManyRequests(_ limit: RateLimit) -> Problem {
        Problem(
            .tooManyRequests, code: "too-many-requests",
            detail: "the limit is \(limit.quota) in \(limit.windowSeconds) s",
            retryAfter: .seconds(limit.resetSeconds), fields: limit.fields)
    }
}
