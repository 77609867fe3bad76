import Domain
import Primitives

/// What views of long spans read of a block instead of its samples: the values of each source's hours, and where its
/// readings lie.
struct DaySummary: Equatable, Sendable {
    /// Hours of the wall clock from the beginning of the day that a sample can reach into: its own day, and the two after it.
    static let hoursMax = 72
    /// Values that tell how the readings of a day are spread.
    static let quantilesMax = 21

    struct Source: Equatable, Sendable {
        let source: Int16
        /// By the number of the hour on the wall clock since the beginning of the day, ascending, 0 to 71; those from 24 are
        /// the parts of intervals that reach into the days after. Hours without samples are missing.
        var hours: [Hour] = []
        /// Of rates: the readings of the day in ascending order when there are 21 at most; otherwise every 5th percentile of
        /// them, from the least to the greatest (nearest rank).
        var quantiles: [Int64] = []
    }

    struct Hour: Equatable, Sendable {
        let hour: Int
        /// In minutes: of the first sample that is in the hour.
        var zone: Int16
        var values = SummaryValues()

        /// When the hour begins, in milliseconds since 1970.
        func start(on day: CalendarDate) -> Int64 {
            Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds + Int64(hour) * LocalTime.hourMilliseconds
                - Int64(zone) * 60_000
        }
    }

    let type: DataType
    let day: CalendarDate
    /// In the order of their numbers.
    var sources: [Source] = []

    init(type: DataType, day: CalendarDate, sources: [Source] = []) {
        self.type = type
        self.day = day
        self.sources = sources
    }

    /// Of a normalized block.
    init(_ block: BlockSamples) {
        self.init(type: block.type, day: block.day)
        sources = block.sources.map { samples in
            block.type == .position
                ? HourCounter.source(samples.source, samples.positions, block.day)
                : HourCounter.source(samples.source, samples.values, block.day)
        }
    }
}

/// Sums the samples of one source up by hours.
private struct HourCounter {
    /// The longest that a reading without duration holds.
    private static let holdMax: Int64 = 300_000

    private let type: DataType
    private let day: CalendarDate
    private var hours = (0..<DaySummary.hoursMax).map { DaySummary.Hour(hour: $0, zone: ZoneColumn.unknown) }

    private init(_ type: DataType, _ day: CalendarDate) {
        self.type = type
        self.day = day
    }

    static func source(_ source: Int16, _ column: PositionColumn, _ day: CalendarDate) -> DaySummary.Source {
        var counter = HourCounter(.position, day)
        for index in 0..<column.count {
            let zone = column.zones[index]
            counter.change(LocalTime.hour(of: column.times[index], zone: zone, in: day), zone) { $0.count += 1 }
        }
        return DaySummary.Source(source: source, hours: counter.counted)
    }

    static func source(_ source: Int16, _ column: ValueColumn, _ day: CalendarDate) -> DaySummary.Source {
        var counter = HourCounter(column.type, day)
        var last: Int?
        for index in 0..<column.count {
            guard column.hasContact(index) else {
                counter.change(counter.hour(of: index, column), column.zones[index]) { $0.withoutContact += 1 }
                continue
            }
            // A reading holds until the next one that is a value of the person.
            if let last { counter.add(last, of: column, until: column.times[index]) }
            last = index
        }
        if let last { counter.add(last, of: column, until: .max) }
        return DaySummary.Source(
            source: source, hours: counter.counted, quantiles: column.type.kind == .rate ? quantiles(column) : [])
    }

    private static func quantiles(_ column: ValueColumn) -> [Int64] {
        let values = (0..<column.count).filter(column.hasContact).map { column.values[$0] }.sorted()
        let parts = DaySummary.quantilesMax - 1
        guard values.count > parts + 1 else { return values }
        return (0...parts).map { values[($0 * (values.count - 1) + parts / 2) / parts] }
    }

    private var counted: [DaySummary.Hour] {
        hours.compactMap { hour in
            guard !hour.values.isEmpty else { return nil }
            var hour = hour
            hour.values.squares = Double(Float(hour.values.squares))
            return hour
        }
    }

    private func hour(of index: Int, _ column: ValueColumn) -> Int {
        let time = column.times[index] &+ (type == .sleep ? column.duration(index) : 0)
        return LocalTime.hour(of: time, zone: column.zones[index], in: day)
    }

    /// `next` is the time of the source's next reading.
    private mutating func add(_ index: Int, of column: ValueColumn, until next: Int64) {
        let (time, duration, zone) = (column.times[index], column.duration(index), column.zones[index])
        let (value, own) = (column.values[index], hour(of: index, column))
        change(own, zone) { $0.count(value) }
        switch type.kind {
        case .counter:
            guard duration > 0, type != .sleep else { return change(own, zone) { $0.sum &+= value } }
            var (past, given) = (Int64(0), Int64(0))
            Self.eachHour(time, duration, zone, day) { hour, part in
                past += part
                // All but the last part are less than the whole, so that the product is a 64-bit number.
                let until = past == duration ? value : Int64(Double(value) * (Double(past) / Double(duration)))
                change(hour, zone) { $0.sum &+= until &- given }
                given = until
                return true
            }
        case .rate, .state:
            let isState = type.kind == .state
            let held = min(next == .max ? .max : next &- time, duration > 0 ? duration : Self.holdMax)
            Self.eachHour(time, held, zone, day) { hour, part in
                change(hour, zone) { if isState { $0.last(value, part) } else { $0.hold(value, part) } }
                return duration > 0
            }
        case .position: break
        }
    }

    /// Calls `use` with each hour that a span of time touches, and for how long, until it returns `false`.
    private static func eachHour(
        _ time: Int64, _ length: Int64, _ zone: Int16, _ day: CalendarDate, _ use: (Int, Int64) -> Bool
    ) {
        let hour = LocalTime.hourMilliseconds
        var number = LocalTime.hour(of: time, zone: zone, in: day)
        let begin = time &+ Int64(zone) * 60_000 &- Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
        var (left, room) = (length, hour - (begin &- Int64(number) &* hour))
        while left > 0 {
            let part = min(left, room)
            guard use(number, part) else { return }
            left -= part
            room = hour
            number += 1
        }
    }

    /// Hours that no sample of the day can reach take nothing.
    private mutating func change(_ hour: Int, _ zone: Int16, _ body: (inout SummaryValues) -> Void) {
        guard hours.indices.contains(hour) else { return }
        if hours[hour].values.isEmpty { hours[hour].zone = zone }
        body(&hours[hour].values)
    }
}
