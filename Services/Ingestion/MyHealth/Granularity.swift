import Primitives

/// How a time series is summed up (ING-06). Hours and days are those of the wall clock where the person was; weeks begin on
/// Monday (ISO 8601).
enum Granularity: String, CaseIterable, Sendable, LosslessStringConvertible {
    case raw, minute, hour, day, week, month

    init?(_ description: String) { self.init(rawValue: description) }
    var description: String { rawValue }

    /// The first day of the week or month in which a day lies; otherwise the day.
    func firstDay(of day: CalendarDate) -> CalendarDate {
        switch self {
        case .raw, .minute, .hour, .day: day
        case .week:
            // 1 January 1970 was a Thursday.
            day.adding(days: -((Int(day.daysSinceEpoch) % 7 + 7 + 3) % 7))
        case .month: day.adding(days: 1 - day.day)
        }
    }

    /// The last day of it.
    func lastDay(of day: CalendarDate) -> CalendarDate {
        switch self {
        case .raw, .minute, .hour, .day: day
        case .week: firstDay(of: day).adding(days: 6)
        case .month: firstDay(of: firstDay(of: day).adding(days: 31)).adding(days: -1)
        }
    }
}
