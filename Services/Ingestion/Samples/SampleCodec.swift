import Domain
import Primitives

/// Why stored bytes are not samples.
enum SampleCodecError: Error, Equatable {
    case version(UInt8)
    case truncated
    case malformed(String)
}

/// The binary form of a stored batch, before encryption.
///
/// ```
/// batch    = version (2) << 5 | columns, column*                  columns: 31 when a varint follows, of those beyond 31
/// column   = head:varint [count:varint times] zones [durations] (values [contacts] | latitudes longitudes altitudes accuracies)
/// head     = type << 6 | same times << 5 | zones << 3 | durations << 2 | contacts
/// times    = sparse(the first, in milliseconds since 1970, less that of the column before)
///            sparse(differences between differences, the first from 0); none with "same times": those of the column before
/// zones    = 0 (none is known) | 1 (that of the last sample before) | 2 zone | 3 runs:varint (zone length:varint)*
/// zone     = varint: 0 not known; 2q + 1 for q quarters of an hour, in zigzag; 2m + 2 for m minutes, in zigzag
/// durations = sparse(differences of milliseconds, from 0)          only when not all samples are instants
/// values   = sparse(differences of scaled integers, from 0)        one per sample; see DataType.decimals
/// contacts = 0 (not told) | 1 (contact at all) | 2 sparse(0 with contact, 1 without)
/// latitudes, longitudes = sparse(differences of 1e-7 degrees, from 0)
/// altitudes, accuracies = presence known                          decimetres
/// presence = 0 (none is known) | 1 (all are) | 2 sparse(1 where known, 0 where not)
/// known    = sparse(differences of those known, from 0)
/// sparse   = numbers in zigzag LEB128, but a run of n zeros is 0 and the varint n - 1
/// ```
///
/// A rate measured every second with small changes takes about one byte a sample, and a second data type that is measured at
/// the same times no times at all. Type numbers never change their meaning; a change of anything else is a new version.
enum SampleCodec {
    static let version: UInt8 = 2
    private static let columnsMax = 31

    // MARK: Writing

    static func encode(_ batch: SampleBatch) -> [UInt8] {
        let columns = batch.values.count + (batch.positions.count > 0 ? 1 : 0)
        var writer = Writer(columns: columns, sizeExpected: 16 + 3 * batch.count)
        for column in batch.values { writer.write(column) }
        if batch.positions.count > 0 { writer.write(batch.positions) }
        return writer.bytes.bytes
    }

    private struct Writer {
        var bytes = ColumnWriter()
        private var times: [Int64] = []
        private var zone = ZoneColumn.unknown

        init(columns: Int, sizeExpected: Int) {
            bytes.reserve(sizeExpected)
            bytes.byte(version << 5 | UInt8(min(columns, columnsMax)))
            if columns >= columnsMax { bytes.varint(UInt64(columns - columnsMax)) }
        }

        mutating func write(_ column: ValueColumn) {
            let contacts: UInt64 = column.contacts.map { $0.contains(false) ? 2 : 1 } ?? 0
            begin(column.type, column.times, column.zones, flags: (column.durations == nil ? 0 : 4) | contacts)
            if let durations = column.durations { bytes.sparse(Differences(durations)) }
            bytes.sparse(Differences(column.values))
            if contacts == 2 { bytes.sparse((column.contacts ?? []).lazy.map { $0 ? 0 : 1 }) }
        }

        mutating func write(_ column: PositionColumn) {
            begin(.position, column.times, column.zones, flags: 0)
            bytes.sparse(Differences(column.latitudes.map(Int64.init)))
            bytes.sparse(Differences(column.longitudes.map(Int64.init)))
            for optional in [column.altitudes, column.accuracies] {
                let known = optional.filter { $0 != PositionColumn.unknown }
                bytes.byte(known.isEmpty ? 0 : known.count == optional.count ? 1 : 2)
                if !known.isEmpty, known.count < optional.count {
                    bytes.sparse(optional.lazy.map { $0 == PositionColumn.unknown ? 0 : 1 })
                }
                bytes.sparse(Differences(known.map(Int64.init)))
            }
        }

        private mutating func begin(_ type: DataType, _ times: [Int64], _ zones: ZoneColumn, flags: UInt64) {
            let isSame = !times.isEmpty && times == self.times
            let zonesForm: UInt64 =
                switch zones.runs.count {
                case 0: 0
                case 1: zones.runs[0].minutes == zone ? 1 : 2
                default: 3
                }
            bytes.varint(UInt64(type.rawValue) << 6 | (isSame ? 1 << 5 : 0) | zonesForm << 3 | flags)
            if !isSame { write(times) }
            if zonesForm == 3 { bytes.varint(UInt64(zones.runs.count)) }
            if zonesForm >= 2 {
                var start = 0
                for run in zones.runs {
                    bytes.varint(ZoneCode.encode(run.minutes))
                    if zonesForm == 3 { bytes.varint(UInt64(run.end - start)) }
                    start = run.end
                }
            }
            zone = zones.runs.last?.minutes ?? zone
        }

