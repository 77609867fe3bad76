import Domain
import Primitives

/// Sums the samples of one source and one block up by hours, or shorter periods.
struct PeriodCounter {
    /// The longest that a reading without duration holds.
    private static let holdMax: Int64 = 300_000

    private let type: DataType
    /// In milliseconds; hours have a whole number of them.
    private let length: Int64
    /// The number, since 1970, of the first one.
    private let first: Int
    private var periods: [DaySummary.Hour]

    private init(_ type: DataType, _ day: CalendarDate, length: Int64 = LocalTime.hourMilliseconds) {
        self.type = type
        self.length = length
        let inHour = Int(LocalTime.hourMilliseconds / length)
        first = Int(day.daysSinceEpoch) * 24 * inHour
        let count = DaySummary.hoursMax * inHour
        periods = (0..<count).map { DaySummary.Hour(hour: $0, zone: ZoneColumn.unknown) }
    }

    /// The values of each minute with any that a block's samples reach into, by their numbers since the day's beginning: as those
    /// of hours, but readings hold to the end of their minute at most.
    static func minutes(_ column: ValueColumn, _ day: CalendarDate) -> [DaySummary.Hour] {
        var counter = PeriodCounter(column.type, day, length: 60_000)
        counter.add(column)
        return counter.counted
    }

    /// The values of each hour that begin within a span.
    static func hours(_ column: ValueColumn, _ day: CalendarDate, _ span: Range<Int64>) -> [DaySummary.Hour] {
        var counter = PeriodCounter(column.type, day)
        counter.add(column, within: span)
        return counter.counted
    }

    static func source(_ source: Int16, _ column: PositionColumn, _ day: CalendarDate) -> DaySummary.Source {
        var counter = PeriodCounter(.position, day)
        var last = Int64.min
        for index in 0..<column.count {
            let (time, zone) = (column.times[index], column.zones[index])
            // Of a minute with several the first one counts.
            let isNewMinute = time / LocalTime.minuteMilliseconds != last / LocalTime.minuteMilliseconds
            last = time
            counter.change(counter.period(of: time, zone), zone) {
                $0.count += 1
                if isNewMinute { $0.weight += LocalTime.minuteMilliseconds }
            }
        }
        return DaySummary.Source(source: source, hours: counter.counted)
    }

    static func source(_ source: Int16, _ column: ValueColumn, _ day: CalendarDate) -> DaySummary.Source {
        var counter = PeriodCounter(column.type, day)
        counter.add(column)
        return DaySummary.Source(
            source: source, hours: counter.counted, spreads: column.type.kind == .rate ? spreads(column) : [])
    }

    private static func spreads(_ column: ValueColumn) -> [DaySummary.Spread] {
        var days: [CalendarDate: [Int64]] = [:]
        for index in 0..<column.count where column.hasContact(index) {
            let day = LocalTime.day(of: column.times[index], zone: column.zones[index])
            days[day, default: []].append(column.values[index])
        }
        return days.sorted { $0.key < $1.key }.map { .init(day: $0.key, quantiles: quantiles($0.value.sorted())) }
    }

    private static func quantiles(_ values: [Int64]) -> [Int64] {
        let parts = DaySummary.quantilesMax - 1
        guard values.count > parts + 1 else { return values }
        return (0...parts).map { values[($0 * (values.count - 1) + parts / 2) / parts] }
    }

    private mutating func add(_ column: ValueColumn, within span: Range<Int64> = .min ..< .max) {
        var last: Int?
        for index in column.times.range(from: span.lowerBound, to: .max) {
            let (time, isInside) = (column.times[index], column.times[index] < span.upperBound)
            guard column.hasContact(index) else {
                if isInside { change(own(index, column), column.zones[index]) { $0.withoutContact += 1 } }
                continue
            }
            // A reading holds until the next one that is a value of the person.
            if let last { add(last, of: column, until: min(time, span.upperBound)) }
            last = isInside ? index : nil
            guard isInside else { break }
        }
        if let last { add(last, of: column, until: span.upperBound) }
    }

    private var counted: [DaySummary.Hour] {
        periods.compactMap { hour in
            guard !hour.values.isEmpty else { return nil }
            var hour = hour
            hour.values.squares = Double(Float(hour.values.squares))
            return hour
        }
    }

    /// The period to which a sample belongs.
    private func own(_ index: Int, _ column: ValueColumn) -> Int {
        let time = column.times[index] &+ (type == .sleep ? column.duration(index) : 0)
        return period(of: time, column.zones[index])
    }

    private func period(of time: Int64, _ zone: Int16) -> Int {
        LocalTime.period(of: time, zone: zone, length: length) - first
    }

    /// `next` is the time of the source's next reading.
    private mutating func add(_ index: Int, of column: ValueColumn, until next: Int64) {
        let (time, duration, zone) = (column.times[index], column.duration(index), column.zones[index])
        let (value, own) = (column.values[index], own(index, column))
        change(own, zone) { $0.count(value) }
        switch type.kind {
        case .counter:
            guard duration > 0, type != .sleep else { return change(own, zone) { $0.sum &+= value } }
            var (past, given) = (Int64(0), Int64(0))
            eachPeriod(time, duration, zone) { counter, period, part in
                past += part
                // All but the last part are less than the whole, so that the product is a 64-bit number.
                let until = past == duration ? value : Int64(Double(value) * (Double(past) / Double(duration)))
                counter.change(period, zone) { $0.sum &+= until &- given }
                given = until
                return true
            }
        case .rate, .state:
            let isState = type.kind == .state
            let held = min(next == .max ? .max : next &- time, duration > 0 ? duration : Self.holdMax)
            eachPeriod(time, held, zone) { counter, period, part in
                counter.change(period, zone) { if isState { $0.last(value, part) } else { $0.hold(value, part) } }
                return duration > 0
            }
        case .position: break
        }
    }

    /// Calls `use` with each period that a span of time touches, and for how long, until it returns `false`.
    private mutating func eachPeriod(
        _ time: Int64, _ duration: Int64, _ zone: Int16, _ use: (inout PeriodCounter, Int, Int64) -> Bool
    ) {
        var number = period(of: time, zone)
        let end = LocalTime.start(of: first + number + 1, length: length, zone: zone)
        var (left, room) = (duration, end &- time)
        while left > 0 {
            let part = min(left, room)
            guard use(&self, number, part) else { return }
            left -= part
            room = length
            number += 1
        }
    }

    /// Periods that no sample of the block can reach take nothing.
    private mutating func change(_ period: Int, _ zone: Int16, _ body: (inout SummaryValues) -> Void) {
        guard periods.indices.contains(period) else { return }
        if periods[period].values.isEmpty { periods[period].zone = zone }
        body(&periods[period].values)
    }
}
