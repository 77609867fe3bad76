import HTTP
import Postgres
import Primitives

/// Lists of runs by state, text, place, date and time of day (RUN-05).
struct RunSearch: Sendable {
    static let limitMax = 100
    private static let wordBytesMax = 400
    /// With more runs than this that have the words, it is quicker to walk the list until the page is full.
    private static let fewMax = 5000

    /// `nil`: all, by start.
    var selection: RunSelection?
    /// Beginnings of words of code, name, place and description.
    var text: String?
    /// Beginnings of words of the place.
    var place: String?
    var date: CalendarDate?
    /// Time of day of the start: `HH:MM`, from here to before there, in the deployment's time zone.
    var from: String?
    var to: String?
    var after: RunSelection.Key?
    var limit = 20

    /// All runs.
    init() {}

    init(_ query: inout QueryReader) {
        selection = query.choice("state")
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

    /// The runs that have all the words, when these are few; `nil` when they are many or nothing is searched for. The
    /// database cannot tell beforehand: it takes every beginning of a word for a rare one.
    private func few(in session: some SQLSession) async throws -> [UUID]? {
        let written = [text, place].compactMap(\.self).joined(separator: " ")
        guard !written.isEmpty else { return nil }
        let found = try await session.query(
            "select id from run where words @@ search_query(\(written)) limit \(Int64(Self.fewMax) + 1)", as: UUID.self)
        return found.count > Self.fewMax ? nil : found
    }

    /// Selects one run more than `limit`, which shows whether there are more.
    func condition(now: Timestamp, timeZone: String, in session: some SQLSession) async throws -> SQL {
        var sql: SQL = "where true"
        if let few = try await few(in: session) { sql += "\n and id = any(\(few))" }
        if let text { sql += "\n and words @@ search_query(\(text))" }
        if let place { sql += "\n and search_words(place) @@ search_query(\(place))" }
        // A span of time, so that the index by start finds it.
        if let date {
            sql += """

                 and starts_at >= (\(date)::date)::timestamp at time zone \(timeZone)
                 and starts_at < (\(date)::date + 1)::timestamp at time zone \(timeZone)
                """
        }
        if let from { sql += "\n and (starts_at at time zone \(timeZone))::time >= (\(from))::time" }
        if let to { sql += "\n and (starts_at at time zone \(timeZone))::time < (\(to))::time" }
        return sql + RunSelection.page(selection, at: now, after: after, limit: limit)
    }
}
