import Domain
import Primitives

/// One person's sums for some UTC days.
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
    /// The data types with group statistics.
    static let types = DataType.allCases.filter { $0.groupBounds != nil }
    static let mask = DataType.mask(types)

    private let days: ClosedRange<Int32>
    private var sums: [Key: Sum] = [:]
    private var merge = SampleMerge()
    /// Whether too many samples overlap.
    private(set) var isOverfull = false

    init(_ days: ClosedRange<CalendarDate>) {
        self.days = days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch
    }

    /// Adds a batch's values for group statistics; a sample that a source sent twice counts once, and values of a
    /// sensor without contact are left out. Batches come in the order of their first samples; call `finish` after the
    /// last. After an error there are no sums.
    mutating func add(_ batch: SampleBatch, from source: Int16) throws(SampleMerge.Overlap) {
        let from = Int64(days.lowerBound) * Self.dayMilliseconds
        let to = Int64(days.upperBound + 1) * Self.dayMilliseconds
        do {
            try merge.add(batch, from: source, types: Self.mask, from: from, to: to).forEach { add($0) }
        } catch {
            (isOverfull, merge, sums) = (true, SampleMerge(), [:])
            throw error
        }
    }

    mutating func finish() { merge.finish().forEach { add($0) } }

    private mutating func add(_ piece: SampleMerge.Piece) {
        let column = piece.column
        var range = piece.range
        while let first = range.first {
            let day = column.times[first].floored(to: Self.dayMilliseconds) / Self.dayMilliseconds
            let next = column.times.range(from: column.times[first], to: (day + 1) * Self.dayMilliseconds).upperBound
            let end = min(next, range.upperBound)
            add(column, first..<end, Key(type: column.type, day: Int32(day)))
            range = end..<range.upperBound
        }
    }

    private mutating func add(_ column: ValueColumn, _ range: Range<Int>, _ key: Key) {
        var sum = Sum()
        for index in range where column.hasContact(index) {
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

    mutating func add(_ person: inout PersonDays, subject: Int32) {
        person.finish()
        person.each { type, day, value in
            columns[day, default: [:]][type, default: Column()].subjects.append(subject)
            columns[day, default: [:]][type, default: Column()].values.append(value)
        }
    }
}
