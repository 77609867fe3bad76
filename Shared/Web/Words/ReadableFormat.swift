public import Domain
import JSON
public import Primitives

/// Numbers, dates and durations as they are read in one language and time zone. The scripts of pages write the same with
/// the browser's `Intl`.
public struct ReadableFormat: Sendable {
    let language: Language
    let zone: TimeZoneRules

    public init(language: Language, zone: TimeZoneRules) {
        self.language = language
        self.zone = zone
    }

    /// `value` in the way `filter` names. Errors: another kind of value, or no such filter.
    func readable(_ value: JSONValue, _ filter: String) throws(TemplateError) -> String {
        switch (filter, value) {
        case ("date", .string(let text)):
            if let date = CalendarDate(text) { return day(date) }
            return day(try time(text))
        case ("time", .string(let text)): return clock(try time(text))
        case ("datetime", .string(let text)): return "\(day(try time(text))), \(clock(try time(text)))"
        case ("km", let value): return number(try double(value, filter) / 1000, decimals: 1)
        case ("duration", let value): return duration(seconds: try double(value, filter))
        case ("pace", let value): return duration(seconds: try double(value, filter))
        case ("whole", let value): return number(try double(value, filter), decimals: 0)
        // For scripts: the same in every language.
        case ("plain", let value): return "\(try double(value, filter))"
        default: throw TemplateError(description: "there is no way “\(filter)” to write \(value)")
        }
    }

    private func double(_ value: JSONValue, _ filter: String) throws(TemplateError) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: throw TemplateError(description: "\(value) is not a number, which “\(filter)” needs")
        }
    }

    /// A number with a comma in Italian, a point in English, and groups of three digits.
    func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((abs(value) * scale).rounded())
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        let isNegative = value < 0 && scaled != 0
        var digits = Array(String(whole))
        // Italian writes four digits together.
        if digits.count > (language == .italian ? 4 : 3) {
            for position in stride(from: digits.count - 3, to: 0, by: -3) {
                digits.insert(language == .italian ? "." : ",", at: position)
            }
        }
        var text = (isNegative ? "−" : "") + String(digits)
        var tail = String(fraction + Int64(scale)).dropFirst()
        while tail.last == "0" { tail = tail.dropLast() }
        if !tail.isEmpty { text += (language == .italian ? "," : ".") + tail }
        return text
    }

    /// `1:02:03` or `4:05`.
    func duration(seconds: Double) -> String {
        guard seconds.isFinite, (0..<360_000).contains(seconds) else { return "–" }
        let whole = Int(seconds.rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return whole >= 3600
            ? "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))" : "\(whole / 60):\(two(whole % 60))"
    }

    private func time(_ text: String) throws(TemplateError) -> Timestamp {
        guard let time = Timestamp(text) else { throw TemplateError(description: "\(text) is not a time") }
        return time
    }

    private func local(_ time: Timestamp) -> Timestamp {
        time + .seconds(60 * Int64(zone.minutes(at: time.milliseconds)))
    }

    /// The time of day: `17:21`.
    public func clock(_ time: Timestamp) -> String {
        let minute = Int(local(time).milliseconds / 60_000 % 1440 + 1440) % 1440
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// The day of a time: `25 novembre 2026`.
    public func day(_ time: Timestamp) -> String { day(local(time).dateUTC) }

    public func day(_ date: CalendarDate) -> String {
        "\(date.day) \(Self.months[language == .italian ? 0 : 1][date.month - 1]) \(date.year)"
    }

    private static let months = [
        [
            "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
            "novembre", "dicembre",
        ],
        [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
    ]
}
