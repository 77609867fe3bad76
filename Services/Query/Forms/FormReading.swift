import Contracts
import Domain
import Primitives
import Security

/// What a value says of the samples measured in its time, when it is no sample itself.
enum ReadingStatistic: UInt8, CaseIterable {
    case mean = 1
    case sum = 2
}

/// One value of a series.
struct FormReading {
    let time: Timestamp
    /// How long it lasted; 0: an instant.
    let milliseconds: Int64
    /// As `DataType.scaled`; `nil` for a reading that is no value of the person: without contact, or not plausible.
    let value: Int64?

    var end: Timestamp { time.adding(milliseconds: milliseconds) }
}

/// The values of a series in the canonical unit. Not for positions.
struct FormReadings {
    let series: SampleSeries
    private let values: [Double]
    private let conversion: UnitConversion

    /// Errors: a unit that the type is not measured in.
    init(_ series: SampleSeries) throws(UnitError) {
        self.series = series
        values = series.values ?? []
        conversion = try series.type.conversion(from: series.unit)
    }

    var indices: Range<Int> { values.indices }

    subscript(index: Int) -> FormReading {
        let type = series.type
        let value = conversion.canonical(values[index])
        let isValue = series.hasContact(index) && type.plausible.contains(value)
        return FormReading(
            time: series.time(index), milliseconds: series.durations?[index] ?? 0,
            value: isValue ? type.scaled(value) : nil)
    }
}

/// Identifiers that follow from what they name (version 5 UUIDs): the same reading of a request has the same one in every file and
/// both forms, so that who imports it twice has it once. Readings of two sources that agree in type, time, duration and value are
/// one. Without the request's identifier nothing of the reading can be told from it.
struct ReadingNames {
    private let request: UUID
    private var name: [UInt8] = []

    init(of request: UUID) {
        self.request = request
    }

    /// `kind` is the number of a data type, or 0 for a blood pressure of two values.
    mutating func id(
        _ kind: UInt8, _ statistic: ReadingStatistic?, _ time: Timestamp, _ milliseconds: Int64, _ values: Int64?...
    ) -> UUID {
        name.removeAll(keepingCapacity: true)
        name.append(kind)
        name.append(statistic?.rawValue ?? 0)
        append(time.microseconds)
        append(milliseconds)
        for value in values { append(value ?? .min) }
        return .named(name, in: request)
    }

    private mutating func append(_ word: Int64) {
        withUnsafeBytes(of: word.bigEndian) { name.append(contentsOf: $0) }
    }
}
