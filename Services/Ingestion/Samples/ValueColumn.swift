import Domain

/// The samples of one data type that are single values, column by column: what is stored, in the integers it is stored as.
struct ValueColumn: SampleColumn {
    let type: DataType
    /// Milliseconds since 1970, ascending; finer times are rounded down. Of an interval, its beginning.
    private(set) var times: [Int64]
    /// How long the samples lasted, in milliseconds; `nil` when all are instants.
    private(set) var durations: [Int64]?
    /// In units of the last decimal place that is kept (`DataType.scaled`).
    private(set) var values: [Int64]
    /// Whether the sensor touched the person (SOS-11); `nil` when the device told it of none of the samples.
    private(set) var contacts: [Bool]?
    private(set) var zones: ZoneColumn

    var emptied: ValueColumn { ValueColumn(type: type) }

    /// The columns must be of the same length. Without `zones` they were not told.
    init(
        type: DataType, times: [Int64] = [], durations: [Int64]? = nil, values: [Int64] = [],
        contacts: [Bool]? = nil, zones: ZoneColumn? = nil
    ) {
        self.type = type
        self.times = times
        self.durations = durations?.contains { $0 != 0 } == true ? durations : nil
        self.values = values
        self.contacts = contacts
        self.zones = zones ?? ZoneColumn(repeating: ZoneColumn.unknown, count: times.count)
    }

    /// When other samples have `contact`, that of one without it follows from the value. `zone` is in minutes, or
    /// `ZoneColumn.unknown`.
    mutating func append(
        time: Int64, duration: Int64 = 0, value: Int64, contact: Bool? = nil, zone: Int16 = ZoneColumn.unknown
    ) {
        if contact != nil, contacts == nil { contacts = values.map(contactByValue) }
        if duration != 0, durations == nil { durations = [Int64](repeating: 0, count: count) }
        times.append(time)
        durations?.append(duration)
        values.append(value)
        let hasContact = contact ?? contactByValue(value)
        contacts?.append(hasContact)
        zones.append(zone)
    }

    mutating func append(_ index: Int, of other: ValueColumn) {
        append(
            time: other.times[index], duration: other.duration(index), value: other.values[index],
            contact: other.contacts?[index], zone: other.zones[index])
    }

    mutating func append(_ range: Range<Int>, of other: ValueColumn) { append(range, of: other, zone: nil) }

    /// With another zone (minutes) than they have.
    mutating func append(_ range: Range<Int>, of other: ValueColumn, zone: Int16?) {
        if contacts == nil, other.contacts != nil { contacts = values.map(contactByValue) }
        if let told = other.contacts {
            contacts?.append(contentsOf: told[range])
        } else {
            contacts?.append(contentsOf: other.values[range].lazy.map(other.contactByValue))
        }
        if durations == nil, other.durations?[range].contains(where: { $0 != 0 }) == true {
            durations = [Int64](repeating: 0, count: count)
        }
        durations?.append(contentsOf: range.lazy.map(other.duration))
        times += other.times[range]
        values += other.values[range]
        if let zone { zones.append(zone, count: range.count) } else { zones.append(range, of: other.zones) }
    }

    /// In milliseconds; 0 of an instant.
    func duration(_ index: Int) -> Int64 { durations?[index] ?? 0 }

    /// Whether the sample is a value of the person. A reading without contact is kept and shown as such, and counts
    /// nowhere.
    func hasContact(_ index: Int) -> Bool { contacts?[index] ?? contactByValue(values[index]) }

    private func contactByValue(_ value: Int64) -> Bool { value != 0 || !type.isZeroWithoutContact }

    /// Orders by time; repeats of different sources stay.
    mutating func sort() {
        guard times.indices.dropFirst().contains(where: { isBefore($0, $0 - 1) }) else { return }
        var result = emptied
        for range in times.indices.sorted(by: { isBefore($0, $1) }).runs { result.append(range, of: self) }
        self = result
    }

    func isBefore(_ left: Int, _ right: Int) -> Bool {
        guard times[left] == times[right] else { return times[left] < times[right] }
        return key(left) < key(right)
    }

    private func key(_ index: Int) -> (Int64, Int64, Int) {
        (duration(index), values[index], contacts.map { $0[index] ? 1 : 0 } ?? -1)
    }
}
