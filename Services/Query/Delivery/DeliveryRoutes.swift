import Contracts
import Domain
import HTTP
import JSON
import Primitives
import Reactor
import Service

/// The routes that deliver a person's data: pages with a cursor, files, and a stream (REQ-08, REQ-12, SUB-02).
struct DeliveryRoutes: Sendable {
    /// The most samples of an answer, about.
    static let samplesMax = 20_000
    /// The samples of an answer when the client names no number, and of each piece of a download or stream.
    static let samplesDefault = 2000
    /// The longest that a client may wait for something new.
    static let waitMax = Duration.seconds(25)
    /// The longest wait of a stream before the consent is checked again; also its heartbeat.
    static let streamWait = Duration.seconds(5)
    private static let access = Access.thirdParty(.requests)

    let authenticator: Authenticator
    let deliveries: Deliveries
    let places: WaitingPlaces
    let cursors: DeliveryCursor
    let clock: any WallClock

    func register(on routes: inout ServiceRoutes) {
        routes.on(
            .get, "/query/v1/requests/:id/data", access: Self.access, query: .read,
            deadline: Self.waitMax + .seconds(15), data)
        routes.on(.get, "/query/v1/requests/:id/stream", access: Self.access, query: .read, stream)
    }

    private struct Samples: Encodable {
        let series: [SampleSeries]
        let next: String
        let hasMore: Bool
    }

    /// What a read asks for.
    private struct Asked {
        /// All samples as a file; `nil`: a page.
        let file: SampleFile?
        let from: Timestamp?
        let to: Timestamp?
        var after = Ingestion.ReadCursor.beginning
        var limit = DeliveryRoutes.samplesDefault
        var wait = Duration.zero
    }

    /// Links cannot send `Accept`, so `format` stands above it.
    private func asked(_ request: HTTPRequest, of id: UUID) throws(Problem) -> Asked {
        try request.parameters { (query) throws(Problem) in
            let named = query.choice("format", of: SampleFile.self)
            let file = query.text("format") == nil ? SampleFile(try request.negotiate(SampleFile.offers)) : named
            let (from, to) = (query.value("from", as: Timestamp.self), query.value("to", as: Timestamp.self))
            if let from, let to, from >= to { query.refuse("to", "write a time after from") }
            var asked = Asked(file: file, from: from, to: to)
            // A file has no cursor, and waits for nothing.
            guard file == nil else { return asked }
            asked.after = cursors.position(in: &query, of: id)
            asked.limit = query.number("limit", 1...Self.samplesMax) ?? asked.limit
            asked.wait = .milliseconds(query.number("wait_ms", 0...Int(Self.waitMax.milliseconds)) ?? 0)
            return asked
        }
    }

    @Sendable private func data(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let id: UUID = try request.parameter("id")
        let asked = try asked(request, of: id)
        if let file = asked.file { return try await download(file, asked, of: id, request, requester) }
        let delivery = delivery(.page, request, requester)
        let place = asked.wait > .zero ? try places.take(for: delivery.requester) : nil
        defer { place?.leave() }
        let end = request.serverEnd
        return try await deliveries.watch.watching(id, until: end) { signal in
            let seen = signal.value
            let wait = end.isReached ? .zero : asked.wait
            let consent = try await deliveries.open(id, for: delivery.requester)
            let result = try await deliveries.read(
                consent, for: delivery, in: try consent.span(from: asked.from, to: asked.to), after: asked.after,
                limit: asked.limit, wait: wait, watching: signal, seen: seen)
            let body = try JSONEncoder().encode(
                Samples(series: result.series, next: cursors.text(result.next, of: id), hasMore: result.hasMore))
            guard !result.series.isEmpty else {
                _ = try await deliveries.open(id, for: delivery.requester)
                return HTTPResponse(.ok, contentType: .json, body: .bytes(body))
            }
            let lease = try await deliveries.permit(delivery, of: result.series, request: consent)
            return .stream(.json, count: body.count) { writer in
                try await deliveries.watch.watching(id) { signal in
                    try await deliveries.write(
                        body, to: writer, of: delivery, request: consent, until: lease, watching: signal,
                        seen: signal.value)
                }
            }
        }
    }