        private mutating func write(_ times: [Int64]) {
            bytes.varint(UInt64(times.count))
            guard let first = times.first else { return }
            bytes.sparse(CollectionOfOne(first &- (self.times.first ?? 0)))
            var last = (time: first, difference: Int64(0))
            bytes.sparse(
                times.dropFirst().map { time in
                    let difference = time &- last.time
                    defer { last = (time, difference) }
                    return difference &- last.difference
                })
            self.times = times
        }
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
        let begin = try reader.byte()
        guard begin >> 5 == version else { throw .version(begin >> 5) }
        var columnCount = Int(begin & 31)
        if columnCount == columnsMax { columnCount += try reader.count(max: DataType.allCases.count) }
        var columns: [ValueColumn] = []
        var positions: PositionColumn?
        var (times, zone) = ([Int64](), ZoneColumn.unknown)
        for _ in 0..<columnCount {
            let head = try reader.varint()
            guard let type = UInt8(exactly: head >> 6).flatMap(DataType.init(rawValue:)) else {
                throw .malformed("an unknown data type")
            }
            if head & 1 << 5 == 0 {
                times = try self.times(times.first ?? 0, &reader)
            } else if times.isEmpty {
                throw .malformed("no times before")
            }
            let zones = try zones(head >> 3 & 3, times.count, &zone, &reader)
            if type == .position {
                guard positions == nil else { throw .malformed("a second column of positions") }
                guard head & 7 == 0 else { throw .malformed("positions with durations or contact") }
                positions = try self.positions(times, zones, &reader)
            } else {
                guard !columns.contains(where: { $0.type == type }) else {
                    throw .malformed("a second column of a type")
                }
                let durations = head & 4 == 0 ? nil : try durations(times.count, &reader)
                let values = try sums(times.count, &reader)
                let contacts = try contacts(head & 3, times.count, &reader)
                columns.append(
                    ValueColumn(
                        type: type, times: times, durations: durations, values: values, contacts: contacts,
                        zones: zones))
            }
        }
        guard reader.isAtEnd else { throw .malformed("more bytes than columns") }
        return SampleBatch(values: columns, positions: positions ?? PositionColumn())
    }

    private static func times(
        _ before: Int64, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> [Int64] {
        let count = try reader.count(max: SampleBatch.samplesMax)
        var times: [Int64] = []
        times.reserveCapacity(count)
        guard count > 0 else { return times }
        try reader.sparse(1) { times.append(before &+ $0) }
        var (last, difference) = (times[0], Int64(0))
        try reader.sparse(count - 1) { change in
            difference &+= change
            last &+= difference
            times.append(last)
        }
        return times
    }

    private static func zones(
        _ form: UInt64, _ count: Int, _ zone: inout Int16, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> ZoneColumn {
        var zones = ZoneColumn()
        switch form {
        case 0: return ZoneColumn(repeating: ZoneColumn.unknown, count: count)
        case 3:
            for _ in 0..<(try reader.count(max: count)) {
                zone = try ZoneCode.decode(try reader.varint())
                zones.append(zone, count: try reader.count(max: count - zones.count))
            }
            guard zones.count == count else { throw .malformed("zones of other samples") }
        case let form:
            if form == 2 { zone = try ZoneCode.decode(try reader.varint()) }
            zones.append(zone, count: count)
        }
        return zones
    }

    private static func durations(
        _ count: Int, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> [Int64] {
        let durations = try sums(count, &reader)
        let longest = Measurement.durationMax.milliseconds
        guard durations.allSatisfy({ 0...longest ~= $0 }) else { throw .malformed("a duration out of range") }
        return durations
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

    private static func contacts(
        _ form: UInt64, _ count: Int, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> [Bool]? {
        switch form {
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
        _ times: [Int64], _ zones: ZoneColumn, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> PositionColumn {
        PositionColumn(
            times: times, latitudes: try sums(times.count, &reader).map(Int32.init(truncatingIfNeeded:)),
            longitudes: try sums(times.count, &reader).map(Int32.init(truncatingIfNeeded:)),
            altitudes: try optionals(times.count, &reader), accuracies: try optionals(times.count, &reader),
            zones: zones)
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

/// The number that stands for an offset of local time: small for those that are in use.
enum ZoneCode {
    static func encode(_ minutes: Int16) -> UInt64 {
        guard minutes != ZoneColumn.unknown else { return 0 }
        let (quarters, rest) = Int64(minutes).quotientAndRemainder(dividingBy: 15)
        return rest == 0 ? Zigzag.encode(quarters) << 1 | 1 : (Zigzag.encode(Int64(minutes)) + 1) << 1
    }

    static func decode(_ code: UInt64) throws(SampleCodecError) -> Int16 {
        guard code != 0 else { return ZoneColumn.unknown }
        guard code < 1 << 14 else { throw .malformed("an offset of more than 18 hours") }
        let minutes = code & 1 == 1 ? 15 * Zigzag.decode(code >> 1) : Zigzag.decode((code >> 1) - 1)
        guard let offset = ZoneOffset(minutes: Int(minutes)) else {
            throw .malformed("an offset of more than 18 hours")
        }
        return offset.minutes
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
