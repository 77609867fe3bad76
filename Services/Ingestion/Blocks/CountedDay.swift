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
        var counting = CountingDays(type: type)
        for hours in CountingDays.hours(of: summaries) {
            counting.add(hours, order, span)
        }
        return counting.finish(order, summaries)
    }
}

/// Chooses hours, and makes days of them.
private struct CountingDays {
    /// An hour of a source in the block of a UTC day.
    struct Found {
        let number: Int
        let block: CalendarDate
        let source: Int16
        let zone: Int16
        let values: SummaryValues

        var day: CalendarDate { LocalTime.day(of: LocalTime.start(ofHour: number, zone: zone), zone: zone) }
    }

    /// Where the readings of an hour are.
    private struct Part: Hashable {
        let block: CalendarDate
        let source: Int16
    }

    let type: DataType
    private var days: [CalendarDate: [Found]] = [:]

    init(type: DataType) { self.type = type }

    /// Those of all sources with one number, in the order of numbers.
    static func hours(of summaries: [CalendarDate: DaySummary]) -> [ArraySlice<Found>] {
        var all: [Found] = []
        for (block, summary) in summaries.sorted(by: { $0.key < $1.key }) {
            for source in summary.sources {
                for hour in source.hours {
                    all.append(
                        Found(
                            number: hour.number(on: block), block: block, source: source.source, zone: hour.zone,
                            values: hour.values))
                }
            }
        }
        if !zip(all.dropFirst(), all).allSatisfy({ $0.number >= $1.number }) { all.sort { $0.number < $1.number } }
        var hours: [ArraySlice<Found>] = []
        var start = 0
        for index in all.indices where index + 1 == all.count || all[index + 1].number != all[index].number {
            hours.append(all[start...index])
            start = index + 1
        }
        return hours
    }

    /// Of the hours of all sources with one number those of the source that counts. Of sleep all do, until the day is known.
    mutating func add(_ hours: ArraySlice<Found>, _ order: SourceOrder, _ span: Range<Int64>) {
        let source = type == .sleep ? nil : Self.first(of: hours, type, order)
        for hour in hours where source == nil || hour.source == source {
            guard span.contains(LocalTime.start(ofHour: hour.number, zone: hour.zone)) else { continue }
            days[hour.day, default: []].append(hour)
        }
    }

    func finish(_ order: SourceOrder, _ summaries: [CalendarDate: DaySummary]) -> [CountedDay] {
        days.sorted { $0.key < $1.key }.map { day, found in
            let source = type == .sleep ? Self.first(of: found[...], type, order) : nil
            return counted(day, found.filter { source == nil || $0.source == source }, summaries)
        }
    }

    private func counted(
        _ day: CalendarDate, _ found: [Found], _ summaries: [CalendarDate: DaySummary]
    ) -> CountedDay {
        var counted = CountedDay(type: type, day: day)
        var readings: [Part: Int] = [:]
        for hour in found {
            readings[Part(block: hour.block, source: hour.source), default: 0] += hour.values.count
            var values = hour.values
            // Parts of an interval that began in another block.
            if let last = counted.hours.last, last.number == hour.number {
                values = last.values
                values.merge(hour.values)
                counted.hours.removeLast()
            }
            counted.hours.append(
                .init(number: hour.number, zone: hour.zone, source: hour.source, values: values))
        }
        for (part, count) in readings {
            let source = summaries[part.block]?.sources.first { $0.source == part.source }
            for spread in source?.spreads ?? [] where spread.day == day {
                counted.spread.add(spread.quantiles, count: count)
            }
        }
        return counted
    }

    /// The preferred of those with values; of those without any when none has.
    private static func first(of hours: ArraySlice<Found>, _ type: DataType, _ order: SourceOrder) -> Int16? {
        guard hours.count > 1 else { return hours.first?.source }
        let valued = hours.filter(\.values.hasValues)
        return order.first(of: (valued.isEmpty ? Array(hours) : valued).map { ($0.source, $0.values.weight) }, type)
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
