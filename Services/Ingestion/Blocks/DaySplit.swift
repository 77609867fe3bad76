import Domain
import Primitives

/// A data type and a UTC day.
struct BlockKey: Hashable, Sendable {
    let type: DataType
    let day: CalendarDate
}

/// Sorts a person's arrivals into blocks: by data type and UTC day. A sample whose device did not tell its zone gets that
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
        let day = BlockKey.day(of: type, at: time, lasting: column.duration(index))
        return (day, told == ZoneColumn.unknown ? zone(time) : told)
    }
}

extension BlockKey {
    /// The day in whose block a sample lies: of sleep the one on which it ends, of all else the one on which it begins. It follows
    /// from the times alone, so that a sample that comes again with another zone finds the one that is there.
    static func day(of type: DataType, at time: Int64, lasting duration: Int64) -> CalendarDate {
        LocalTime.day(of: type == .sleep ? time &+ duration : time, zone: 0)
    }
}

/// Days and hours by the clock on the wall. An hour is told by its number since 1970: which real hour it is, whatever the zone,
/// so that hours of sources in several zones are compared, and those that a clock shows twice are two. It begins when the
/// clock shows a whole hour; where zones differ by a part of an hour, so do the beginnings of an hour of one number.
enum LocalTime {
    static let dayMilliseconds: Int64 = 86_400_000
    static let hourMilliseconds: Int64 = 3_600_000
    static let minuteMilliseconds: Int64 = 60_000

    /// The local day of a time (milliseconds since 1970) in a zone (minutes).
    static func day(of time: Int64, zone: Int16) -> CalendarDate {
        CalendarDate(
            daysSinceEpoch: Int32(clamping: floored(time &+ Int64(zone) * minuteMilliseconds, dayMilliseconds)))
    }

    /// The number of the hour in which a time lies.
    static func hour(of time: Int64, zone: Int16) -> Int { period(of: time, zone: zone, length: hourMilliseconds) }

    /// The same for periods of another length, which an hour is a whole number of.
    static func period(of time: Int64, zone: Int16, length: Int64) -> Int {
        Int(floored(time &+ part(of: zone, length), length))
    }

    /// When a period begins, in milliseconds since 1970.
    static func start(of period: Int, length: Int64, zone: Int16) -> Int64 {
        Int64(period) * length - part(of: zone, length)
    }

    /// When an hour begins.
    static func start(ofHour hour: Int, zone: Int16) -> Int64 { start(of: hour, length: hourMilliseconds, zone: zone) }

    /// How far a zone's clock is ahead of whole periods of UTC.
    private static func part(of zone: Int16, _ length: Int64) -> Int64 {
        let offset = Int64(zone) * minuteMilliseconds
        return offset - floored(offset, length) * length
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
