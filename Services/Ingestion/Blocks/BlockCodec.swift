import Domain
import Primitives

/// The binary form of a block, before encryption.
///
/// ```
/// block    = version (1) last:varint, then in a range coder (RangeEncoder): sources:exact source*
/// last     = when the last sample begins, in milliseconds since the day's beginning in UTC, in zigzag
/// source   = number:exact samples:exact zones arrivals times (durations contacts values | positions)
/// zones    = runs:exact (zone:exact samples:exact)*              see ZoneCode
/// arrivals = groups:exact group*                                 groups of neighbours that came one after another
/// group    = step:number samples:number times:number             so often the next arrival is `step` later and brought
///                                                                so many neighbours; the first step is from 0
/// times    = series                                              see NumberSeries
/// durations = 0 | 1 series
/// contacts = 0 (not told) | 1 (contact at all) | 2 flags
/// values   = series
/// positions = latitudes longitudes altitudes accuracies: series series known known
/// known    = 0 (none is) | 1 series (all are) | 2 flags series (of those that are)
/// flags    = runs:exact samples:number*                          in turn set and not set
/// ```
///
/// Type and day are not in it: the block is bound to them where it lies. A vital sign every 30 s with 200 ms of jitter takes
/// less than two bytes a sample, nearly all of it jitter and noise. Type numbers never change their meaning; a change of
/// anything else is a new version.
enum BlockCodec {
    static let version: UInt8 = 1

    static func encode(_ block: BlockSamples) -> [UInt8] {
        var head = ColumnWriter()
        head.byte(version)
        head.zigzag(block.lastTime &- block.day.startUTC.milliseconds)
        var encoder = RangeEncoder(head.bytes)
        ExactNumber.encode(UInt64(block.sources.count), &encoder)
        for source in block.sources { encode(source, &encoder) }
        return encoder.finish()
    }

    private static func encode(_ source: SourceSamples, _ encoder: inout RangeEncoder) {
        ExactNumber.encode(Zigzag.encode(Int64(source.source)), &encoder)
        ExactNumber.encode(UInt64(source.count), &encoder)
        encode(source.zones, &encoder)
        ArrivalNumbers.encode(source.arrivals, &encoder)
        NumberSeries.encode(source.times, &encoder)
        if source.values.count > 0 {
            encode(source.values, &encoder)
        } else {
            let column = source.positions
            NumberSeries.encode(column.latitudes.map(Int64.init), &encoder)
            NumberSeries.encode(column.longitudes.map(Int64.init), &encoder)
            encode(known: column.altitudes, &encoder)
            encode(known: column.accuracies, &encoder)
        }
    }

    private static func encode(_ column: ValueColumn, _ encoder: inout RangeEncoder) {
        encoder.encode(raw: column.durations == nil ? 0 : 1, count: 1)
        if let durations = column.durations { NumberSeries.encode(durations, &encoder) }
        let contacts = column.contacts
        encoder.encode(raw: contacts.map { $0.contains(false) ? 2 : 1 } ?? 0, count: 2)
        if let contacts, contacts.contains(false) { Flags.encode(contacts, &encoder) }
        NumberSeries.encode(column.values, &encoder)
    }

    private static func encode(_ zones: ZoneColumn, _ encoder: inout RangeEncoder) {
        ExactNumber.encode(UInt64(zones.runs.count), &encoder)
        var start = 0
        for run in zones.runs {
            ExactNumber.encode(ZoneCode.encode(run.minutes), &encoder)
            ExactNumber.encode(UInt64(run.end - start), &encoder)
            start = run.end
        }
    }

    private static func encode(known optional: [Int32], _ encoder: inout RangeEncoder) {
        let isKnown = optional.map { $0 != PositionColumn.unknown }
        let known = optional.filter { $0 != PositionColumn.unknown }
        encoder.encode(raw: known.isEmpty ? 0 : known.count == optional.count ? 1 : 2, count: 2)
        if !known.isEmpty, known.count < optional.count { Flags.encode(isKnown, &encoder) }
        NumberSeries.encode(known.map(Int64.init), &encoder)
    }

    // MARK: Reading

