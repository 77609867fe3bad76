import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// The data of one request: pages with a cursor, files and a stream while the consent holds (REQ-08, SUB-02), and what has left
/// again, at any time (REQ-12).
struct DataRoutes: Sendable {
    /// The most samples of an answer, about, and those of one when the client names no number.
    static let (samplesMax, samplesDefault) = (20_000, 2000)

    let gate: ConsentGate
    let events: EventRoutes

    private var source: EventSource { events.source }
    private var sender: EventSender { events.sender }

    func register(on routes: inout ServiceRoutes) {
        let (access, path) = (EventSender.access, "/query/v1/requests/:id")
        routes.on(
            .get, "\(path)/data", access: access, query: .read, deadline: EventRoutes.waitMax + .seconds(15), data)
        routes.on(.get, "\(path)/stream", access: access, query: .read) { request, requester in
            let (id, account): (UUID, UUID) = (try request.parameter("id"), requester.account)
            return try await events.stream(request, account, .data(of: id), cursorOf: id) {
                _ = try await apart { try await gate.open(id, for: account) }
            }
        }
        routes.on(.get, "\(path)/results", access: access, query: .read, results)
    }

    private struct Samples: Encodable {
        /// Of a request for samples.
        var series: JSONRaw?
        /// Of one for sums.
        var sums: JSONRaw?
        let next: String
        let hasMore: Bool
        /// Only when it is so.
        let isDelayed: Bool?
    }

    /// What a read asks for.
    private struct Asked {
        /// All samples as a file; `nil`: a page.
        let file: SampleFile?
        let from: Timestamp?
        let to: Timestamp?
        var start = EventCursor.Start.after(0)
        var limit = DataRoutes.samplesDefault
        var wait = Duration.zero
    }

    /// Data of one of the third party's requests.
    private struct Wanted {
        let request: UUID
        let requester: UUID
        let isOfSums: Bool
        /// `nil`: all of the period.
        var span: Range<Timestamp>?
        /// Only what has left already, as it was then.
        var isResult = false

        func question(samplesMax: Int, countMax: Int) -> EventSource.Question {
            EventSource.Question(
                requester: requester, part: isResult ? .results(of: request) : .data(of: request), span: span,
                samplesMax: samplesMax, countMax: countMax)
        }
    }

    /// Errors: 422 when nothing of the period is asked for.
    private func wanted(
        _ asked: Asked, of consent: ConsentRequest, isResult: Bool = false
    ) throws(Problem) -> Wanted {
        Wanted(
            request: consent.id, requester: consent.requesterID, isOfSums: consent.isOfSums,
            span: try consent.span(from: asked.from, to: asked.to), isResult: isResult)
    }

    /// Links cannot send `Accept`, so `format` stands above it.
    private func asked(_ request: HTTPRequest, of id: UUID, mayWait: Bool) throws(Problem) -> Asked {
        try request.parameters { (query) throws(Problem) in
            let named = query.choice("format", of: SampleFile.self)
            let file = query.text("format") == nil ? SampleFile(try request.negotiate(SampleFile.offers)) : named
            let (from, to) = (query.value("from", as: Timestamp.self), query.value("to", as: Timestamp.self))
            if let from, let to, from >= to { query.refuse("to", "write a time after from") }
            var asked = Asked(file: file, from: from, to: to)
            // A file has no cursor, and waits for nothing.
            guard file == nil else { return asked }
            asked.start = events.cursors.start(in: &query, of: id)
            asked.limit = query.number("limit", 1...Self.samplesMax) ?? asked.limit
            if mayWait {
                asked.wait = .milliseconds(query.number("wait_ms", 0...Int(EventRoutes.waitMax.milliseconds)) ?? 0)
            }
            return asked
        }
    }

