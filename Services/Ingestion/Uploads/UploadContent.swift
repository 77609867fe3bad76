import Contracts
import Domain
import JSON
import Primitives

/// The content of an upload, as bytes that do not depend on how it was written: the same samples in another order, in
/// other series, or from another `start` are the same content, and so is one sample twice. Samples are taken as they
/// were sent, before they are validated, since validation depends on the clock.
struct UploadContent: Sendable {
    /// Samples that are compared with one another.
    private struct Column: Hashable {
        let type: DataType
        /// As it was sent; empty for the canonical unit.
        let unit: String
        /// In minutes, or `ZoneColumn.unknown`.
        let zone: Int16
    }

    /// One sample: its time, and the bits of its numbers (value, contact and duration; or latitude, longitude,
    /// altitude and accuracy).
    private struct Sample: Comparable {
        let time: Int64
        var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        static func == (left: Sample, right: Sample) -> Bool {
            left.time == right.time && left.numbers == right.numbers
        }

        static func < (left: Sample, right: Sample) -> Bool {
            left.time == right.time ? left.numbers < right.numbers : left.time < right.time
        }
    }

    /// To be hashed.
    let bytes: [UInt8]

    init(_ series: [UploadedSeries]) {
        var columns: [Column: [Sample]] = [:]
        var unreadable: [[UInt8]] = []
        for one in series {
            switch one {
            case .readable(let series) where series.shapeError == nil:
                let isCanonical = series.unit == series.type.unit.description
                let column = Column(
                    type: series.type, unit: isCanonical ? "" : series.unit ?? "", zone: series.zoneOffset.column)
                columns[column, default: []] += Self.samples(of: series)
            case .readable(let series): unreadable.append(Self.text(of: series))
            case .unreadable(let value, _):
                var text: [UInt8] = []
                Self.append(value, to: &text)
                unreadable.append(text)
            }
        }
        bytes = Self.bytes(columns, unreadable)
    }

    private static func samples(of series: SampleSeries) -> [Sample] {
        series.offsets.indices.map { index in
            var sample = Sample(time: series.time(index).microseconds)
            if series.type == .position {
                sample.numbers = (
                    bits(series.latitudes?[index]), bits(series.longitudes?[index]),
                    bits(series.altitudes.flatMap { $0[index] }), bits(series.accuracies.flatMap { $0[index] })
                )
            } else {
                sample.numbers.0 = bits(series.values?[index])
                sample.numbers.1 = series.contact.map { $0[index] ? 1 : 2 } ?? 0
                sample.numbers.2 = UInt64(bitPattern: series.durations?[index] ?? 0)
            }
            return sample
        }
    }

    /// The bits that stand for an absent number belong to no number of JSON.
    private static func bits(_ number: Double?) -> UInt64 { number.map { ($0 + 0.0).bitPattern } ?? .max }

    private static func bytes(_ columns: [Column: [Sample]], _ unreadable: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + 40 * columns.values.reduce(0) { $0 + $1.count })
        let ordered = columns.sorted {
            ($0.key.type.rawValue, $0.key.unit, $0.key.zone) < ($1.key.type.rawValue, $1.key.unit, $1.key.zone)
        }
        for (column, samples) in ordered {
            let distinct = Self.distinct(samples)
            bytes.append(column.type.rawValue)
            append(text: Array(column.unit.utf8), to: &bytes)
            append(UInt64(bitPattern: Int64(column.zone)), to: &bytes)
            append(UInt64(distinct.count), to: &bytes)
            for sample in distinct {
                append(UInt64(bitPattern: sample.time), to: &bytes)
                append(sample.numbers.0, to: &bytes)
                append(sample.numbers.1, to: &bytes)
                append(sample.numbers.2, to: &bytes)
                if column.type == .position { append(sample.numbers.3, to: &bytes) }
            }
        }
        // No data type has the number 0.
        for text in unreadable.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes.append(0)
            append(text: text, to: &bytes)
        }
        return bytes
    }

    private static func distinct(_ samples: [Sample]) -> [Sample] {
        let isAscending = !samples.indices.dropFirst().contains { samples[$0 - 1] >= samples[$0] }
        guard !isAscending else { return samples }
        var result: [Sample] = []
        for sample in samples.sorted() where result.last != sample { result.append(sample) }
        return result
    }

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
        var text: [UInt8] = []
        // A decoded series has nothing that cannot be written.
        if let written = try? JSONEncoder().encode(series),
            let value = try? JSONDecoder().decode(JSONValue.self, from: written)
        {
            append(value, to: &text)
        }
        return text
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