    /// When the last sample of an encoded block begins, in milliseconds since 1970: without decoding the block.
    static func lastTime(_ bytes: [UInt8], day: CalendarDate) throws(SampleCodecError) -> Int64 {
        let result: Result<Int64, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try head(bytes, day).lastTime) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func head(
        _ bytes: UnsafeRawBufferPointer, _ day: CalendarDate
    ) throws(SampleCodecError) -> (lastTime: Int64, end: Int) {
        var reader = ColumnReader(bytes)
        let found = try reader.byte()
        guard found == version else { throw .version(found) }
        let last = try reader.zigzag()
        return (day.startUTC.milliseconds &+ last, reader.position)
    }

    /// Any bytes are safe: those that no `encode` wrote are an error, or are read as some samples, `samplesMax` at most.
    static func decode(
        _ bytes: [UInt8], type: DataType, day: CalendarDate, samplesMax: Int = BlockSamples.samplesMax
    ) throws(SampleCodecError) -> BlockSamples {
        let result: Result<BlockSamples, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try decode(bytes, type, day, samplesMax)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ type: DataType, _ day: CalendarDate, _ samplesMax: Int
    ) throws(SampleCodecError) -> BlockSamples {
        let head = try head(bytes, day)
        var decoder = RangeDecoder(bytes, from: head.end)
        var sources: [SourceSamples] = []
        var left = samplesMax
        for _ in 0..<(try count(&decoder, max: BlockSamples.sourcesMax)) {
            let source = try source(type, max: left, &decoder)
            guard sources.last.map({ $0.source < source.source }) ?? true else {
                throw .malformed("sources out of order")
            }
            left -= source.count
            sources.append(source)
        }
        guard !decoder.isTruncated else { throw .truncated }
        guard decoder.isAtEnd else { throw .malformed("more bytes than samples") }
        let block = BlockSamples(type: type, day: day, sources: sources)
        guard block.lastTime == head.lastTime else { throw .malformed("another last sample") }
        return block
    }

    /// A count that is at most `max`.
    fileprivate static func count(
        _ decoder: inout RangeDecoder, max: Int
    ) throws(SampleCodecError) -> Int {
        let count = ExactNumber.decode(&decoder)
        guard !decoder.isTruncated else { throw .truncated }
        guard count <= UInt64(max) else { throw .malformed("a count of \(count), more than \(max)") }
        return Int(count)
    }

    private static func source(
        _ type: DataType, max: Int, _ decoder: inout RangeDecoder
    ) throws(SampleCodecError) -> SourceSamples {
        guard let number = Int16(exactly: Zigzag.decode(ExactNumber.decode(&decoder))) else {
            throw .malformed("a source's number out of range")
        }
        let count = try count(&decoder, max: max)
        guard count > 0 else { throw .malformed("a source without samples") }
        let zones = try zones(count, &decoder)
        let arrivals = try ArrivalNumbers.decode(count, &decoder)
        let times = try series(count, &decoder)
        guard zip(times.dropFirst(), times).allSatisfy({ $0 >= $1 }) else { throw .malformed("times out of order") }
        if type == .position {
            let latitudes = try coordinates(count, &decoder)
            let longitudes = try coordinates(count, &decoder)
            let positions = PositionColumn(
                times: times, latitudes: latitudes, longitudes: longitudes, altitudes: try known(count, &decoder),
                accuracies: try known(count, &decoder), zones: zones)
            return SourceSamples(source: number, positions: positions, arrivals: arrivals)
        }
        let durations = decoder.decode(raw: 1) == 1 ? try durations(count, &decoder) : nil
        let contacts = try contacts(count, &decoder)
        let values = ValueColumn(
            type: type, times: times, durations: durations, values: try series(count, &decoder), contacts: contacts,
            zones: zones)
        return SourceSamples(source: number, values: values, arrivals: arrivals)
    }

    private static func series(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int64] {
        let numbers = try NumberSeries.decode(count, &decoder)
        guard !decoder.isTruncated else { throw .truncated }
        return numbers
    }

    private static func coordinates(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int32] {
        try series(count, &decoder).map(Int32.init(truncatingIfNeeded:))
    }

    private static func durations(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int64] {
        let durations = try series(count, &decoder)
        let longest = Measurement.durationMax.milliseconds
        guard durations.allSatisfy({ 0...longest ~= $0 }) else { throw .malformed("a duration out of range") }
        return durations
    }

    private static func contacts(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Bool]? {
        switch decoder.decode(raw: 2) {
        case 0: return nil
        case 1: return [Bool](repeating: true, count: count)
        case 2: return try Flags.decode(count, &decoder)
        default: throw .malformed("an unknown mark of contact")
        }
    }

