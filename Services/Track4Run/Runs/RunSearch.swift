import HTTP
import Postgres
import Primitives

/// Lists of runs by state, text, place, date and time of day (RUN-05), by start.
struct RunSearch: Sendable {
    static let limitMax = 100

    var phase: Run.Phase?
    /// Looked for in code, name, place and description.
    var text: String?
    var place: String?
    var date: CalendarDate?
    /// Time of day of the start: `HH:MM`, from here to before there, in the deployment's time zone.
    var from: String?
    var to: String?
    var after: Key?
    var limit = 20

    /// Where a page ended.
    struct Key: Codable, Sendable {
        let start: Timestamp
        let id: UUID
    }

    /// Errors: 400 for what cannot be read.
    init(_ query: QueryItems) throws(Problem) {
        phase = try query["state"].map { text throws(Problem) in
            guard let phase = Run.Phase(rawValue: text) else { throw Self.invalid("state") }
            return phase
        }
        text = try Self.words(query, "text")
        place = try Self.words(query, "place")
        date = try query.value("date")
        from = try Self.timeOfDay(query, "time_from")
        to = try Self.timeOfDay(query, "time_to")
        after = try query["cursor"].map { cursor throws(Problem) in try HTTPCursor.decode(cursor) }
        limit = min(max(1, try query.value("limit") ?? limit), Self.limitMax)
    }

    private static func words(_ query: QueryItems, _ name: String) throws(Problem) -> String? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard text.utf8.count <= 400 else { throw invalid(name) }
        return text
    }

    private static func timeOfDay(_ query: QueryItems, _ name: String) throws(Problem) -> String? {
        guard let text = query[name] else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = UInt8(parts[0]),
            let minute = UInt8(parts[1]), hour < 24, minute < 60
        else { throw invalid(name) }
        return text
    }

    private static func invalid(_ name: String) -> Problem {
        Problem(
            .badRequest, code: "invalid-parameter", detail: "the query parameter \(name) cannot be read",
            errors: [.init(parameter: name, detail: "not a valid value")])
    }

    /// One run more than `limit` when there are more.
    func condition(now: Timestamp, timeZone: String) -> SQL {
        var sql: SQL = "where true"
        switch phase {
        case .upcoming: sql += "\n and state = 'open' and starts_at > \(now)"
        case .underWay: sql += "\n and state = 'open' and starts_at <= \(now) and ends_at > \(now)"
        case .past: sql += "\n and (state = 'final' or state = 'open' and ends_at <= \(now))"
        case .cancelled: sql += "\n and state = 'cancelled'"
        case nil: break
        }
        if let text {
            sql += "\n and position(lower(\(text)) in lower(concat_ws(' ', code, name, place, description))) > 0"
        }
        if let place { sql += "\n and position(lower(\(place)) in lower(place)) > 0" }
        if let date { sql += "\n and (starts_at at time zone \(timeZone))::date = \(date)" }
        if let from { sql += "\n and (starts_at at time zone \(timeZone))::time >= (\(from))::time" }
        if let to { sql += "\n and (starts_at at time zone \(timeZone))::time < (\(to))::time" }
        if let after { sql += "\n and (starts_at, id) > (\(after.start), \(after.id))" }
        return sql + "\n order by starts_at, id limit \(Int64(limit) + 1)"
    }
}
