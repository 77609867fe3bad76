import Domain
import Primitives

/// A data type and a local day.
struct BlockKey: Hashable, Sendable {
    let type: DataType
    let day: CalendarDate
}

/// Sorts a person's arrivals into blocks: by data type and local day. A sample whose device did not tell its zone gets that
/// of the person.
struct DaySplit {
    /// The offset of the person's own zone at a time (milliseconds since 1970), in minutes.
    private let zone: (Int64) -> Int16
    private var blocks: [BlockKey: BlockSamples] = [:]

    init(zone: @escaping (Int64) -> Int16) {
        self.zone = zone
    }

    /// Adds an arrival: its samples in the order of time, the person's number of the source, and its own number.
    mutating func add(_ batch: SampleBatch, from source: Int16, arrival: Int64) {
        for column in batch.values {
            split(column, column.type) { block, range, zone in
                block.append(range, of: column, zone: zone, from: source, arrival: arrival)
            }
        }
        split(batch.positions, .position) { block, range, zone in
            block.append(range, of: batch.positions, zone: zone, from: source, arrival: arrival)
        }
    }

    /// What was added since the last call, in order and without repeats.
    mutating func take() -> [BlockSamples] {
        defer { blocks = [:] }
        return blocks.sorted { ($0.key.day, $0.key.type.rawValue) < ($1.key.day, $1.key.type.rawValue) }
            .map { block in
                var samples = block.value
                samples.normalize()
                return samples
            }
    }

    /// Calls `put` with neighbours of one day and zone, and the day's block.
    private mutating func split<Column: SampleColumn>(
        _ column: Column, _ type: DataType, _ put: (inout BlockSamples, Range<Int>, Int16) -> Void
    ) {
        for (told, range) in column.zones.parts(of: 0..<column.count) {
            var start = range.lowerBound
            var current = place(start, of: column, type, told)
            func end(at index: Int) {
                let key = BlockKey(type: type, day: current.day)
                put(&blocks[key, default: BlockSamples(type: type, day: key.day)], start..<index, current.zone)
            }
            for index in range.dropFirst() {
                let next = place(index, of: column, type, told)
                guard next != current else { continue }
                end(at: index)
                (start, current) = (index, next)
            }
            end(at: range.upperBound)
        }
    }

    private func place(
        _ index: Int, of column: some SampleColumn, _ type: DataType, _ told: Int16
    ) -> (day: CalendarDate, zone: Int16) {
        let time = column.times[index]
        let offset = told == ZoneColumn.unknown ? zone(time) : told
        return (LocalTime.day(of: type, at: time, lasting: column.duration(index), zone: offset), offset)
    }
}

/// Days and hours by the clock on the wall.
enum LocalTime {
    static let dayMilliseconds: Int64 = 86_400_000
    static let hourMilliseconds: Int64 = 3_600_000

    /// The local day of a time (milliseconds since 1970) in a zone (minutes).
    static func day(of time: Int64, zone: Int16) -> CalendarDate {
        CalendarDate(daysSinceEpoch: Int32(clamping: floored(time &+ Int64(zone) * 60_000, dayMilliseconds)))
    }

    /// The day to which a sample belongs: sleep to the one on which it ends, all others to the one on which they begin.
    static func day(of type: DataType, at time: Int64, lasting duration: Int64, zone: Int16) -> CalendarDate {
        day(of: type == .sleep ? time &+ duration : time, zone: zone)
    }

    /// How many hours of the wall clock after the beginning of a local day a time is.
    static func hour(of time: Int64, zone: Int16, in day: CalendarDate) -> Int {
        period(of: time, zone: zone, in: day, length: hourMilliseconds)
    }

    /// The same for periods of another length (milliseconds).
    static func period(of time: Int64, zone: Int16, in day: CalendarDate, length: Int64) -> Int {
        let local = time &+ Int64(zone) * 60_000 &- Int64(day.daysSinceEpoch) * dayMilliseconds
        return Int(floored(local, length))
    }

    /// When a period begins, in milliseconds since 1970.
    static func start(of period: Int, length: Int64, zone: Int16, in day: CalendarDate) -> Int64 {
        Int64(day.daysSinceEpoch) * dayMilliseconds + Int64(period) * length - Int64(zone) * 60_000
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
