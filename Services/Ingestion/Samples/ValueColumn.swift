import Domain

/// The samples of one data type that are single values, column by column: what is stored, in the integers it is stored as.
struct ValueColumn: Equatable, Sendable {
    let type: DataType
    /// Milliseconds since 1970, ascending; finer times are rounded down.
    private(set) var times: [Int64]
    /// In units of the last decimal place that is kept (`DataType.scaled`).
    private(set) var values: [Int64]
    /// Whether the sensor touched the person (SOS-11); `nil` when the device told it of none of the samples.
    private(set) var contacts: [Bool]?

    var count: Int { times.count }

    /// The columns must be of the same length.
    init(type: DataType, times: [Int64] = [], values: [Int64] = [], contacts: [Bool]? = nil) {
        self.type = type
        self.times = times
        self.values = values
        self.contacts = contacts
    }

    /// When other samples have `contact`, that of one without it follows from the value.
    mutating func append(time: Int64, value: Int64, contact: Bool? = nil) {
        if contact != nil, contacts == nil { contacts = values.map(contactByValue) }
        times.append(time)
        values.append(value)
        let hasContact = contact ?? contactByValue(value)
        contacts?.append(hasContact)
    }

    mutating func append(_ index: Int, of other: ValueColumn) {
        append(time: other.times[index], value: other.values[index], contact: other.contacts?[index])
    }

    mutating func append(_ range: Range<Int>, of other: ValueColumn) {
        if contacts != nil || other.contacts != nil {
            let before = contacts ?? values.map(contactByValue)
            contacts = before + (other.contacts.map { Array($0[range]) } ?? other.values[range].map(contactByValue))
        }
        times += other.times[range]
        values += other.values[range]
    }

    /// Whether the sample is a value of the person. A reading without contact is kept and shown as such, and counts
    /// nowhere.
    func hasContact(_ index: Int) -> Bool { contacts?[index] ?? contactByValue(values[index]) }

    private func contactByValue(_ value: Int64) -> Bool { value != 0 || !type.isZeroWithoutContact }

    /// Orders by time and drops exact repeats.
    mutating func normalize() {
        guard !isAscending(orEqual: false) else { return }
        var result = ValueColumn(type: type)
        var last: (Int64, Int64, Int)?
        for index in ordered {
            let key = key(index)
            if let last, last == key { continue }
            last = key
            result.append(index, of: self)
        }
        self = result
    }

    /// Orders by time; repeats of different sources stay.
    mutating func sort() {
        guard !isAscending(orEqual: true) else { return }
        var result = ValueColumn(type: type)
        for index in ordered { result.append(index, of: self) }
        self = result
    }

    private var ordered: [Int] { times.indices.sorted { key($0) < key($1) } }

    /// Samples with the same key are repeats.
    private func key(_ index: Int) -> (Int64, Int64, Int) {
        (times[index], values[index], contacts.map { $0[index] ? 1 : 0 } ?? -1)
    }

    private func isAscending(orEqual: Bool) -> Bool {
        times.indices.dropFirst().allSatisfy { index in
            times[index - 1] < times[index]
                || times[index - 1] == times[index]
                    && (key(index - 1) < key(index) || orEqual && key(index - 1) == key(index))
        }
    }
}
