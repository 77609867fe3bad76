import Domain
import Primitives

/// The binary form of a `DaySummary`, before encryption: what a year's view reads 365 of.
///
/// ```
/// summary  = version (1) sources:varint source*
/// source   = number:signed hours:varint hour* spreads:varint spread*
/// hour     = head:varint [zone:varint] [without contact:varint] [count:varint least:signed (greatest - least):varint] values
/// head     = hours since the one before, from 0 << 3 | zone differs from that before << 2 | some without contact << 1 | counts
/// values   = of rates: (3,600,000 - milliseconds):signed (weighted - least * milliseconds):signed squares:32-bit float
///            of counters: sum:signed; of states: states:varint (state:signed milliseconds:varint)*; of positions minutes:varint
/// spread   = local day, from the UTC day:signed quantiles:varint quantile:signed*
/// signed   = varint, in zigzag
/// ```
///
/// `least` and the quantiles are differences to those of the hour or place before.
enum SummaryCodec {
    static let version: UInt8 = 1
    private static let hour = LocalTime.hourMilliseconds

    static func encode(_ summary: DaySummary) -> [UInt8] {
        var writer = ColumnWriter()
        writer.byte(version)
        writer.varint(UInt64(summary.sources.count))
        for source in summary.sources {
            writer.zigzag(Int64(source.source))
            writer.varint(UInt64(source.hours.count))
            var last = DaySummary.Hour(hour: 0, zone: ZoneColumn.unknown)
            last.values.min = 0
            for hour in source.hours {
                encode(hour, after: last, summary.type.kind, &writer)
                let least = hour.values.count > 0 ? hour.values.min : last.values.min
                last = hour
                last.values.min = least
            }
            writer.varint(UInt64(source.spreads.count))
            var before = last.values.min
            for spread in source.spreads {
                writer.zigzag(Int64(spread.day.daysSinceEpoch &- summary.day.daysSinceEpoch))
                writer.varint(UInt64(spread.quantiles.count))
                for quantile in spread.quantiles {
                    writer.zigzag(quantile &- before)
                    before = quantile
                }
            }
        }
        return writer.bytes
    }

    private static func encode(
        _ hour: DaySummary.Hour, after last: DaySummary.Hour, _ kind: DataType.Kind, _ writer: inout ColumnWriter
    ) {
        let values = hour.values
        let flags: UInt64 =
            (hour.zone == last.zone ? 0 : 4) | (values.withoutContact > 0 ? 2 : 0) | (values.count > 0 ? 1 : 0)
        writer.varint(UInt64(hour.hour - last.hour) << 3 | flags)
        if flags & 4 != 0 { writer.varint(ZoneCode.encode(hour.zone)) }
        if flags & 2 != 0 { writer.varint(UInt64(values.withoutContact)) }
        let least = values.count > 0 ? values.min : last.values.min
        if values.count > 0 {
            writer.varint(UInt64(values.count))
            if kind != .position {
                writer.zigzag(least &- last.values.min)
                writer.varint(UInt64(bitPattern: values.max &- least))
            }
        }
        switch kind {
        case .rate:
            writer.zigzag(Self.hour &- values.weight)
            writer.zigzag(values.weighted &- least &* values.weight)
            withUnsafeBytes(of: Float(values.squares).bitPattern.littleEndian) { for byte in $0 { writer.byte(byte) } }
        case .counter: writer.zigzag(values.sum)
        case .state:
            writer.varint(UInt64(values.states.count))
            for (state, lasted) in values.states.sorted(by: { $0.key < $1.key }) {
                writer.zigzag(state)
                writer.varint(UInt64(bitPattern: lasted))
            }
        case .position: writer.varint(UInt64(values.weight / LocalTime.minuteMilliseconds))
        }
    }

    // MARK: Reading

    static func decode(_ bytes: [UInt8], type: DataType, day: CalendarDate) throws(SampleCodecError) -> DaySummary {
        let result: Result<DaySummary, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try decode(bytes, type, day)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ type: DataType, _ day: CalendarDate
    ) throws(SampleCodecError) -> DaySummary {
        var reader = ColumnReader(bytes)
        let found = try reader.byte()
        guard found == version else { throw .version(found) }
        var summary = DaySummary(type: type, day: day)
        for _ in 0..<(try reader.count(max: BlockSamples.sourcesMax)) {
            guard let number = Int16(exactly: try reader.zigzag()) else {
                throw .malformed("a source's number out of range")
            }
            var source = DaySummary.Source(source: number)
            var last = DaySummary.Hour(hour: 0, zone: ZoneColumn.unknown)
            last.values.min = 0
            for _ in 0..<(try reader.count(max: DaySummary.hoursMax)) {
                let hour = try hour(after: last, type.kind, &reader)
                source.hours.append(hour)
                let least = hour.values.count > 0 ? hour.values.min : last.values.min
                last = hour
                last.values.min = least
            }
            var before = last.values.min
            for _ in 0..<(try reader.count(max: DaySummary.spreadsMax)) {
                let after = try reader.zigzag()
                guard -1...1 ~= after else { throw .malformed("a local day that no zone has") }
                var quantiles: [Int64] = []
                for _ in 0..<(try reader.count(max: DaySummary.quantilesMax)) {
                    before &+= try reader.zigzag()
                    quantiles.append(before)
                }
                source.spreads.append(.init(day: day.adding(days: Int(after)), quantiles: quantiles))
            }
            summary.sources.append(source)
        }
        guard reader.isAtEnd else { throw .malformed("more bytes than sources") }
        return summary
    }

    private static func hour(
        after last: DaySummary.Hour, _ kind: DataType.Kind, _ reader: inout ColumnReader
    ) throws(SampleCodecError) -> DaySummary.Hour {
        let head = try reader.varint()
        guard head >> 3 < UInt64(DaySummary.hoursMax - last.hour) else { throw .malformed("too late an hour") }
        let zone = head & 4 == 0 ? last.zone : try ZoneCode.decode(try reader.varint())
        var hour = DaySummary.Hour(hour: last.hour + Int(head >> 3), zone: zone)
        if head & 2 != 0 { hour.values.withoutContact = try reader.count(max: BlockSamples.samplesMax) }
        var least = last.values.min
        if head & 1 != 0 {
            hour.values.count = try reader.count(max: BlockSamples.samplesMax)
            if kind != .position {
                least &+= try reader.zigzag()
                hour.values.min = least
                hour.values.max = least &+ Int64(bitPattern: try reader.varint())
            }
        }
        switch kind {
        case .rate:
            hour.values.weight = Self.hour &- (try reader.zigzag())
            hour.values.weighted = try reader.zigzag() &+ least &* hour.values.weight
            var bits: UInt32 = 0
            for place in 0..<4 { bits |= UInt32(try reader.byte()) << UInt32(8 * place) }
            hour.values.squares = Double(Float(bitPattern: bits))
        case .counter: hour.values.sum = try reader.zigzag()
        case .state:
            for _ in 0..<(try reader.count(max: BlockSamples.samplesMax)) {
                let state = try reader.zigzag()
                let lasted = Int64(bitPattern: try reader.varint())
                hour.values.states[state] = lasted
                hour.values.weight &+= lasted
            }
        case .position: hour.values.weight = Int64(try reader.count(max: 120)) * LocalTime.minuteMilliseconds
        }
        return hour
    }
}
