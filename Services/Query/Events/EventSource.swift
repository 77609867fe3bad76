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
            case .all, .one, .lane: .all
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
    /// is looked for first, however short the wait. `check` is called before each look.
    ///
    /// `seen` is the counter's value after which nothing was there, for whoever asks again: then only what came since is looked for.
    func next(
        _ question: Question, after start: Int64, wait: Duration, _ news: EventCounter, seen: inout UInt64?,
        until serverEnd: HTTPServerEnd, check: () async throws -> Void = {}
    ) async throws -> EventLog.Page {
        let (end, look) = (Deadline.after(wait), Deadline.after(max(wait, Self.lookMax)))
        var last = start
        while true {
            var until = end
            let value = news.value
            if seen != value {
                try await check()
                try await writer.refresh(question.requester, question.scope)
                let isCaughtUp = writer.isCaughtUp(question.requester, question.scope)
                let found = try await stored(question, after: last)
                last = found.last
                guard found.events.isEmpty else { return found }
                if isCaughtUp { seen = value } else { until = look }
            }
            let isOver = until.hasPassed || serverEnd.isReached
            if !isOver { _ = await news.wait(after: value, deadline: until) }
            try Task.checkCancellation()
            if isOver || until.hasPassed && news.value == value { return EventLog.Page(events: [], last: last) }
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
                question, after: last, wait: .zero, news, seen: &seen, until: serverEnd, check: check)
            last = found.last
            // `seen` is known when nothing was there although all is read.
            if !found.events.isEmpty || seen != nil { return found }
            guard !end.hasPassed, !serverEnd.isReached else { throw IOError.timedOut }
        }
    }

    /// Whether there may be more after what was read.
    func mayHaveMore(_ question: Question, after last: Int64) async throws -> Bool {
        if !writer.isCaughtUp(question.requester, question.scope) { return true }
        return try await storedNext(question, after: last).last > last
    }

    /// The next event in the log alone.
    func storedNext(_ question: Question, after last: Int64) async throws -> EventLog.Page {
        var one = question
        (one.samplesMax, one.countMax) = (1, 1)
        return try await stored(one, after: last)
    }
}
