import Domain

/// The samples of one data type that are single values, column by column: what is stored, in the integers it is stored as.
struct ValueColumn: Equatable, Sendable {
    let type: DataType
    /// Milliseconds since 1970, ascending; finer times are rounded down.
    var times: [Int64]
    /// In units of the last decimal place that is kept (`DataType.scaled`).
    var values: [Int64]

    /// Whether the sensor touched the person, where a device tells; for the live feed, and not stored.
    private(set) var contacts: [Bool]?

    var count: Int { times.count }

    init(type: DataType, times: [Int64] = [], values: [Int64] = []) {
        self.type = type
        self.times = times
        self.values = values
    }

    /// Beside samples with `contact`, of one without it the value says whether there was any.
    mutating func append(time: Int64, value: Int64, contact: Bool? = nil) {
        if contact != nil, contacts == nil { contacts = values.map { $0 != 0 } }
        times.append(time)
        values.append(value)
        contacts?.append(contact ?? (value != 0))
    }

    mutating func append(_ range: Range<Int>, of other: ValueColumn) {
        times += other.times[range]
        values += other.values[range]
    }

    /// Orders by time and drops exact repeats.
    mutating func normalize() {
        guard !isAscending(orEqual: false) else { return }
        let order = times.indices.sorted { (times[$0], values[$0]) < (times[$1], values[$1]) }
        var result = ValueColumn(type: type)
        for index in order where result.times.last != times[index] || result.values.last != values[index] {
            result.append(time: times[index], value: values[index], contact: contacts?[index])
        }
        self = result
    }

    /// Orders by time; repeats stay, which are of different sources.
    mutating func sort() {
        guard !isAscending(orEqual: true) else { return }
        let order = times.indices.sorted { (times[$0], values[$0]) < (times[$1], values[$1]) }
        var result = ValueColumn(type: type)
        for index in order { result.append(time: times[index], value: values[index], contact: contacts?[index]) }
        self = result
    }

    private func isAscending(orEqual: Bool) -> Bool {
        times.indices.dropFirst().allSatisfy { index in
            times[index - 1] < times[index]
                || times[index - 1] == times[index]
                    && (values[index - 1] < values[index] || orEqual && values[index - 1] == values[index])
        }
    }

    /// Whether a value means that the sensor touched nobody: stored, shown as measured, but no measurement of the person.
    static func isWithoutContact(_ type: DataType, _ value: Int64) -> Bool {
        guard value == 0 else { return false }
        return type == .heartRate || type == .oxygenSaturation || type == .respirationRate
    }
}
