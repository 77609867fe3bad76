import Domain
import Primitives

/// Everybody's values of some local days, by data type and day.
struct DayValues: Sendable {
    struct Column: Sendable {
        var subjects: [Int32] = []
        var values: [Double] = []

        mutating func append(_ subject: Int32, _ value: Double) {
            subjects.append(subject)
            values.append(value)
        }
    }

    /// The data types with group statistics.
    static let types = DataType.allCases.filter { $0.groupBounds != nil }
    static let mask = DataType.mask(types)

    private(set) var columns: [CalendarDate: [DataType: Column]] = [:]

    func count(on day: CalendarDate) -> Int { columns[day]?.values.reduce(0) { $0 + $1.values.count } ?? 0 }

    mutating func remove(_ day: CalendarDate) { columns[day] = nil }

    /// Removes and returns one day's.
    mutating func take(_ day: CalendarDate) -> DayValues {
        var taken = DayValues()
        taken.columns[day] = columns.removeValue(forKey: day)
        return taken
    }

    /// Adds what is published of a person.
    mutating func add(_ published: PublishedDay, on day: CalendarDate, subject: Int32) {
        for (type, value) in published.values {
            columns[day, default: [:]][type, default: Column()].append(subject, value)
        }
    }

    /// A person's mean of a rate (weighed by time) or sum of a counter, of each of the days that has values.
    static func published(
        _ summaries: [DataType: [CalendarDate: DaySummary]], of person: PersonContext, days: ClosedRange<CalendarDate>
    ) -> [CalendarDate: PublishedDay] {
        var published: [CalendarDate: PublishedDay] = [:]
        for (type, summaries) in summaries {
            let order = person.order(of: type)
            for day in CountedDay.days(of: type, in: summaries, order: order) where days.contains(day.day) {
                let total = day.total
                guard total.hasValues, let value = Self.value(total, type) else { continue }
                published[day.day, default: PublishedDay()].add(value, of: type)
            }
        }
        return published
    }

    private static func value(_ total: SummaryValues, _ type: DataType) -> Double? {
        switch type.kind {
        case .counter: type.value(scaled: total.sum)
        case .rate: total.mean.map { $0 / Double(type.scaled(1)) }
        case .state, .position: nil
        }
    }
}
