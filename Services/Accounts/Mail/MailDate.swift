import Primitives

/// Dates in mail headers (RFC 5322 section 3.3): `Sat, 21 Nov 2026 02:17:54 +0000`.
enum MailDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(_ time: Timestamp) -> String {
        let date = time.dateUTC
        let (year, month, day) = date.components
        let seconds = Int((time.microseconds - date.startUTC.microseconds) / 1_000_000)
        // 1 January 1970 was a Thursday.
        let weekday = days[((Int(date.daysSinceEpoch) % 7) + 7) % 7]
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(day) \(months[month - 1]) \(year) \(clock) +0000"
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
