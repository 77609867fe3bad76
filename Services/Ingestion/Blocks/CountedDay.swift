import Domain
import Primitives

/// What counts of one data type on one local day: of each hour the source that the person prefers among those with values in it
/// (of sleep: of the whole day). Hours are compared as they are, also of sources in several zones; the day is that of the source
/// that counts.
struct CountedDay: Sendable {
    struct Hour: Sendable {
        /// Since 1970 (`LocalTime`).
        let number: Int
        let zone: Int16
        let source: Int16
        let values: SummaryValues

        /// In milliseconds since 1970.
        var start: Int64 { LocalTime.start(ofHour: number, zone: zone) }
    }

    /// A local day may have parts of the blocks of so many UTC days before it: where the clock is ahead of UTC, and through intervals
    /// of up to two days that reach into it …
    static let daysBefore = 3
    /// … and of so many after it.
    static let daysAfter = 1

    /// The UTC days whose blocks have what may count on some local days.
    static func blockDays(of days: ClosedRange<CalendarDate>) -> ClosedRange<CalendarDate> {
        days.lowerBound.adding(days: -daysBefore)...days.upperBound.adding(days: daysAfter)
    }

    let type: DataType
    let day: CalendarDate
    /// In the order of time, at least one.
    fileprivate(set) var hours: [Hour] = []
    /// The readings of the sources that count, for rates.
    fileprivate(set) var spread = ValueSpread()

    /// The values of the day.
    var total: SummaryValues {
        hours.reduce(into: SummaryValues()) { $0.merge($1.values) }
    }

    /// The local days on which anything of some summaries of one type counts, in their order: of hours that begin within a span of time
    /// (milliseconds since 1970). Whoever wants whole days has the summaries of `blockDays`.
    static func days(
        of type: DataType, in summaries: [CalendarDate: DaySummary], order: SourceOrder,
        within span: Range<Int64> = .min ..< .max
    ) -> [CountedDay] {
        let found = FoundHour.all(in: summaries)
        var days = CountingDays(type: type, summaries: summaries)
        var start = 0
        while start < found.count {
            var end = start + 1
            while end < found.count, found[end].number == found[start].number { end += 1 }
            // Of sleep all count, until the day is known.
            let chosen = type == .sleep ? nil : FoundHour.source(of: found[start..<end], type, order)
            for hour in found[start..<end] where chosen == nil || hour.source == chosen {
                if span.contains(hour.start) { days.add(hour) }
            }
            start = end
        }
        return days.finish(order)
    }
}

/// An hour of a source in the block of a UTC day.
private struct FoundHour {
    let number: Int
    let block: CalendarDate
    let source: Int16
    let zone: Int16
    let values: SummaryValues

    var start: Int64 { LocalTime.start(ofHour: number, zone: zone) }

    /// Those of all sources, in the order of time.
    static func all(in summaries: [CalendarDate: DaySummary]) -> [FoundHour] {
        var all: [FoundHour] = []
        all.reserveCapacity(24 * summaries.count)
        var isAscending = true
        for (block, summary) in summaries.sorted(by: { $0.key < $1.key }) {
            for source in summary.sources {
                for hour in source.hours {
                    let number = hour.number(on: block)
                    isAscending = isAscending && all.last.map { $0.number <= number } ?? true
                    all.append(
                        FoundHour(
                            number: number, block: block, source: source.source, zone: hour.zone, values: hour.values))
                }
            }
        }
        if !isAscending { all.sort { $0.number < $1.number } }
        return all
    }

    /// The preferred of those with values; of those without any when none has.
    static func source(of hours: ArraySlice<FoundHour>, _ type: DataType, _ order: SourceOrder) -> Int16? {
        guard hours.count > 1 else { return hours.first?.source }
        let valued = hours.filter(\.values.hasValues)
        return order.first(of: (valued.isEmpty ? Array(hours) : valued).map { ($0.source, $0.values.weight) }, type)
    }
}

/// Makes days of the hours that count.
private struct CountingDays {
    private struct Day {
        let day: CalendarDate
        var hours: [FoundHour] = []
    }

    let type: DataType
    let summaries: [CalendarDate: DaySummary]
    /// In the order in which they were found, which is nearly that of time.
    private var days: [Day] = []

    init(type: DataType, summaries: [CalendarDate: DaySummary]) {
        self.type = type
        self.summaries = summaries
    }

    /// Hours come in the order of time.
    mutating func add(_ hour: FoundHour) {
        let day = LocalTime.day(of: hour.start, zone: hour.zone)
        // Clocks tell three days at most at the same time.
        var place = days.count - 1
        while place >= 0, place >= days.count - 5, days[place].day != day { place -= 1 }
        if place < 0 || days[place].day != day {
            days.append(Day(day: day))
            place = days.count - 1
        }
        days[place].hours.append(hour)
    }

    func finish(_ order: SourceOrder) -> [CountedDay] {
        days.map { day in
            let source = type == .sleep ? FoundHour.source(of: day.hours[...], type, order) : nil
            return counted(day.day, source == nil ? day.hours : day.hours.filter { $0.source == source })
        }.sorted { $0.day < $1.day }
    }

