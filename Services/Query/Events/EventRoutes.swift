import Contracts
import HTTP
import JSON
import Primitives
import Reactor
import Service

/// All events of a third party, over all of its requests, by one cursor: in pages, and as a stream (SUB-02).
struct EventRoutes: Sendable {
    /// Events of an answer when the client names no number, and the most.
    static let (countDefault, countMax) = (100, 1000)
    /// The most samples in one answer, about.
    static let samplesMax = 20_000
    /// The longest that a client may wait for something new.
    static let waitMax = Duration.seconds(25)
    /// The heartbeat of a stream.
    static let streamWait = Duration.seconds(5)

    let source: EventSource
    let sender: EventSender
    let places: WaitingPlaces
    let cursors: EventCursor

    func register(on routes: inout ServiceRoutes) {
        let access = EventSender.access
        routes.on(
            .get, "/query/v1/events", access: access, query: .read, deadline: Self.waitMax + .seconds(15), page)
        routes.on(.get, "/query/v1/events/:id", access: access, one)
        routes.on(.get, "/query/v1/events/stream", access: access, query: .read) { request, requester in
            try await stream(request, requester.account, .all, cursorOf: requester.account)
        }
    }

    /// A file, whatever `Accept` says: links cannot send it.
    private enum Format: String, CaseIterable {
        case ndjson
    }

    private struct Page: Encodable {
        let events: [Event]
        let next: String
        let hasMore: Bool
        /// Only when it is so.
        let isDelayed: Bool?
    }

    @Sendable private func page(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let account = requester.account
        let isFile = try request.negotiate([.json, .ndjson]) == .ndjson
        let (from, limit, wait) = try request.parameters { (query) throws(Problem) in
            let isFile = query.choice("format", of: Format.self).map { $0 == .ndjson } ?? isFile
            let from = cursors.start(in: &query, of: account)
            // A file has all, and waits for nothing.
            guard !isFile else { return (from, Int?.none, Duration.zero) }
            return (
                from, query.number("limit", 1...Self.countMax) ?? Self.countDefault,
                Duration.milliseconds(query.number("wait_ms", 0...Int(Self.waitMax.milliseconds)) ?? 0)
            )
        }
        let start = from.isBeginning ? 0 : try await number(from, of: account)
        guard let limit else {
            return EventFile(source: source, sender: sender, cursors: cursors).answer(request, account, after: start)
        }
        let question = EventSource.Question(
            requester: account, part: .all, samplesMax: Self.samplesMax, countMax: limit)
        var delivery = sender.delivery(.page, request, to: account)
        let place = wait > .zero ? try places.take(for: account) : nil
        defer { place?.leave() }
        let (found, outlook) = try await source.listening(question, until: request.serverEnd) { news in
            var seen: UInt64?
            let found = try await source.next(
                question, after: start, wait: wait, news, seen: &seen, until: request.serverEnd)
            return (found, try await source.outlook(question, after: found))
        }
        let (events, lease) = try await sender.permits.permit(found.events, on: &delivery)
        let body = try JSONEncoder().encode(
            Page(
                events: events, next: cursors.text(found.last, of: account), hasMore: outlook.hasMore,
                isDelayed: outlook.isDelayed ? true : nil))
        return sender.answer(body, of: events, on: delivery, until: lease)
    }

    /// One event by its id, which thin webhooks and mails link to. Errors: 404 also for data whose consent is over.
    @Sendable private func one(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        var delivery = sender.delivery(.page, request, to: requester.account)
        let found = try await source.event(try request.parameter("id"), of: requester.account)
        let (events, lease) = try await sender.permits.permit(found.map { [$0] } ?? [], on: &delivery)
        guard let event = events.first else { throw Problem.notFound }
        return sender.answer(try JSONEncoder().encode(event), of: events, on: delivery, until: lease)
    }

    /// The number after which reading begins. Errors: 410 `cursor-gone` for a cursor of events that are not there: the database was
    /// restored from before them.
    func number(_ start: EventCursor.Start, of account: UUID) async throws -> Int64 {
        let last = try await source.writer.log.lastNumber(of: account, in: source.writer.database)
        guard case .after(let number) = start else { return last }
        guard number > last else { return number }
        throw Problem(
            .gone, code: "cursor-gone",
            detail:
                "the events before this cursor are not there any more; begin anew with cursor=0 and leave out ids that you have"
        )
    }

    /// Server-Sent Events in the order of their numbers: all of a third party (`owner` is the third party) or the data of a
    /// request (`owner` is the request). The connection ends in order when the server does, and breaks off when the token is
    /// revoked or expires, when a consent ends while its data is being written, and when `check` throws.
    func stream(
        _ request: HTTPRequest, _ account: UUID, _ part: EventLog.Part, cursorOf owner: UUID,
        check: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> HTTPResponse {
        let cursor = try request.parameters { (query) throws(Problem) in cursors.start(in: &query, of: owner) }
        // A client that comes back says what it has seen: later than where it began.
        let from =
            try request.field("last-event-id").map { (text) throws(Problem) in
                guard let seen = cursors.number(text, of: owner) else {
                    throw Problem(
                        .badRequest, code: "invalid-last-event-id", detail: "Last-Event-ID is none of this stream")
                }
                return EventCursor.Start.after(seen)
            } ?? cursor
        let start = try await number(from, of: account)
        try await check()
        let begun = sender.delivery(.stream, request, to: account)
        let question = EventSource.Question(
            requester: account, part: part, samplesMax: Self.samplesMax, countMax: Self.countDefault)
        let place = try places.take(for: account)
        let end = request.serverEnd
        return .live { output in
            defer { place.leave() }
            try await output.write(ServerSentEvent.retry(after: .seconds(1)))
            // A client that comes back before something has happened goes on from here.
            if case .now = from { try await output.write(ServerSentEvent.place(cursors.text(start, of: owner))) }
            try await output.flush()
            try await source.listening(question, until: end) { news in
                var (delivery, last): (EventDelivery, Int64) = (begun, start)
                var seen: UInt64?
                while !end.isReached {
                    let found = try await source.next(
                        question, after: last, wait: Self.streamWait, news, seen: &seen, until: end, check: check)
                    last = found.last
                    delivery = try await hand(found, of: owner, to: output, on: delivery)
                }
            }
        }
    }

    /// Sends events, or says that there are none. Returns the delivery as it goes on. Apart, as `EventSource.lookUp` is.
    @inline(never)
    private func hand(
        _ found: EventLog.Page, of owner: UUID, to output: HTTPBodyWriter, on begun: EventDelivery
    ) async throws -> EventDelivery {
        // Used by the one task that hands events over, on the connection's loop; the caller waits for that task.
        nonisolated(unsafe) let output = output
        return try await apart {
            var delivery = begun
            guard !found.events.isEmpty else {
                try await delivery.authorize()
                try await output.write(ServerSentEvent.heartbeat)
                try await output.flush()
                return delivery
            }
            let (events, lease) = try await sender.permits.permit(found.events, on: &delivery)
            guard !events.isEmpty else { return delivery }
            let bytes = try events.flatMap { try text(of: $0, of: owner) }
            try await sender.write(bytes, of: events, to: output, on: delivery, until: lease)
            return delivery
        }
    }

    private func text(of event: Event, of owner: UUID) throws -> [UInt8] {
        ServerSentEvent.encode(
            event.kind.rawValue, id: cursors.text(event.number, of: owner), data: try JSONEncoder().encode(event))
    }
}
