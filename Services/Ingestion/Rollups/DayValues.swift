import Domain
import Primitives

/// One person's sums of some UTC days.
struct PersonDays {
    private struct Key: Hashable {
        let type: DataType
        let day: Int32
    }

    private struct Sum {
        var count = 0
        var scaled: Int64 = 0
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    private let days: ClosedRange<Int32>
    private var sums: [Key: Sum] = [:]

    init(_ days: ClosedRange<CalendarDate>) {
        self.days = days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch
    }

    /// Adds what group statistics are made of; values of a sensor without contact are left out.
    mutating func add(_ batch: SampleBatch) {
        let from = Int64(days.lowerBound) * Self.dayMilliseconds
        let to = Int64(days.upperBound + 1) * Self.dayMilliseconds
        for column in batch.values where column.type.groupBounds != nil {
            var range = column.times.range(from: from, to: to)
            while let first = range.first {
                let day = column.times[first].floored(to: Self.dayMilliseconds) / Self.dayMilliseconds
                let end = column.times.range(from: column.times[first], to: (day + 1) * Self.dayMilliseconds).upperBound
                add(column, first..<end, Key(type: column.type, day: Int32(day)))
                range = end..<range.upperBound
            }
        }
    }

    private mutating func add(_ column: ValueColumn, _ range: Range<Int>, _ key: Key) {
        var sum = Sum()
        for index in range where !ValueColumn.isWithoutContact(column.type, column.values[index]) {
            sum.count += 1
            sum.scaled &+= column.values[index]
        }
        guard sum.count > 0 else { return }
        sums[key, default: Sum()].count += sum.count
        sums[key, default: Sum()].scaled &+= sum.scaled
    }

    /// Calls `use` with the mean (of a rate) or sum (of a counter) of each day.
    func each(_ use: (DataType, CalendarDate, Double) -> Void) {
        for (key, sum) in sums {
            let total = key.type.value(scaled: sum.scaled)
            let value = key.type.kind == .counter ? total : total / Double(sum.count)
            use(key.type, CalendarDate(daysSinceEpoch: key.day), value)
        }
    }
}

/// Everybody's values of some days, by data type and day.
struct DayValues {
    struct Column: Sendable {
        var subjects: [Int32] = []
        var values: [Double] = []
    }

    private(set) var columns: [CalendarDate: [DataType: Column]] = [:]

    mutating func add(_ person: PersonDays, subject: Int32) {
        person.each { type, day, value in
            columns[day, default: [:]][type, default: Column()].subjects.append(subject)
            columns[day, default: [:]][type, default: Column()].values.append(value)
        }
    }
}
