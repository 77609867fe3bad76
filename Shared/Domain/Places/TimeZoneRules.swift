public import Primitives

/// The offsets of a time zone's local time from UTC, at any time from 1900 to 2200: as they were, and as today's rule goes on.
/// Whole minutes; offsets of the 19th century with seconds are rounded down.
public struct TimeZoneRules: Sendable, Equatable {
    public static let utc = TimeZoneRules(starts: [], minutes: [0])

    /// From when the offset holds that has the number of the time and one more, in milliseconds since 1970, ascending.
    private let starts: [Int64]
    /// In minutes; the first one holds before all `starts`.
    private let minutes: [Int16]

    /// `minutes` has one more than `starts`, and each is one of `ZoneOffset`.
    init(starts: [Int64], minutes: [Int16]) {
        self.starts = starts
        self.minutes = minutes
    }

    /// The offset at a time (milliseconds since 1970), in minutes.
    public func minutes(at time: Int64) -> Int16 { minutes[period(of: time)] }

    /// The offset at a time.
    public func offset(at time: Timestamp) -> ZoneOffset {
        ZoneOffset(minutes: Int(minutes(at: time.milliseconds))) ?? .utc
    }

    /// The local day of a time.
    public func day(of time: Timestamp) -> CalendarDate {
        (time + .milliseconds(Int64(minutes(at: time.milliseconds)) * 60_000)).dateUTC
    }

    /// When a local day begins: its first moment, which is not midnight where clocks are set forward at midnight.
    public func start(of day: CalendarDate) -> Timestamp {
        let midnight = day.startUTC.milliseconds
        // No offset is more than 18 hours.
        let earliest = midnight - 18 * 3_600_000
        for number in period(of: earliest)..<minutes.count {
            let begin = max(number == 0 ? Int64.min : starts[number - 1], midnight - Int64(minutes[number]) * 60_000)
            if number == starts.count || begin < starts[number] { return Timestamp(milliseconds: begin) }
        }
        return Timestamp(milliseconds: midnight)
    }

    /// The number of the offset that holds at a time.
    private func period(of time: Int64) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