    @Sendable private func data(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let (id, account): (UUID, UUID) = (try request.parameter("id"), requester.account)
        let asked = try asked(request, of: id, mayWait: true)
        let start = asked.start.isBeginning ? 0 : try await events.number(asked.start, of: account)
        let waitEnds = Deadline.after(asked.wait)
        // Who waits does so for the payment, too.
        let waitsForPayment = asked.wait > .zero && gate.pricing != nil
        if !waitsForPayment, let answer = try await begun(asked, request, of: id, account, after: start) {
            return answer
        }
        let consent =
            waitsForPayment ? try await gate.accepted(id, for: account) : try await gate.open(id, for: account)
        let wanted = try wanted(asked, of: consent)
        if let file = asked.file { return download(file, wanted, request) }
        let question = wanted.question(samplesMax: asked.limit, countMax: EventRoutes.countMax)
        let place = asked.wait > .zero ? try events.places.take(for: account) : nil
        defer { place?.leave() }
        let end = request.serverEnd
        let (found, outlook) = try await source.listening(question, until: end) { news in
            if waitsForPayment { try await waitUntilOpen(id, for: account, until: waitEnds, or: end, news) }
            var seen: UInt64?
            // Just now it was open.
            var isChecked = true
            let found = try await source.next(
                question, after: start, wait: waitEnds.remaining, news, seen: &seen, until: end
            ) {
                if !isChecked { _ = try await gate.open(id, for: account) }
                isChecked = false
            }
            return (found, try await source.outlook(question, after: found))
        }
        return try await page(found, outlook, wanted, request)
    }

    /// The page that is asked for, when it is in the log with more behind it: nothing is to be read for it, and whether it may
    /// leave is asked where it does.
    private func begun(
        _ asked: Asked, _ request: HTTPRequest, of id: UUID, _ account: UUID, after start: Int64
    ) async throws -> HTTPResponse? {
        guard asked.file == nil, asked.from == nil, asked.to == nil else { return nil }
        let question = EventSource.Question(
            requester: account, part: .data(of: id), span: nil, samplesMax: asked.limit,
            countMax: EventRoutes.countMax)
        guard let found = try await source.begun(question, after: start) else { return nil }
        let wanted = Wanted(request: id, requester: account, isOfSums: found.events.contains { $0.kind == .sums })
        return try await page(found, .init(hasMore: true, isDelayed: false), wanted, request)
    }

    /// Waits for the payment of what is not paid yet. Errors: those of `ConsentGate.open`.
    private func waitUntilOpen(
        _ id: UUID, for account: UUID, until deadline: Deadline, or end: HTTPServerEnd, _ news: EventCounter
    ) async throws {
        while true {
            let seen = news.value
            do {
                _ = try await gate.open(id, for: account)
                return
            } catch let problem as Problem
                where problem.status == .paymentRequired && !deadline.hasPassed && !end.isReached
            {
                _ = await news.wait(after: seen, deadline: deadline)
                try Task.checkCancellation()
            }
        }
    }

    /// What has left of a request's data, as it was then: also when the consent was withdrawn or is over.
    @Sendable private func results(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let (id, account): (UUID, UUID) = (try request.parameter("id"), requester.account)
        let asked = try asked(request, of: id, mayWait: false)
        let wanted = try wanted(asked, of: try await gate.find(id, for: account), isResult: true)
        let start = asked.start.isBeginning ? 0 : try await events.number(asked.start, of: account)
        try await sender.departures.save()
        if let file = asked.file { return download(file, wanted, request) }
        let question = wanted.question(samplesMax: asked.limit, countMax: EventRoutes.countMax)
        let found = try await source.stored(question, after: start)
        let hasMore = try await source.hasMore(question, after: found)
        return try await page(found, .init(hasMore: hasMore, isDelayed: false), wanted, request)
    }

