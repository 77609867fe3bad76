import JSON
public import Reactor
public import Telemetry

/// Calls out: HTTP/1.1 over kept connections, on one loop. It follows no redirects, and unless told otherwise it talks
/// to public addresses only.
public final class HTTPClient: Sendable {
    public struct Configuration: Sendable {
        /// For deployments whose hooks are on the same network, and for tests.
        public var allowPrivateAddresses = false
        public var connectionsPerOriginMax = 16
        /// Calls that may wait for one of them.
        public var waitingPerOriginMax = 256
        /// How long an unused connection is kept.
        public var idleMax: Duration = .seconds(60)
        /// For name resolution, TCP and TLS together.
        public var connectMax: Duration = .seconds(5)
        /// A response's body: `responseTooLarge`.
        public var responseBytesMax = 1024 * 1024
        public var limits = HTTPLimits()

        public init() {}
    }

    private let loop: EventLoop
    private let configuration: Configuration
    private let pool: HTTPClientPool
    private let tracer: Tracer

    /// `tls` verifies the servers of `https` URLs; without it they are refused.
    public init(
        on loop: EventLoop, tls: TLSContext? = nil, configuration: Configuration = .init(), observer: Observer = .silent
    ) {
        self.loop = loop
        self.configuration = configuration
        tracer = observer.tracer
        pool = HTTPClientPool(configuration, tls: tls)
    }

    /// The answer, read in full. From any task. Errors: as named there; at `deadline` `io(.timedOut)`.
    public func send(
        _ request: HTTPClientRequest, deadline: Deadline
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        try await stream(request, deadline: deadline, bytesMax: configuration.responseBytesMax) {
            (head, chunks) throws(HTTPClientError) in
            var body: [UInt8] = []
            while let chunk = try await chunks.next() { body.append(contentsOf: chunk) }
            return HTTPClientResponse(status: head.status, fields: head.fields, body: body)
        }
    }

    /// Status and fields of an answer whose body is still to come.
    public struct ResponseHead: Sendable {
        public let status: HTTPStatus
        public let fields: HTTPFields
    }

    /// Reads the answer piece by piece inside `body`, on the client's loop: for event streams and long downloads. What
    /// `body` leaves unread is dropped with the connection.
    public func stream<T: Sendable>(
        _ request: HTTPClientRequest, deadline: Deadline, bytesMax: Int = .max,
        _ body: @escaping @Sendable (ResponseHead, HTTPClientChunks) async throws(HTTPClientError) -> T
    ) async throws(HTTPClientError) -> T {
        // A call that nobody's request has caused begins no trace.
        let trace = RequestScope.current?.trace.child()
        let began = Deadline.now()
        let message = try request.serialised(trace)
        let task = loop.task { [self] () -> Result<T, HTTPClientError> in
            do throws(HTTPClientError) {
                return .success(try await exchange(request, message, deadline, bytesMax, body))
            } catch { return .failure(error) }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if let trace { record(request, trace, began, result) }
        return try result.get()
    }

    /// The span of a call. The host is named, and not the path, which may hold ids.
    private func record<T>(
        _ request: HTTPClientRequest, _ trace: TraceContext, _ began: Deadline, _ result: Result<T, HTTPClientError>
    ) {
        guard trace.isSampled else { return }
        let isFailed = if case .failure = result { true } else { false }
        tracer.record(
            request.method.description, .client, trace, took: Deadline.now().since(began), isFailed: isFailed,
            [
                "http.request.method": .string(request.method.description),
                "server.address": .string(request.url.authority),
            ])
    }

    /// Connections can be closed on their loop only.
    deinit { close() }

    /// Closes the kept connections; calls in progress go on. Further calls fail.
    public func close() {
        loop.execute { [pool] in pool.close() }
    }

    private func exchange<T: Sendable>(
        _ request: HTTPClientRequest, _ message: [UInt8], _ deadline: Deadline, _ bytesMax: Int,
        _ body: @Sendable (ResponseHead, HTTPClientChunks) async throws(HTTPClientError) -> T
    ) async throws(HTTPClientError) -> T {
        let origin = request.url.origin
        for attempt in 0..<2 {
            let connection = try await pool.take(origin, mustBeNew: attempt > 0, deadline: deadline)
            var isReusable = false
            defer { pool.release(connection, origin, isReusable: isReusable) }
            // A kept connection that its server has closed meanwhile: once more on a new one.
            let mayRepeat = attempt == 0 && request.isRepeatable && connection.isReused
            // Whoever wants to know when it is sent answers for what leaves until then, and not for a second time.
            var mustNotRepeat = false
            let received: HTTPResponseParser.Head?
            do throws(HTTPClientError) {
                try await connection.send(message, deadline: deadline)
                if let whenSent = request.whenSent {
                    mustNotRepeat = true
                    whenSent()
                }
                received = try await connection.receiveHead(configuration.limits, deadline: deadline)
            } catch {
                if mayRepeat, !mustNotRepeat, connection.isClean, Self.isLost(error) { continue }
                throw error
            }
            guard let head = received else {
                if mayRepeat, !mustNotRepeat { continue }
                throw .io(.closed)
            }
            let chunks = HTTPClientChunks(connection, try decoder(head, request.method, bytesMax), deadline)
            let result = try await body(ResponseHead(status: head.status, fields: head.fields), chunks)
            isReusable = head.keepsAlive && chunks.isComplete
            return result
        }
        throw .io(.closed)
    }

    /// Whether the error says that the connection was gone before the request. TLS calls a bare FIN an error.
    private static func isLost(_ error: HTTPClientError) -> Bool {
        switch error {
        case .io(.system), .io(.tls): true
        default: false
        }
    }

    private func decoder(
        _ head: HTTPResponseParser.Head, _ method: HTTPMethod, _ bytesMax: Int
    ) throws(HTTPClientError) -> BodyDecoder {
        if method == .head || head.status.isWithoutBody { return BodyDecoder(.counted(left: 0), bytesMax: bytesMax) }
        if head.isChunked {
            return BodyDecoder(.chunked(ChunkedDecoder(limits: configuration.limits)), bytesMax: bytesMax)
        }
        guard let count = head.contentLength else { return BodyDecoder(.untilEnd, bytesMax: bytesMax) }
        guard count <= bytesMax else { throw .responseTooLarge }
        return BodyDecoder(.counted(left: count), bytesMax: bytesMax)
    }
}

/// The body of an answer in pieces. Belongs to the client's loop.
public final class HTTPClientChunks {
    private static let chunkBytesMax = 64 * 1024

    private let connection: HTTPClientConnection
    private var decoder: BodyDecoder
    private let deadline: Deadline

    init(_ connection: HTTPClientConnection, _ decoder: BodyDecoder, _ deadline: Deadline) {
        self.connection = connection
        self.decoder = decoder
        self.deadline = deadline
    }

    /// `nil` at the end.
    public func next() async throws(HTTPClientError) -> [UInt8]? {
        try await connection.receive(&decoder, bytesMax: Self.chunkBytesMax, deadline: deadline)
    }

    var isComplete: Bool { decoder.isDone }
}