    private static func zones(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> ZoneColumn {
        let runs = try self.count(&decoder, max: count)
        guard runs > 0 else { return ZoneColumn(repeating: ZoneColumn.unknown, count: count) }
        var zones = ZoneColumn()
        for _ in 0..<runs {
            let minutes = try ZoneCode.decode(ExactNumber.decode(&decoder))
            zones.append(minutes, count: try self.count(&decoder, max: count - zones.count))
        }
        guard zones.count == count else { throw .malformed("zones of other samples") }
        return zones
    }

    private static func known(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int32] {
        switch decoder.decode(raw: 2) {
        case 0: return [Int32](repeating: PositionColumn.unknown, count: count)
        case 1: return try coordinates(count, &decoder)
        case 2:
            let isKnown = try Flags.decode(count, &decoder)
            var known = try coordinates(isKnown.count { $0 }, &decoder).makeIterator()
            return isKnown.map { $0 ? known.next() ?? PositionColumn.unknown : PositionColumn.unknown }
        default: throw .malformed("an unknown mark of presence")
        }
    }
}

/// A flag of each sample, run-length coded.
private enum Flags {
    static func encode(_ flags: [Bool], _ encoder: inout RangeEncoder) {
        // The first run is of set flags, and may be empty.
        var runs: [UInt64] = [0]
        var isSet = true
        for flag in flags {
            if flag != isSet {
                runs.append(0)
                isSet = flag
            }
            runs[runs.count - 1] += 1
        }
        ExactNumber.encode(UInt64(runs.count), &encoder)
        var model = NumberModel()
        for run in runs { model.encode(run, &encoder) }
    }

    static func decode(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Bool] {
        let runs = try BlockCodec.count(&decoder, max: count + 1)
        var (flags, model, isSet) = ([Bool](), NumberModel(), true)
        flags.reserveCapacity(count)
        for _ in 0..<runs {
            let run = model.decode(&decoder)
            guard run <= UInt64(count - flags.count) else { throw .malformed("flags of other samples") }
            flags.append(contentsOf: repeatElement(isSet, count: Int(run)))
            isSet.toggle()
        }
        guard flags.count == count else { throw .malformed("flags of other samples") }
        return flags
    }
}

/// The numbers of the arrivals that brought the samples, which mostly came one after another, or many at a time.
private enum ArrivalNumbers {
    private struct Group: Equatable {
        let step: Int64
        var samples: UInt64
        var times: UInt64 = 1
    }

    static func encode(_ arrivals: [Int64], _ encoder: inout RangeEncoder) {
        let groups = groups(arrivals)
        ExactNumber.encode(UInt64(groups.count), &encoder)
        var (steps, samples, times) = (NumberModel(), NumberModel(), NumberModel())
        for group in groups {
            steps.encode(signed: group.step, &encoder)
            samples.encode(group.samples, &encoder)
            times.encode(group.times, &encoder)
        }
    }

    private static func groups(_ arrivals: [Int64]) -> [Group] {
        var groups: [Group] = []
        var (last, index) = (Int64(0), 0)
        while index < arrivals.count {
            let end = arrivals[index...].firstIndex { $0 != arrivals[index] } ?? arrivals.count
            let group = Group(step: arrivals[index] &- last, samples: UInt64(end - index))
            last = arrivals[index]
            index = end
            if let before = groups.last, before.step == group.step, before.samples == group.samples {
                groups[groups.count - 1].times += 1
            } else {
                groups.append(group)
            }
        }
        return groups
    }

    static func decode(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int64] {
        let groups = try BlockCodec.count(&decoder, max: count)
        var arrivals: [Int64] = []
        arrivals.reserveCapacity(count)
        var (steps, samples, times) = (NumberModel(), NumberModel(), NumberModel())
        var arrival: Int64 = 0
        for _ in 0..<groups {
            let step = steps.decodeSigned(&decoder)
            let (each, often) = (samples.decode(&decoder), times.decode(&decoder))
            let (all, overflow) = each.multipliedReportingOverflow(by: often)
            guard each > 0, !overflow, all <= UInt64(count - arrivals.count) else {
                throw .malformed("arrivals of other samples")
            }
            for _ in 0..<often {
                arrival &+= step
                for _ in 0..<each { arrivals.append(arrival) }
            }
        }
        guard arrivals.count == count else { throw .malformed("arrivals of other samples") }
        return arrivals
    }
}