    private func page(
        _ found: EventLog.Page, _ outlook: EventSource.Outlook, _ wanted: Wanted, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let (id, account, isOfSums) = (wanted.request, wanted.requester, wanted.isOfSums)
        var delivery = sender.delivery(wanted.isResult ? .result : .page, request, to: account)
        let offered = try found.events.compactMap { try $0.part(measuredIn: wanted.span) }
        let (permitted, lease) = try await sender.permits.permit(offered, on: &delivery)
        if permitted.count < offered.count { _ = try await gate.open(id, for: account) }
        guard let parts = JSONRaw(joining: permitted.compactMap { $0.data?.series }) else {
            throw PostgresError.usage("an event's data is no array")
        }
        let body = try JSONEncoder().encode(
            Samples(
                series: isOfSums ? nil : parts, sums: isOfSums ? parts : nil,
                next: events.cursors.text(found.last, of: id), hasMore: outlook.hasMore,
                isDelayed: outlook.isDelayed ? true : nil))
        return sender.answer(body, of: permitted, on: delivery, until: lease)
    }

    /// All samples, written while they are read.
    private func download(_ file: SampleFile, _ wanted: Wanted, _ request: HTTPRequest) -> HTTPResponse {
        let (id, account, isOfSums) = (wanted.request, wanted.requester, wanted.isOfSums)
        let (isResult, span) = (wanted.isResult, wanted.span)
        let begun = sender.delivery(isResult ? .result : .download, request, to: account)
        let question = wanted.question(samplesMax: Self.samplesMax, countMax: EventRoutes.countDefault)
        let end = request.serverEnd
        var response = HTTPResponse.stream(file.type) { output in
            let lines = SampleFileWriter(file, of: id, isOfSums: isOfSums)
            try await output.write(lines.header)
            if isResult {
                try await write({ try await source.stored(question, after: $0) }, lines, span, to: output, on: begun)
            } else {
                try await source.listening(question, until: end) { news in
                    try await write(
                        { last in
                            try await source.rest(question, after: last, news, until: end) {
                                _ = try await gate.open(id, for: account)
                            }
                        }, lines, span, to: output, on: begun)
                }
            }
        }
        response.fields["Content-Disposition"] = "attachment; filename=\"trackme-\(id).\(file.suffix)\""
        return response
    }

    private func write(
        _ next: (Int64) async throws -> EventLog.Page, _ file: SampleFileWriter, _ span: Range<Timestamp>?,
        to output: HTTPBodyWriter, on begun: EventDelivery
    ) async throws {
        var (delivery, lines, last): (EventDelivery, SampleFileWriter, Int64) = (begun, file, 0)
        var latest: [Event] = []
        while true {
            let found = try await next(last)
            guard found.last > last else { break }
            last = found.last
            let parts = try found.events.compactMap { try $0.part(measuredIn: span) }
            let (permitted, lease) = try await sender.permits.permit(parts, on: &delivery)
            guard permitted.count == parts.count else { throw EventPermits.ConsentOver() }
            // One after the other: those of an upload that came as one may have many megabytes.
            for event in permitted {
                guard let data = event.data else { continue }
                try await sender.write(try lines.lines(of: data), of: [event], to: output, on: delivery, until: lease)
            }
            if !permitted.isEmpty { latest = permitted }
            if found.isAll { break }
        }
        let rest = lines.finish()
        guard !rest.isEmpty else { return }
        try await sender.write(
            rest, of: latest, to: output, on: delivery, until: try await sender.permits.renew(latest, on: delivery))
    }
}

extension ConsentRequest {
    fileprivate var isOfSums: Bool { granularity != .raw }

    /// The part of the period from `from` to before `to`; `nil` for all of it. Errors: 422 when nothing of it is left.
    fileprivate func span(from: Timestamp?, to: Timestamp?) throws(Problem) -> Range<Timestamp>? {
        guard from != nil || to != nil else { return nil }
        let (first, end) = (max(from ?? self.from, self.from), min(to ?? self.to, self.to))
        guard first < end else {
            throw Problem(
                parameter: from.map { $0 >= self.to } == true ? "from" : "to",
                "the request's period is from \(self.from) to \(self.to)")
        }
        return first..<end
    }
}
