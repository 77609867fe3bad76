import Domain
import Primitives

/// The hours of a person's local days, as the clock on the wall shows them: those that exist, until now.
struct TrackedHours: Sendable {
    struct Hour: Sendable {
        let day: CalendarDate
        /// 0 to 23.
        let hour: Int
        /// In milliseconds since 1970.
        let start: Int64
    }

    /// In the order of time. Where clocks are put back, an hour stands once and is as long as the others.
    let hours: [Hour]
    /// The last hour ended when this was made: what is missing at the end is missing now.
    let reachesNow: Bool

    init(_ days: ClosedRange<CalendarDate>, in zone: TimeZoneRules, until now: Timestamp) {
        var hours: [Hour] = []
        var isOver = false
        for number in days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch where !isOver {
            let day = CalendarDate(daysSinceEpoch: number)
            let offsets = [zone.start(of: day), zone.start(of: day.adding(days: 1))].map {
                zone.minutes(at: $0.milliseconds)
            }
            for hour in 0..<24 {
                let starts = offsets.map {
                    LocalTime.start(of: hour, length: LocalTime.hourMilliseconds, zone: $0, in: day)
                }
                // One that is skipped has no beginning that the clock shows.
                guard let place = starts.indices.first(where: { zone.minutes(at: starts[$0]) == offsets[$0] }) else {
                    continue
                }
                isOver = starts[place] &+ LocalTime.hourMilliseconds > now.milliseconds
                guard !isOver else { break }
                hours.append(Hour(day: day, hour: hour, start: starts[place]))
            }
        }
        self.hours = hours
        reachesNow = isOver
    }
}
