import HTTP
import Primitives
import Reactor
import Service

/// Reads a third party's events for whoever delivers them, and waits for the next.
struct EventSource: Sendable {
    /// An answer that is not to wait gives what is stored already; so long it takes to look for that, at most.
    static let lookMax = Duration.seconds(2)
    /// The longest that a file waits for its next piece.
    private static let restMax = Duration.seconds(60)

    let writer: EventWriter
    let unreadable: UnreadableRows

    /// What is read: whose events, which, and how many at once.
    struct Question: Sendable {
        let requester: UUID
        var part: EventLog.Part
        /// Only events with something that was measured then.
        var span: Range<Timestamp>?
        var samplesMax: Int
        var countMax: Int

        var scope: ReadingAgenda.Scope {
            switch part {
            case .all, .lane: .all
            case .data(let request), .results(let request): .request(request)
            }
        }
    }

    /// What is in the log after a number.
    func stored(_ question: Question, after number: Int64) async throws -> EventLog.Page {
        try await writer.log.events(
            of: question.requester, after: number, question.part, measured: question.span,
            samplesMax: question.samplesMax,
            countMax: question.countMax, reporting: unreadable, in: writer.database)
    }

    /// A page that is in the log, with more behind it: nothing is to be read for it. `nil` where that may not be so.
    func begun(_ question: Question, after number: Int64) async throws -> EventLog.Page? {
        // What is known is looked at together with what is on its way.
        guard !writer.isLoaded(question.requester, question.scope) else { return nil }
        let page = try await stored(question, after: number)
        return page.hasMore == true && !page.events.isEmpty ? page : nil
    }

    /// While `body` runs, what arrives becomes events. `body` gets the counter of news, which the end of the server raises, too.
    func listening<R>(
        _ question: Question, until end: HTTPServerEnd, _ body: (EventCounter) async throws -> R
    ) async throws -> R {
        try await writer.listening(question.requester, to: question.scope) { news in
            try await end.calling {
                news.raise()
            } during: {
                try await body(news)
            }
        }
    }

    /// The next events, after a wait for the first of them; none at the end of the wait or of the server. What is stored
    /// is looked for first, however short the wait. `check` is called when a look has found nothing: whether what was found may
    /// leave is asked where it does (`EventPermits`).
    ///
    /// `seen` is the counter's value after which nothing was there, for whoever asks again: then only what came since is looked for.
    /// With `isWhole` there is nothing only when all that is stored was given, and not also when what is left fails again and again.
    @inline(never)
    func next(
        _ question: Question, after start: Int64, wait: Duration, _ news: EventCounter, seen: inout UInt64?,
        until serverEnd: HTTPServerEnd, isWhole: Bool = false, check: () async throws -> Void = {}
    ) async throws -> EventLog.Page {
        let (end, look) = (Deadline.after(wait), Deadline.after(max(wait, Self.lookMax)))
        var last = start
        while true {
            var until = end
            let value = news.value
            if seen != value {
                let (progress, found) = try await lookUp(question, after: last)
                let goesOn = found.last > last
                last = found.last
                guard found.events.isEmpty else { return found }
                try await check()
                // Behind what may not leave there may be more.
                if goesOn {
                    try Task.checkCancellation()
                    guard !look.hasPassed, !serverEnd.isReached else { return found }
                    continue
                }
                if progress == .caughtUp || progress == .stuck && !isWhole { seen = value } else { until = look }
            }
            let isOver = until.hasPassed || serverEnd.isReached
            if !isOver { _ = await news.wait(after: value, deadline: until) }
            try Task.checkCancellation()
            if isOver || until.hasPassed && news.value == value { return EventLog.Page(events: [], last: last) }
        }
    }

    /// How far what arrived has become events, and what is stored of them. Apart, and not a part of its caller either: that waits
    /// long, and many do.
    @inline(never)
    private func lookUp(
        _ question: Question, after last: Int64
    ) async throws -> (ReadingAgenda.Progress, EventLog.Page) {
        try await apart {
            try await writer.refresh(question.requester, question.scope)
            let progress = writer.progress(question.requester, question.scope)
            var found = try await stored(question, after: last)
            found.isAll = progress == .caughtUp && found.hasMore == false
            return (progress, found)
        }
    }

    /// The next events of what is stored now; none only when all of it was given. Errors: `IOError.timedOut` when it cannot be
    /// read in time, also since the server stops.
    func rest(
        _ question: Question, after start: Int64, _ news: EventCounter, until serverEnd: HTTPServerEnd,
        check: () async throws -> Void
    ) async throws -> EventLog.Page {
        let end = Deadline.after(Self.restMax)
        var last = start
        while true {
            var seen: UInt64?
            let found = try await next(
                question, after: last, wait: .zero, news, seen: &seen, until: serverEnd, isWhole: true, check: check)
            last = found.last
            // `seen` is known when nothing was there although all is read.
            if !found.events.isEmpty || seen != nil { return found }
            guard !end.hasPassed, !serverEnd.isReached else { throw IOError.timedOut }
        }
    }

    /// What a reader of pages is told of the rest.
    struct Outlook: Sendable {
        /// Whether there may be more already.
        let hasMore: Bool
        /// Whether some of it fails again and again: it comes once it can be read.
        let isDelayed: Bool
    }

    func outlook(_ question: Question, after found: EventLog.Page) async throws -> Outlook {
        if found.isAll { return Outlook(hasMore: false, isDelayed: false) }
        let progress = writer.progress(question.requester, question.scope)
        if progress == .behind || found.hasMore == true {
            return Outlook(hasMore: true, isDelayed: progress == .stuck)
        }
        // Looked for anew: what was on its way when the page was read may have come meanwhile.
        return Outlook(hasMore: try await isStored(question, after: found.last), isDelayed: progress == .stuck)
    }

    /// Whether something is in the log after what was read: also what may not leave, which the next read passes over.
    func hasMore(_ question: Question, after found: EventLog.Page) async throws -> Bool {
        if let hasMore = found.hasMore { return hasMore }
        return try await isStored(question, after: found.last)
    }

    private func isStored(_ question: Question, after last: Int64) async throws -> Bool {
        var one = question
        (one.samplesMax, one.countMax) = (1, 1)
        return try await stored(one, after: last).last > last
    }

    /// An event by its id; `nil` when the third party has none that is called so, and when it may not leave.
    func event(_ id: UUID, of requester: UUID) async throws -> Event? {
        try await writer.log.event(id, of: requester, reporting: unreadable, in: writer.database)
    }
}
