import Domain
import Primitives

/// What counts of one data type, summed up per bucket of time. Buckets are whole: one that lies partly in the span has all that
/// it holds.
struct Buckets: Sendable {
    /// Buckets in one answer.
    static let countMax = 50_000

    /// A bucket with values.
    struct Bucket: Sendable {
        let start: Timestamp
        /// The first day, for buckets of days and longer.
        let day: CalendarDate?
        let values: SummaryValues
    }

    let type: DataType
    let granularity: Granularity
    private let from: Int64
    private let to: Int64
    /// By the time of the beginning, or the number of the first day.
    private var values: [Int64: SummaryValues] = [:]
    /// More buckets than `countMax` were needed; those beyond are missing.
    private(set) var isOverfull = false

    init(type: DataType, granularity: Granularity, from: Timestamp, to: Timestamp) {
        self.type = type
        self.granularity = granularity
        (self.from, self.to) = (from.millisecondsUp, to.millisecondsUp)
    }

    /// Adds a day of the span. Not for minutes.
    mutating func add(_ day: CountedDay) {
        guard granularity != .hour else {
            for hour in day.hours { add(hour.values, hour.start, length: LocalTime.hourMilliseconds) }
            return
        }
        merge(day.total, Int64(granularity.firstDay(of: day.day).daysSinceEpoch))
    }

    /// Adds a minute, whose beginning is told in milliseconds since 1970.
    mutating func add(minute values: SummaryValues, at start: Int64) { add(values, start, length: 60_000) }

    private mutating func add(_ found: SummaryValues, _ start: Int64, length: Int64) {
        if start &+ length > from, start < to { merge(found, start) }
    }

    private mutating func merge(_ found: SummaryValues, _ key: Int64) {
        guard found.hasValues else { return }
        guard values[key] != nil || values.count < Self.countMax else {
            isOverfull = true
            return
        }
        values[key, default: SummaryValues()].merge(found)
    }

    /// In the order of time; days begin as they do in a zone.
    func ordered(in zone: TimeZoneRules) -> [Bucket] {
        let isOfDays = granularity != .minute && granularity != .hour
        return values.sorted { $0.key < $1.key }.map { key, values in
            let day = isOfDays ? CalendarDate(daysSinceEpoch: Int32(clamping: key)) : nil
            return Bucket(start: day.map(zone.start) ?? Timestamp(milliseconds: key), day: day, values: values)
        }
    }
}
