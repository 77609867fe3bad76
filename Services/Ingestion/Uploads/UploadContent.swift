import Contracts
import Domain
import JSON
import Primitives

/// The content of an upload, as bytes that do not depend on how it was written: the same samples in another order, in
/// other series, or from another `start` are the same content, and so is one sample twice. Samples are taken as they
/// were sent, before they are validated, since validation depends on the clock.
struct UploadContent: Sendable {
    /// Samples that are compared with one another.
    private struct Column: Hashable, Comparable {
        let type: DataType
        /// As it was sent; empty for the canonical unit.
        let unit: String
        /// In minutes, or `ZoneColumn.unknown`.
        let zone: Int16

        init(_ series: SampleSeries) {
            type = series.type
            unit = series.unit == series.type.unit.description ? "" : series.unit ?? ""
            zone = series.zoneOffset.column
        }

        static func < (left: Column, right: Column) -> Bool {
            (left.type.rawValue, left.unit, left.zone) < (right.type.rawValue, right.unit, right.zone)
        }
    }

    /// One sample: its time, and the bits of its numbers (value, contact and duration; or latitude, longitude,
    /// altitude and accuracy).
    private struct Sample: Comparable {
        let time: Int64
        var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        @inline(__always) init(_ series: SampleSeries, _ index: Int) {
            time = series.time(index).microseconds
            if series.type == .position {
                numbers = (
                    UploadContent.bits(series.latitudes?[index]), UploadContent.bits(series.longitudes?[index]),
                    UploadContent.bits(series.altitudes.flatMap { $0[index] }),
                    UploadContent.bits(series.accuracies.flatMap { $0[index] })
                )
            } else {
                numbers.0 = UploadContent.bits(series.values?[index])
                numbers.1 = series.contact.map { $0[index] ? 1 : 2 } ?? 0
                numbers.2 = UInt64(bitPattern: series.durations?[index] ?? 0)
            }
        }

        static func == (left: Sample, right: Sample) -> Bool {
            left.time == right.time && left.numbers == right.numbers
        }

        static func < (left: Sample, right: Sample) -> Bool {
            left.time == right.time ? left.numbers < right.numbers : left.time < right.time
        }
    }

    /// To be hashed.
    private(set) var bytes: [UInt8] = []

    init(_ series: [UploadedSeries]) {
        var readable: [(column: Column, sent: SentSeries)] = []
        var unreadable: [[UInt8]] = []
        for one in series {
            switch one {
            case .read(let sent) where sent.series.shapeError == nil: readable.append((Column(sent.series), sent))
            case .read(let sent): unreadable.append(Self.text(of: sent.series))
            case .unreadable(let value, _):
                var text: [UInt8] = []
                Self.append(value, to: &text)
                unreadable.append(text)
            }
        }
        readable.sort { $0.column < $1.column }
        bytes.reserveCapacity(readable.reduce(64) { $0 + 64 + 40 * $1.sent.series.count })
        var start = 0
        while start < readable.count {
            let column = readable[start].column
            let end = readable[start...].firstIndex { $0.column != column } ?? readable.count
            add(column, readable[start..<end].map(\.sent))
            start = end
        }
        // No data type has the number 0.
        for text in unreadable.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes.append(0)
            Self.append(text: text, to: &bytes)
        }
    }

    /// The samples of one column, in order and each once.
    private mutating func add(_ column: Column, _ sent: [SentSeries]) {
        bytes.append(column.type.rawValue)
        Self.append(text: Array(column.unit.utf8), to: &bytes)
        Self.append(UInt64(bitPattern: Int64(column.zone)), to: &bytes)
        // What a device nearly always sends is in order, and need not be gathered to be put into it.
        if let only = sent.first, sent.count == 1, Self.isAscending(only.series) {
            Self.append(UInt64(only.series.count), to: &bytes)
            for index in 0..<only.series.count {
                add(Sample(only.series, index), isPosition: column.type == .position)
            }
            return
        }
        let samples = Self.distinct(sent.flatMap { one in (0..<one.series.count).map { Sample(one.series, $0) } })
        Self.append(UInt64(samples.count), to: &bytes)
        for sample in samples { add(sample, isPosition: column.type == .position) }
    }

    @inline(__always) private mutating func add(_ sample: Sample, isPosition: Bool) {
        let numbers = sample.numbers
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { words in
            words[0] = UInt64(bitPattern: sample.time).bigEndian
            words[1] = numbers.0.bigEndian
            words[2] = numbers.1.bigEndian
            words[3] = numbers.2.bigEndian
            words[4] = numbers.3.bigEndian
            bytes.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(words)[..<(isPosition ? 40 : 32)]))
        }
    }

    private static func isAscending(_ series: SampleSeries) -> Bool {
        for index in series.offsets.indices.dropFirst() where series.time(index - 1) >= series.time(index) {
            return false
        }
        return true
    }

    private static func distinct(_ samples: [Sample]) -> [Sample] {
        var result: [Sample] = []
        result.reserveCapacity(samples.count)
        for sample in samples.sorted() where result.last != sample { result.append(sample) }
        return result
    }

    /// The bits that stand for an absent number belong to no number of JSON, nor to one that was sent as `null`.
    private static func bits(_ number: Double?) -> UInt64 { number.map { ($0 + 0.0).bitPattern } ?? .max }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(text: [UInt8], to bytes: inout [UInt8]) {
        append(UInt64(text.count), to: &bytes)
        bytes += text
    }

    // MARK: What cannot be read as samples

    /// A series whose columns do not fit together.
    private static func text(of series: SampleSeries) -> [UInt8] {
        var text: [UInt8] = [series.type.rawValue]
        append(text: Array((series.unit ?? "").utf8), to: &text)
        append(UInt64(bitPattern: series.start.microseconds), to: &text)
        append(UInt64(bitPattern: Int64(series.zoneOffset.column)), to: &text)
        append(column: series.offsets.map { UInt64(bitPattern: $0) }, to: &text)
        append(column: series.durations?.map { UInt64(bitPattern: $0) }, to: &text)
        append(column: series.contact?.map { $0 ? 1 : 2 }, to: &text)
        for column in [series.values, series.latitudes, series.longitudes] {
            append(column: column?.map { bits($0) }, to: &text)
        }
        for column in [series.altitudes, series.accuracies] { append(column: column?.map { bits($0) }, to: &text) }
        return text
    }

    private static func append(column: [UInt64]?, to bytes: inout [UInt8]) {
        append(column.map { UInt64($0.count) } ?? .max, to: &bytes)
        for number in column ?? [] { append(number, to: &bytes) }
    }

    /// Members in the order of their names.
    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(UInt8(ascii: "n"))
        case .bool(let value): bytes.append(UInt8(ascii: value ? "t" : "f"))
        case .integer(let value): append(tag: "d", bits(Double(value)), to: &bytes)
        case .number(let value): append(tag: "d", bits(value), to: &bytes)
        case .string(let value):
            bytes.append(UInt8(ascii: "s"))
            append(text: Array(value.utf8), to: &bytes)
        case .array(let elements):
            append(tag: "a", UInt64(elements.count), to: &bytes)
            for element in elements { append(element, to: &bytes) }
        case .object(let object):
            append(tag: "o", UInt64(object.members.count), to: &bytes)
            for member in object.members.sorted(by: { $0.key < $1.key }) {
                append(text: Array(member.key.utf8), to: &bytes)
                append(member.value, to: &bytes)
            }
        }
    }

    private static func append(tag: Unicode.Scalar, _ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: tag))
        append(number, to: &bytes)
    }
}
