import HTTP
import Postgres
import Primitives

/// Lists of runs by state, text, place, date and time of day (RUN-05), by start.
struct RunSearch: Sendable {
    static let limitMax = 100
    private static let wordBytesMax = 400

    var phase: Run.Phase?
    /// Searched for in code, name, place and description.
    var text: String?
    var place: String?
    var date: CalendarDate?
    /// Time of day of the start: `HH:MM`, from here to before there, in the deployment's time zone.
    var from: String?
    var to: String?
    var after: Key?
    var limit = 20

    /// The last run of a page.
    struct Key: Codable, Sendable {
        let start: Timestamp
        let id: UUID
    }

    init(_ query: inout QueryReader) {
        phase = query.choice("state")
        text = Self.words(&query, "text")
        place = Self.words(&query, "place")
        date = query.value("date")
        from = Self.timeOfDay(&query, "time_from")
        to = Self.timeOfDay(&query, "time_to")
        after = query.cursor()
        limit = query.number("limit", 1...Self.limitMax) ?? limit
    }

    private static func words(_ query: inout QueryReader, _ name: String) -> String? {
        guard let text = query.text(name), !text.isEmpty else { return nil }
        if text.utf8.count > wordBytesMax { query.refuse(name, "write at most \(wordBytesMax) bytes of UTF-8") }
        return text
    }

    /// Checked to be digits and a colon: PostgreSQL gets the text.
    private static func timeOfDay(_ query: inout QueryReader, _ name: String) -> String? {
        guard let text = query.text(name) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        if parts.count == 2, areDigits, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60 {
            return text
        }
        query.refuse(name, "write a time of day such as 09:30")
        return nil
    }

    /// Selects one run more than `limit`, which shows whether there are more.
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
