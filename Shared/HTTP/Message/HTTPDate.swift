import Primitives

/// Dates of header fields: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Years 1 to 9999.
    public static func format(secondsSinceEpoch: Int) -> String {
        let time = Timestamp(microseconds: Int64(secondsSinceEpoch) * 1_000_000)
        let date = time.dateUTC
        let (year, month, day) = date.components
        let weekday = (Int(date.daysSinceEpoch) % 7 + 11) % 7  // 1970-01-01 was a Thursday
        let seconds = Int((time.microseconds - date.startUTC.microseconds) / 1_000_000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
        let digits = String(year)
        let longYear = String(repeating: "0", count: 4 - digits.count) + digits
        return "\(days[weekday]), \(twoDigits(day)) \(months[month - 1]) \(longYear) \(clock) GMT"
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
