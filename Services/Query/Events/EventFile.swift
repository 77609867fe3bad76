import HTTP
import JSON
import Primitives
import Reactor
import Service

/// All of a third party's events after a cursor as one NDJSON file, written while they are read: what somebody with a thousand people
/// fetches at once (SUB-02, REQ-12). Each line is an event or a place to go on from.
struct EventFile: Sendable {
    /// Events that are looked at together: about as many as have fitted before, since of large ones the rest is looked at in vain.
    private static let (countMin, countMax) = (50, 1000)
    /// How long nothing may come although there is more.
    private static let restMax = Duration.seconds(60)

    let source: EventSource
    let sender: EventSender
    let cursors: EventCursor

    /// After each piece, so that a file that breaks off can be gone on with.
    private struct Place: Encodable {
        /// The cursor of what comes after the lines so far.
        let next: String
        let hasMore: Bool
        /// Only when it is so.
        let isDelayed: Bool?
    }

    /// Ends with a place that says whether there is more: none when all that was stored is in the file; some when more has arrived
    /// meanwhile, data of somebody cannot be read now (`is_delayed`), or the server stops.
    func answer(_ request: HTTPRequest, _ account: UUID, after start: Int64) -> HTTPResponse {
        let begun = sender.delivery(.download, request, to: account)
        let begin = EventSource.Question(
            requester: account, part: .all, samplesMax: EventRoutes.samplesMax, countMax: Self.countMin)
        let end = request.serverEnd
        var response = HTTPResponse.stream(.ndjson) { output in
            try await source.listening(begin, until: end) { news in
                var question = begin
                var (delivery, last): (EventDelivery, Int64) = (begun, start)
                var restEnd = Deadline.after(Self.restMax)
                // What was still to be read when it began: what arrives later may come all the time.
                var rest: Set<UUID>?
                while true {
                    if let unread = source.writer.unread(of: account)?.requests {
                        rest = rest?.intersection(unread) ?? unread
                    }
                    var seen: UInt64?
                    let found = try await source.next(
                        question, after: last, wait: .zero, news, seen: &seen, until: end)
                    last = found.last
                    // `seen` is known when nothing was there although all is read that can be.
                    let isRead = rest?.isEmpty == true && found.hasMore == false
                    let isOver = found.isAll || isRead || seen != nil || end.isReached || restEnd.hasPassed
                    if found.events.isEmpty, !isOver { continue }
                    restEnd = .after(Self.restMax)
                    question.countMax = min(max(Self.countMin, 2 * found.events.count), Self.countMax)
                    let (events, lease) = try await sender.permits.permit(found.events, on: &delivery)
                    let place = try await place(found, isOver: isOver, question)
                    try await sender.write(
                        try lines(events, place), of: events, to: output, on: delivery, until: lease)
                    if isOver { return }
                }
            }
        }
        response.fields["Content-Disposition"] = "attachment; filename=\"trackme-events.ndjson\""
        return response
    }

    private func place(
        _ found: EventLog.Page, isOver: Bool, _ question: EventSource.Question
    ) async throws -> Place {
        let next = cursors.text(found.last, of: question.requester)
        guard isOver else { return Place(next: next, hasMore: true, isDelayed: nil) }
        let outlook = try await source.outlook(question, after: found)
        return Place(next: next, hasMore: outlook.hasMore, isDelayed: outlook.isDelayed ? true : nil)
    }

    private func lines(_ events: [Event], _ place: Place) throws -> [UInt8] {
        let encoder = JSONEncoder()
        var lines: [UInt8] = []
        for event in events {
            lines += try encoder.encode(event)
            lines.append(UInt8(ascii: "\n"))
        }
        return lines + (try encoder.encode(place)) + [UInt8(ascii: "\n")]
    }
}
