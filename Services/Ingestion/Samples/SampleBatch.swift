import Domain
import Primitives

/// Checked samples of one person, as they are stored together: at most one column per data type.
struct SampleBatch: Equatable, Sendable {
    /// Samples of one stored batch at most; as many as one series may have (`SampleSeries.samplesMax`).
    static let samplesMax = 100_000

    private(set) var values: [ValueColumn] = []
    var positions = PositionColumn()

    init(values: [ValueColumn] = [], positions: PositionColumn = PositionColumn()) {
        self.values = values
        self.positions = positions
    }

    var count: Int { values.reduce(positions.count) { $0 + $1.count } }
    var isEmpty: Bool { count == 0 }

    /// The index of the column of that type.
    mutating func column(of type: DataType) -> Int {
        if let index = values.firstIndex(where: { $0.type == type }) { return index }
        values.append(ValueColumn(type: type))
        return values.count - 1
    }

    /// See `ValueColumn.append`.
    mutating func append(
        column index: Int, time: Int64, duration: Int64 = 0, value: Int64, contact: Bool? = nil,
        zone: Int16 = ZoneColumn.unknown
    ) {
        values[index].append(time: time, duration: duration, value: value, contact: contact, zone: zone)
    }

    mutating func append(_ column: ValueColumn) {
        if let index = values.firstIndex(where: { $0.type == column.type }) {
            values[index].append(0..<column.count, of: column)
        } else {
            values.append(column)
        }
    }

    mutating func append(_ other: SampleBatch) {
        for column in other.values { append(column) }
        positions.append(0..<other.positions.count, of: other.positions)
    }

    mutating func append(_ measurement: Measurement) {
        append(
            column: column(of: measurement.type), time: measurement.time.milliseconds,
            duration: measurement.duration.milliseconds, value: measurement.type.scaled(measurement.value),
            zone: measurement.zoneOffset.column)
    }

    /// Removes the data types of a group.
    mutating func remove(_ group: DataType.Group) {
        switch group {
        case .position: positions = PositionColumn()
        case .health: values = []
        }
    }

    /// Removes all data types that are not in a mask.
    mutating func keep(_ types: Int64) {
        values.removeAll { types & $0.type.bit == 0 }
        if types & DataType.position.bit == 0 { positions = PositionColumn() }
    }

    /// The samples of a normalized batch that begin from `from` to before `to` (milliseconds since 1970).
    func between(_ from: Int64, _ to: Int64) -> SampleBatch {
        var result = SampleBatch()
        for column in values {
            var part = column.emptied
            part.append(column.times.range(from: from, to: to), of: column)
            if part.count > 0 { result.values.append(part) }
        }
        result.positions.append(positions.times.range(from: from, to: to), of: positions)
        return result
    }

    /// Orders each column by time, drops exact repeats and empty columns.
    mutating func normalize() {
        for index in values.indices { values[index].normalize() }
        values.removeAll { $0.count == 0 }
        positions.normalize()
    }

    /// One bit per data type, the one of its number.
    var types: Int64 {
        values.reduce(positions.count > 0 ? DataType.position.bit : 0) { $0 | $1.type.bit }
    }

    /// Of a normalized batch that is not empty: its first and last time, in milliseconds since 1970.
    var span: (earliest: Int64, latest: Int64)? {
        let all = values.map(\.times) + [positions.times]
        guard let earliest = all.compactMap(\.first).min(), let latest = all.compactMap(\.last).max() else {
            return nil
        }
        return (earliest, latest)
    }

    var earliest: Int64 { span?.earliest ?? .max }

    /// Of a normalized batch: when the last sample of each of its data types begins, in milliseconds since 1970.
    var newestTimes: [(type: DataType, time: Int64)] {
        var result = values.compactMap { column in column.times.last.map { (type: column.type, time: $0) } }
        if let last = positions.times.last { result.append((type: .position, time: last)) }
        return result
    }
}

extension DataType {
    /// The bit of the data type in a set of them.
    var bit: Int64 { 1 << Int64(rawValue) }

    static func mask(_ types: some Sequence<DataType>) -> Int64 { types.reduce(0) { $0 | $1.bit } }

    /// Those of a mask.
    static func types(in mask: Int64) -> [DataType] { allCases.filter { mask & $0.bit != 0 } }
}
