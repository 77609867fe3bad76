import Primitives

/// How a time series is summed up (ING-06). Buckets are of UTC; weeks begin on Monday (ISO 8601).
enum Granularity: String, CaseIterable, Sendable, LosslessStringConvertible {
    case raw, minute, hour, day, week, month

    init?(_ description: String) { self.init(rawValue: description) }
    var description: String { rawValue }

    private static let dayMilliseconds: Int64 = 86_400_000

    /// The start of the bucket that holds a time (milliseconds since 1970).
    func bucket(of time: Int64) -> Int64 {
        switch self {
        case .raw: return time
        case .minute: return time.floored(to: 60_000)
        case .hour: return time.floored(to: 3_600_000)
        case .day: return time.floored(to: Self.dayMilliseconds)
        case .week:
            // 1 January 1970 was a Thursday.
            let thursday = 3 * Self.dayMilliseconds
            return (time + thursday).floored(to: 7 * Self.dayMilliseconds) - thursday
        case .month:
            let date = Timestamp(milliseconds: time).dateUTC
            return date.adding(days: 1 - date.day).startUTC.milliseconds
        }
    }
}

extension Int64 {
    /// The greatest multiple of `step` that is not above this.
    func floored(to step: Int64) -> Int64 {
        let rest = self % step
        return self - (rest < 0 ? rest + step : rest)
    }
}
