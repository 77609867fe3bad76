import Domain
import Primitives

/// The hours of a person's local days, until now: 23 or 25 of a day on which clocks are changed by an hour.
struct TrackedHours: Sendable {
    struct Hour: Sendable {
        let day: CalendarDate
        /// Since 1970 (`LocalTime`).
        let number: Int
        /// In milliseconds since 1970.
        let start: Int64
    }

    /// In the order of time.
    let hours: [Hour]
    /// The last hour ended when this was made: what is missing at the end is missing now.
    let reachesNow: Bool

    init(_ days: ClosedRange<CalendarDate>, in zone: TimeZoneRules, until now: Timestamp) {
        var hours: [Hour] = []
        for number in days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch {
            let day = CalendarDate(daysSinceEpoch: number)
            let end = min(zone.start(of: day.adding(days: 1)), now).milliseconds
            var start = zone.start(of: day).milliseconds
            while start &+ LocalTime.hourMilliseconds <= end {
                let offset = zone.minutes(at: start)
                hours.append(Hour(day: day, number: LocalTime.hour(of: start, zone: offset), start: start))
                start += LocalTime.hourMilliseconds
            }
        }
        self.hours = hours
        reachesNow = now < zone.start(of: days.upperBound.adding(days: 1))
    }
}
