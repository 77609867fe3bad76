import Domain
import Primitives

/// What counts of one data type, minute by minute: of each local hour one source, as in `CountedDay`. Intervals reach into the days
/// after, so that what counts of an hour is known when all days are added.
struct CountedMinutes: Sendable {
    struct Minute: Sendable {
        /// In milliseconds since 1970.
        let start: Int64
        let values: SummaryValues
    }

    /// Minutes of all sources in memory.
    private static let countMax = 4 * Buckets.countMax

    private let type: DataType
    /// By hours on the wall clock since 1970 (sleep: by days), sources, and minutes since 1970.
    private var hours: [Int: [Int16: [Int: DaySummary.Hour]]] = [:]
    private var count = 0

    init(type: DataType) {
        self.type = type
    }

    /// Days may come in any order. Errors: `TooMuch`.
    mutating func add(_ block: BlockSamples) throws(PersonSamples.TooMuch) {
        let first = Int(block.day.daysSinceEpoch) * 24
        for source in block.sources {
            for minute in PeriodCounter.minutes(source.values, block.day) where minute.values.hasValues {
                let place = type == .sleep ? first : first + minute.hour / 60
                let number = first * 60 + minute.hour
                hours[place, default: [:]][source.source, default: [:]][
                    number, default: DaySummary.Hour(hour: number, zone: minute.zone)
                ].values.merge(minute.values)
                count += 1
            }
            guard count <= Self.countMax else { throw PersonSamples.TooMuch() }
        }
    }

    /// In no order.
    func counted(_ order: SourceOrder) -> [Minute] {
        hours.values.flatMap { sources -> [Minute] in
            let first = sources.keys.min { order.isPreferred($0, to: $1) }
            return (first.flatMap { sources[$0] } ?? [:]).values.map {
                let start = LocalTime.start(
                    of: $0.hour, length: 60_000, zone: $0.zone, in: CalendarDate(daysSinceEpoch: 0))
                return Minute(start: start, values: $0.values)
            }
        }
    }
}
