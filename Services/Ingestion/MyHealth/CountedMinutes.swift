import Domain
import Primitives

/// What counts of one data type, minute by minute: of each hour one source, as in `CountedDay`. Intervals reach into the days
/// after, so that what counts of an hour is known when all blocks are added.
struct CountedMinutes: Sendable {
    struct Minute: Sendable {
        /// In milliseconds since 1970.
        let start: Int64
        let values: SummaryValues
    }

    /// Minutes of all sources in memory.
    private static let countMax = 4 * Buckets.countMax

    private let type: DataType
    /// By hours (of sleep: by local days), sources, and minutes, numbered since 1970.
    private var hours: [Int: [Int16: [Int: SummaryValues]]] = [:]
    private var count = 0

    init(type: DataType) {
        self.type = type
    }

    /// Blocks may come in any order. Errors: `TooMuch`.
    mutating func add(_ block: BlockSamples) throws(PersonSamples.TooMuch) {
        let first = Int(block.day.daysSinceEpoch) * 24 * 60
        for source in block.sources {
            for minute in PeriodCounter.minutes(source.values, block.day) where minute.values.hasValues {
                let number = first + minute.hour
                let start = Int64(number) * LocalTime.minuteMilliseconds
                let place =
                    type == .sleep
                    ? Int(LocalTime.day(of: start, zone: minute.zone).daysSinceEpoch)
                    : LocalTime.hour(of: start, zone: minute.zone)
                hours[place, default: [:]][source.source, default: [:]][number, default: .init()].merge(minute.values)
                count += 1
            }
            guard count <= Self.countMax else { throw PersonSamples.TooMuch() }
        }
    }

    /// In no order.
    func counted(_ order: SourceOrder) -> [Minute] {
        hours.values.flatMap { sources -> [Minute] in
            let first = sources.keys.min { order.isPreferred($0, to: $1) }
            return (first.flatMap { sources[$0] } ?? [:]).map {
                Minute(start: Int64($0.key) * LocalTime.minuteMilliseconds, values: $0.value)
            }
        }
    }
}