    /// All samples of a span, written while they are read.
    private func download(
        _ file: SampleFile, _ asked: Asked, of id: UUID, _ request: HTTPRequest, _ requester: Identity
    ) async throws -> HTTPResponse {
        let delivery = delivery(.download, request, requester)
        let consent = try await deliveries.open(id, for: delivery.requester)
        let span = try consent.span(from: asked.from, to: asked.to)
        let deliveries = deliveries
        var response = HTTPResponse.stream(file.type) { writer in
            try await writer.write(file.header)
            var after = Ingestion.ReadCursor.beginning
            var hasMore = true
            try await deliveries.watch.watching(id) { signal in
                while hasMore {
                    let seen = signal.value
                    let result = try await deliveries.read(
                        consent, for: delivery, in: span, after: after, limit: Self.samplesDefault, wait: .zero,
                        watching: signal,
                        seen: seen)
                    if !result.series.isEmpty {
                        let lease = try await deliveries.permit(delivery, of: result.series, request: consent)
                        try await deliveries.write(
                            try file.lines(of: result.series), to: writer, of: delivery, request: consent,
                            until: lease,
                            watching: signal, seen: seen)
                    }
                    hasMore = result.hasMore && result.next != after
                    after = result.next
                }
            }
        }
        response.fields["Content-Disposition"] = "attachment; filename=\"trackme-\(id).\(file.rawValue)\""
        return response
    }

    /// Server-Sent Events, written as they are fetched and not queued, so that nothing is left to be sent after a
    /// withdrawal; then, or when the token is revoked or expires, the stream breaks off. Its place is free as soon as
    /// the client has gone.
    @Sendable private func stream(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let delivery = delivery(.stream, request, requester)
        let id: UUID = try request.parameter("id")
        let cursor = try request.parameters { (query) throws(Problem) in cursors.position(in: &query, of: id) }
        // A client that comes back says what it has seen: later than where it began.
        let start =
            try request.field("last-event-id").map { (text) throws(Problem) in
                guard let seen = cursors.position(text, of: id) else {
                    throw Problem(
                        .badRequest, code: "invalid-last-event-id", detail: "Last-Event-ID is none of this stream")
                }
                return seen
            } ?? cursor
        _ = try await deliveries.open(id, for: delivery.requester)
        let place = try places.take(for: delivery.requester)
        let (deliveries, end) = (deliveries, request.serverEnd)
        return .live { writer in
            defer { place.leave() }
            try await writer.write(ServerSentEvent.retry(after: .seconds(1)))
            try await writer.flush()
            var after = start
            try await deliveries.watch.watching(id, until: end) { signal in
                while true {
                    let seen = signal.value
                    // In order: the client goes on at its cursor, with another server.
                    guard !end.isReached else { return }
                    try await delivery.authorize()
                    let consent = try await deliveries.open(id, for: delivery.requester)
                    let result = try await deliveries.read(
                        consent, for: delivery, after: after, limit: Self.samplesDefault, wait: Self.streamWait,
                        watching: signal,
                        seen: seen)
                    after = result.next
                    guard !result.series.isEmpty else {
                        try await writer.write(ServerSentEvent.heartbeat)
                        try await writer.flush()
                        continue
                    }
                    let lease = try await deliveries.permit(delivery, of: result.series, request: consent)
                    try await deliveries.write(
                        try event(result, of: id), to: writer, of: delivery, request: consent, until: lease,
                        watching: signal,
                        seen: seen)
                }
            }
        }
    }

    /// A delivery that checks the token again before each write.
    private func delivery(_ way: Delivery.Way, _ request: HTTPRequest, _ requester: Identity) -> Delivery {
        let authenticator = authenticator
        return Delivery(way, to: requester.account, at: clock.now()) {
            _ = try await authenticator.require(request, Self.access)
        }
    }

    private func event(_ result: Ingestion.Read.Result, of request: UUID) throws(JSONError) -> [UInt8] {
        struct Data: Encodable {
            let series: [SampleSeries]
        }
        return ServerSentEvent.encode(
            "samples", id: cursors.text(result.next, of: request),
            data: try JSONEncoder().encode(Data(series: result.series)))
    }
}
