import Domain
import Primitives

/// What counts of one data type on one local day: of each hour the source that the person prefers among those with values in
/// it (of sleep: of the whole day).
struct CountedDay: Sendable {
    struct Hour: Sendable {
        /// On the clock, 0 to 23.
        let hour: Int
        let zone: Int16
        let source: Int16
        let values: SummaryValues
    }

    /// Intervals that began so many days before may reach into a day.
    static let daysBefore = 2

    /// The days on which anything of some summaries may count, in their order.
    static func days(of summaries: [CalendarDate: DaySummary]) -> [CalendarDate] {
        Set(summaries.keys.flatMap { day in (0...daysBefore).map { day.adding(days: $0) } }).sorted()
    }

    let type: DataType
    let day: CalendarDate
    /// Ascending.
    private(set) var hours: [Hour] = []
    /// The readings of the sources that count, for rates.
    private(set) var spread = ValueSpread()

    /// `summaries` has the day's summary and those of the two days before, whose intervals may reach into it; what there is
    /// of them. All are of one type.
    init(_ type: DataType, _ day: CalendarDate, in summaries: [CalendarDate: DaySummary], order: SourceOrder) {
        self.type = type
        self.day = day
        var found: [Int: [Int16: DaySummary.Hour]] = [:]
        for before in 0...Self.daysBefore {
            let first = before * 24
            for source in summaries[day.adding(days: -before)]?.sources ?? [] {
                for hour in source.hours where (first..<first + 24).contains(hour.hour) {
                    found[hour.hour - first, default: [:]][source.source, default: .init(hour: 0, zone: hour.zone)]
                        .values.merge(hour.values)
                }
            }
        }
        let whole = type == .sleep ? Self.first(of: found.values.flatMap { $0 }, order) : nil
        for (hour, sources) in found.sorted(by: { $0.key < $1.key }) {
            guard let source = whole ?? Self.first(of: Array(sources), order), let chosen = sources[source] else {
                continue
            }
            hours.append(Hour(hour: hour, zone: chosen.zone, source: source, values: chosen.values))
        }
        for source in summaries[day]?.sources ?? [] {
            let count = hours.reduce(0) { $0 + ($1.source == source.source ? $1.values.count : 0) }
            spread.add(source.quantiles, count: count)
        }
    }

    /// The preferred of those with values; of those without any when none has.
    private static func first(of sources: [(key: Int16, value: DaySummary.Hour)], _ order: SourceOrder) -> Int16? {
        let valued = sources.filter(\.value.values.hasValues)
        return (valued.isEmpty ? sources : valued).map(\.key).min { order.isPreferred($0, to: $1) }
    }

    /// The values of the day.
    var total: SummaryValues {
        hours.reduce(into: SummaryValues()) { $0.merge($1.values) }
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
    /// The samples that count, in the order of time: of each local hour those of the source that the person prefers among those
    /// with values in it (of sleep: of the whole day).
    func counted(_ order: SourceOrder) -> SourceSamples? {
        guard sources.count > 1 else { return sources.first }
        var chosen: [Int: Int16] = [:]
        for source in sources {
            for index in 0..<source.count where source.hasContact(index) {
                let hour = hour(of: index, source)
                if chosen[hour].map({ order.isPreferred(source.source, to: $0) }) ?? true {
                    chosen[hour] = source.source
                }
            }
        }
        var result: SourceSamples?
        for source in sources {
            let found = source.filtered { chosen[hour(of: $0, source)] ?? source.source == source.source }
            if result == nil { result = found } else { result?.append(0..<found.count, of: found) }
        }
        result?.sort()
        return result
    }

    private func hour(of index: Int, _ source: SourceSamples) -> Int {
        type == .sleep ? 0 : LocalTime.hour(of: source.times[index], zone: source.zones[index], in: day)
    }
}
