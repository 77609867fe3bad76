import Domain
import Primitives

/// Up to when the samples begin that a device has sent, so that an upload which cannot repeat any of them is told from one that
/// may (`ArrivalContent.mayRepeat`). Instants and intervals have a time each: an hour's steps begin before the last heart rate.
struct SentTimes: Sendable, Equatable {
    /// In milliseconds since 1970.
    private var instants: Int64
    private var intervals: Int64
    /// The number of the device's last arrival. This holds while the process knows of all arrivals of the person since then.
    private(set) var arrival: Int32

    /// Of a device that has sent nothing yet.
    static let nothing = SentTimes(instants: .min, intervals: .min, arrival: .max)

    /// Of one of which nothing is known at this time: whatever can have been sent until then.
    static func unknown(at now: Timestamp) -> SentTimes {
        let last = (now + SampleClock.aheadMax).millisecondsUp
        return SentTimes(instants: last, intervals: last, arrival: 0)
    }

    /// Adds the samples of an arrival, in order, and says whether some of them may have been sent before.
    mutating func add(_ batch: SampleBatch, arrival number: Int32) -> Bool {
        var (after, mayRepeat) = (self, false)
        func add(_ times: [Int64], instants areInstants: Bool, intervals areIntervals: Bool) {
            guard let first = times.first, let last = times.last else { return }
            if areInstants {
                mayRepeat = mayRepeat || first <= instants
                after.instants = max(after.instants, last)
            }
            if areIntervals {
                mayRepeat = mayRepeat || first <= intervals
                after.intervals = max(after.intervals, last)
            }
        }
        for column in batch.values {
            let durations = column.durations
            add(column.times, instants: durations?.contains(0) ?? true, intervals: durations != nil)
        }
        add(batch.positions.times, instants: true, intervals: false)
        after.arrival = number
        self = after
        return mayRepeat
    }
}
