import Domain

/// Why stored bytes are not samples.
enum SampleCodecError: Error, Equatable {
    case version(UInt8)
    case truncated
    case malformed(String)
}

/// The binary form of stored samples, before encryption.
///
/// ```
/// batch    = version (1) columns:varint column*
/// column   = type:byte count:varint times (values contacts | latitudes longitudes altitudes accuracies)
/// times    = sparse(the first, in milliseconds since 1970) sparse(differences between differences, the first from 0)
/// values   = sparse(differences of scaled integers, from 0)        one per sample; see DataType.decimals
/// contacts = 0 (not told) | 1 (contact at all) | 2 sparse(0 with contact, 1 without)
/// latitudes, longitudes = sparse(differences of 1e-7 degrees, from 0)
/// altitudes, accuracies = presence known                          decimetres
/// presence = 0 (none is known) | 1 (all are) | 2 sparse(1 where known, 0 where not)
/// known    = sparse(differences of those known, from 0)
/// sparse   = numbers in zigzag LEB128, but a run of n zeros is 0 and the varint n - 1
/// ```
///
/// A rate measured every second with small changes takes about one byte a sample. Type numbers never change their meaning; a
/// change of anything else is a new version, and all versions stay readable.
enum SampleCodec {
    static let version: UInt8 = 1

    static func encode(_ batch: SampleBatch) -> [UInt8] {
        var writer = ColumnWriter()
        writer.reserve(16 + 3 * batch.count)
        writer.byte(version)
        writer.varint(UInt64(batch.values.count + (batch.positions.count > 0 ? 1 : 0)))
        for column in batch.values {
            begin(column.type, column.times, &writer)
            writer.sparse(Differences(column.values))
            encode(contacts: column.contacts, &writer)
        }
        if batch.positions.count > 0 { encode(batch.positions, &writer) }
        return writer.bytes
    }

    private static func encode(contacts: [Bool]?, _ writer: inout ColumnWriter) {
        guard let contacts else { return writer.byte(0) }
        guard contacts.contains(false) else { return writer.byte(1) }
        writer.byte(2)
        writer.sparse(contacts.lazy.map { $0 ? 0 : 1 })
    }

    private static func encode(_ column: PositionColumn, _ writer: inout ColumnWriter) {
        begin(.position, column.times, &writer)
        writer.sparse(Differences(column.latitudes.map(Int64.init)))
        writer.sparse(Differences(column.longitudes.map(Int64.init)))
        for optional in [column.altitudes, column.accuracies] {
            let known = optional.filter { $0 != PositionColumn.unknown }
            writer.byte(known.isEmpty ? 0 : known.count == optional.count ? 1 : 2)
            if !known.isEmpty, known.count < optional.count {
                writer.sparse(optional.lazy.map { $0 == PositionColumn.unknown ? 0 : 1 })
            }
            writer.sparse(Differences(known.map(Int64.init)))
        }
    }

    private static func begin(_ type: DataType, _ times: [Int64], _ writer: inout ColumnWriter) {
        writer.byte(type.rawValue)
        writer.varint(UInt64(times.count))
        guard let first = times.first else { return }
        writer.sparse(CollectionOfOne(first))
        var last = (time: first, difference: Int64(0))
        writer.sparse(
            times.dropFirst().map { time in
                let difference = time &- last.time
                defer { last = (time, difference) }
                return difference &- last.difference
            })
    }

    // MARK: Reading

    static func decode(_ bytes: [UInt8]) throws(SampleCodecError) -> SampleBatch {
        let result: Result<SampleBatch, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try decode(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) throws(SampleCodecError) -> SampleBatch {
        var reader = ColumnReader(bytes)
        let found = try reader.byte()
        guard found == version else { throw .version(found) }
        var columns: [ValueColumn] = []
        var positions = PositionColumn()
        for _ in 0..<(try reader.count(max: DataType.allCases.count)) {
            guard let type = DataType(rawValue: try reader.byte()) else { throw .malformed("an unknown data type") }
            let count = try reader.count(max: SampleBatch.samplesMax)
            let times = try times(count, &reader)
            if type == .position {
                positions = try self.positions(times, &reader)
            } else {
                let values = try sums(count, &reader)
                columns.append(
                    ValueColumn(type: type, times: times, values: values, contacts: try contacts(count, &reader)))
            }
        }
        guard reader.isAtEnd else { throw .malformed("more bytes than columns") }
        return SampleBatch(values: columns, positions: positions)
    }

    private static func times(_ count: Int, _ reader: inout ColumnReader) throws(SampleCodecError) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(count)
        guard count > 0 else { return times }
        try reader.sparse(1) { times.append($0) }
        var (last, difference) = (times[0], Int64(0))
        try reader.sparse(count - 1) { change in
            difference &+= change
            last &+= difference
            times.append(last)
        }
        return times
    }

    private static func sums(_ count: Int, _ reader: inout ColumnReader) throws(SampleCodecError) -> [Int64] {
        var values: [Int64] = []
        values.reserveCapacity(count)
        var last: Int64 = 0
        try reader.sparse(count) { difference in
            last &+= difference
            values.append(last)
        }
        return values
    }

    private static func contacts(_ count: Int, _ reader: inout ColumnReader) throws(SampleCodecError) -> [Bool]? {
        switch try reader.byte() {
        case 0: return nil
        case 1: return [Bool](repeating: true, count: count)
        case 2:
            var contacts: [Bool] = []
            contacts.reserveCapacity(count)
            try reader.sparse(count) { contacts.append($0 == 0) }
            return contacts
        default: throw .malformed("an unknown mark of contact")
        }
    }

    private static func positions(
        _ times: [Int64], _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> PositionColumn {
        var column = PositionColumn()
        column.times = times
        column.latitudes = try sums(times.count, &reader).map(Int32.init(truncatingIfNeeded:))
        column.longitudes = try sums(times.count, &reader).map(Int32.init(truncatingIfNeeded:))
        column.altitudes = try optionals(times.count, &reader)
        column.accuracies = try optionals(times.count, &reader)
        return column
    }

    private static func optionals(_ count: Int, _ reader: inout ColumnReader) throws(SampleCodecError) -> [Int32] {
        var isKnown = [Bool](repeating: false, count: count)
        switch try reader.byte() {
        case 0: return [Int32](repeating: PositionColumn.unknown, count: count)
        case 1: isKnown = [Bool](repeating: true, count: count)
        case 2:
            var index = 0
            try reader.sparse(count) { flag in
                isKnown[index] = flag != 0
                index += 1
            }
        default: throw .malformed("an unknown mark of presence")
        }
        var known = try sums(isKnown.count { $0 }, &reader).makeIterator()
        return isKnown.map {
            $0 ? known.next().map(Int32.init(truncatingIfNeeded:)) ?? PositionColumn.unknown : PositionColumn.unknown
        }
    }
}

/// The differences between neighbours, the first one from 0.
private struct Differences: Sequence, IteratorProtocol {
    private let numbers: [Int64]
    private var index = 0
    private var last: Int64 = 0

    init(_ numbers: [Int64]) {
        self.numbers = numbers
    }

    mutating func next() -> Int64? {
        guard index < numbers.count else { return nil }
        defer { index += 1 }
        let difference = numbers[index] &- last
        last = numbers[index]
        return difference
    }
}
