import Domain

/// The samples of one data type that are single values, column by column: what is stored, in the integers it is stored as.
struct ValueColumn: Equatable, Sendable {
    let type: DataType
    /// Milliseconds since 1970, ascending; finer times are rounded down.
    var times: [Int64]
    /// In units of the last decimal place that is kept (`DataType.scaled`).
    var values: [Int64]

    var count: Int { times.count }

    init(type: DataType, times: [Int64] = [], values: [Int64] = []) {
        self.type = type
        self.times = times
        self.values = values
    }

    mutating func append(time: Int64, value: Int64) {
        times.append(time)
        values.append(value)
    }

    /// Orders by time and drops exact repeats.
    mutating func normalize() {
        var isAscending = true
        for index in times.indices.dropFirst()
        where times[index] < times[index - 1]
            || times[index] == times[index - 1] && values[index] <= values[index - 1]
        {
            isAscending = false
            break
        }
        guard !isAscending else { return }
        let order = times.indices.sorted { (times[$0], values[$0]) < (times[$1], values[$1]) }
        var result = ValueColumn(type: type)
        for index in order where result.times.last != times[index] || result.values.last != values[index] {
            result.append(time: times[index], value: values[index])
        }
        self = result
    }

    /// Whether a value means that the sensor touched nobody: stored, shown as measured, but no measurement of the person.
    static func isWithoutContact(_ type: DataType, _ value: Int64) -> Bool {
        guard value == 0 else { return false }
        return type == .heartRate || type == .oxygenSaturation || type == .respirationRate
    }
}
