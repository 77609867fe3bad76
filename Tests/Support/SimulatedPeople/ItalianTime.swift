import Domain
public import Primitives

/// Local time in Italy, by the rule that the European Union has had since 1996: an hour ahead of UTC, two from 01:00 UTC
/// of the last Sunday of March to 01:00 UTC of the last Sunday of October (Directive 2000/84/EC).
public enum ItalianTime {
    private static let hourMilliseconds: Int64 = 3_600_000

    /// Minutes ahead of UTC.
    public static func offsetMinutes(at time: Timestamp) -> Int {
        let year = time.dateUTC.year
        guard let begin = change(year, month: 3), let end = change(year, month: 10) else { return 60 }
        return (begin..<end).contains(time) ? 120 : 60
    }

    /// The first moment of a local day.
    public static func midnight(_ day: CalendarDate) -> Timestamp {
        // Clocks change at two or three in the night: midnight has the offset of the hour before it.
        let guess = day.startUTC - .seconds(7200)
        return day.startUTC - .seconds(60 * offsetMinutes(at: guess))
    }

    /// The length of a local day: 23, 24 or 25 hours.
    public static func milliseconds(of day: CalendarDate) -> Int64 {
        (midnight(day.adding(days: 1)) - midnight(day)).milliseconds
    }

    /// The local day that a time falls in.
    public static func day(at time: Timestamp) -> CalendarDate {
        (time + .seconds(60 * offsetMinutes(at: time))).dateUTC
    }

    /// Monday to Friday.
    static func isWorkday(_ day: CalendarDate) -> Bool { !(5...6).contains(weekday(day)) }

    /// From Monday, 0.
    private static func weekday(_ day: CalendarDate) -> Int { ((Int(day.daysSinceEpoch) + 3) % 7 + 7) % 7 }

    private static func change(_ year: Int, month: Int) -> Timestamp? {
        guard let last = CalendarDate(year: year, month: month, day: 31) else { return nil }
        return last.adding(days: -((weekday(last) + 1) % 7)).startUTC + .milliseconds(hourMilliseconds)
    }
}