    private func counted(_ day: CalendarDate, _ found: [FoundHour]) -> CountedDay {
        var counted = CountedDay(type: type, day: day)
        counted.hours.reserveCapacity(found.count)
        // Of blocks and sources: how many readings count.
        var parts: [(block: CalendarDate, source: Int16, readings: Int)] = []
        for hour in found {
            if let part = parts.firstIndex(where: { $0.block == hour.block && $0.source == hour.source }) {
                parts[part].readings += hour.values.count
            } else {
                parts.append((hour.block, hour.source, hour.values.count))
            }
            var values = hour.values
            // Parts of an interval that began in another block.
            if let last = counted.hours.last, last.number == hour.number {
                values = last.values
                values.merge(hour.values)
                counted.hours.removeLast()
            }
            counted.hours.append(.init(number: hour.number, zone: hour.zone, source: hour.source, values: values))
        }
        guard type.kind == .rate else { return counted }
        for part in parts {
            let source = summaries[part.block]?.sources.first { $0.source == part.source }
            for spread in source?.spreads ?? [] where spread.day == day {
                counted.spread.add(spread.quantiles, count: part.readings)
            }
        }
        return counted
    }
}

extension SourceOrder {
    /// Which of several sources of one hour counts. Of positions only those that tell the way: a position every ten minutes does
    /// not hide a recorded run. `weight` is for how long a source has values.
    func first(of sources: [(source: Int16, weight: Int64)], _ type: DataType) -> Int16? {
        var possible = sources
        if type == .position, let most = sources.map(\.weight).max() {
            possible = sources.filter { 2 * $0.weight >= most }
        }
        return possible.map(\.source).min { isPreferred($0, to: $1) }
    }
}

/// How values are spread, told by some of them with weights: percentiles that need no samples.
struct ValueSpread: Sendable {
    private var points: [(value: Int64, weight: Double)] = []

    /// Adds readings that are known by their quantiles (`DaySummary.Source`): the inner ones stand for equal parts of them.
    mutating func add(_ quantiles: [Int64], count: Int) {
        guard count > 0, !quantiles.isEmpty else { return }
        // 21 readings at most are all there; more than that are known by percentiles, whose ends stand for half a part.
        let isWhole = count <= quantiles.count
        let share = Double(count) / Double(isWhole ? quantiles.count : quantiles.count - 1)
        for (place, value) in quantiles.enumerated() {
            let isEnd = !isWhole && (place == 0 || place == quantiles.count - 1)
            points.append((value, isEnd ? share / 2 : share))
        }
    }

    mutating func merge(_ other: ValueSpread) { points += other.points }

    /// For each fraction, ascending, the value below which that part of the readings lies; between two points in proportion.
    /// Empty without readings.
    func quantiles(_ fractions: [Double]) -> [Double] {
        let sorted = points.sorted { $0.value < $1.value }
        guard let first = sorted.first else { return [] }
        let total = sorted.reduce(0) { $0 + $1.weight }
        var result: [Double] = []
        var (index, before) = (0, first.weight / 2)
        for fraction in fractions {
            let place = fraction * total
            // Each point lies in the middle of its weight.
            while index + 1 < sorted.count {
                let next = before + (sorted[index].weight + sorted[index + 1].weight) / 2
                guard next <= place else { break }
                (before, index) = (next, index + 1)
            }
            guard index + 1 < sorted.count, place > before else {
                result.append(Double(sorted[index].value))
                continue
            }
            let step = (sorted[index].weight + sorted[index + 1].weight) / 2
            let (low, high) = (Double(sorted[index].value), Double(sorted[index + 1].value))
            result.append(low + (high - low) * (place - before) / step)
        }
        return result
    }
}

extension BlockSamples {
    /// The samples that count, in the order of time: of each hour those of the source that the person prefers among those with
    /// values in it. Not of sleep, of which the whole local day decides.
    func counted(_ order: SourceOrder) -> SourceSamples? {
        guard sources.count > 1 else { return sources.first }
        var hours: [Int: [Int16: Int64]] = [:]
        for source in sources {
            var last = Int64.min
            for index in 0..<source.count where source.hasContact(index) {
                let minute = source.times[index] / LocalTime.minuteMilliseconds
                hours[hour(of: index, source), default: [:]][source.source, default: 0] += minute == last ? 0 : 1
                last = minute
            }
        }
        let chosen = hours.mapValues { order.first(of: $0.map { ($0.key, $0.value) }, type) }
        var result: SourceSamples?
        for source in sources {
            let found = source.filtered { chosen[hour(of: $0, source)] ?? source.source == source.source }
            if result == nil { result = found } else { result?.append(0..<found.count, of: found) }
        }
        result?.sort()
        return result
    }

    private func hour(of index: Int, _ source: SourceSamples) -> Int {
        LocalTime.hour(of: source.times[index], zone: source.zones[index])
    }
}
