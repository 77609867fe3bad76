import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

@Suite struct BlockCodecTests {
    private static let day = CalendarDate("2026-05-01")!

    @Test("What is encoded is decoded again, whatever it is", arguments: 0..<100)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for type in [DataType.heartRate, .steps, .position, .activity] {
            let block = Self.block(type, &random)
            let bytes = BlockCodec.encode(block)
            #expect(try BlockCodec.decode(bytes, type: type, day: Self.day) == block)
            #expect(try BlockCodec.lastTime(bytes, day: Self.day) == block.lastTime)
            let summary = DaySummary(block)
            #expect(try SummaryCodec.decode(SummaryCodec.encode(summary), type: type, day: Self.day) == summary)
        }
    }

    @Test("Any numbers come back from any model", arguments: 0..<50)
    func numbers(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let extremes: [Int64] = [.min, .max, 0, 1, -1, .min + 1, .max - 1, 1 << 62]
        let columns: [[Int64]] = [
            (0..<30).map { _ in extremes.randomElement(using: &random)! },
            (0..<300).map { _ in .random(in: .min ... .max, using: &random) },
            (0..<300).map { _ in .random(in: -9...9, using: &random) * 1_000_000_007 },
            (0..<300).map { 30_000 * Int64($0) + .random(in: 0...200, using: &random) },
            (0..<300).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.map { 60_000 * Int64($0) },
            (0..<300).map { $0 % 50 == 0 ? 1 << 40 : 7 * Int64($0) }, [Int64](repeating: .min, count: 5), [],
        ]
        for column in columns {
            var encoder = RangeEncoder()
            NumberSeries.encode(column, &encoder)
            let decoded = try encoder.finish().withUnsafeBytes { bytes in
                var decoder = RangeDecoder(bytes)
                let numbers = try NumberSeries.decode(column.count, &decoder)
                #expect(decoder.isAtEnd && !decoder.isTruncated)
                return numbers
            }
            #expect(decoded == column)
        }
    }

    @Test("Altered, cut and made-up bytes are refused or read as something, and do no harm", arguments: 0..<30)
    func garbage(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for type in [DataType.heartRate, .position, .sleep] {
            let block = Self.block(type, &random)
            let (samples, summary) = (BlockCodec.encode(block), SummaryCodec.encode(DaySummary(block)))
            for bytes in [samples, summary] {
                for _ in 0..<20 {
                    var altered = bytes
                    altered[.random(in: 1..<max(2, bytes.count), using: &random) % bytes.count] ^=
                        .random(in: 1...255, using: &random)
                    Self.read(altered, type)
                    Self.read(Array(bytes.prefix(.random(in: 0..<bytes.count, using: &random))), type)
                    Self.read([1] + (0..<40).map { _ in .random(in: 0...255, using: &random) }, type)
                }
            }
            #expect(throws: SampleCodecError.self) {
                try BlockCodec.decode(Array(samples.prefix(samples.count / 2)), type: type, day: Self.day)
            }
            #expect(throws: SampleCodecError.malformed("more bytes than samples")) {
                try BlockCodec.decode(samples + [1, 2, 3, 4, 5], type: type, day: Self.day)
            }
            #expect(throws: SampleCodecError.self) {
                try SummaryCodec.decode(Array(summary.dropLast()), type: type, day: Self.day)
            }
        }
        #expect(throws: SampleCodecError.version(9)) { try BlockCodec.decode([9], type: .steps, day: Self.day) }
        #expect(throws: SampleCodecError.truncated) { try BlockCodec.decode([], type: .steps, day: Self.day) }
    }

    /// What may be read has to be good for everything that is done with a block.
    private static func read(_ bytes: [UInt8], _ type: DataType) {
        if var block = try? BlockCodec.decode(bytes, type: type, day: day), block.count < 10_000 {
            _ = DaySummary(block)
            _ = block.counted(SourceOrder())
            _ = block.merge(block)
            _ = BlockCodec.encode(block)
        }
        if let summary = try? SummaryCodec.decode(bytes, type: type, day: day) {
            _ = CountedDay.days(of: type, in: [day: summary], order: SourceOrder()).map(\.total)
            _ = SummaryCodec.encode(summary)
        }
    }

    private static func block(_ type: DataType, _ random: inout SeededGenerator) -> BlockSamples {
        var block = BlockSamples(type: type, day: day)
        let begin = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
        for source in Int16(0)..<Int16.random(in: 0...3, using: &random) {
            var arrival = Int64.random(in: 1...1 << 40, using: &random)
            let (lasts, tells) = (Bool.random(using: &random), Bool.random(using: &random))
            for index in 0..<Int64.random(in: 0...200, using: &random) {
                arrival += .random(in: 0...2, using: &random)
                let time = begin + index * 30_000 + .random(in: -400...60_000, using: &random)
                let zone = ZoneOffset(minutes: index < 100 ? 60 : 120)
                if type == .position {
                    var column = PositionColumn()
                    column.append(
                        PositionFix(
                            time: Timestamp(milliseconds: time),
                            coordinate: Coordinate(
                                latitude: .random(in: 45...45.1, using: &random), longitude: 9.2)!,
                            altitude: Bool.random(using: &random) ? 120.5 : nil))
                    block.append(0..<1, of: column, zone: zone.column, from: source, arrival: arrival)
                } else {
                    var column = ValueColumn(type: type)
                    column.append(
                        time: time, duration: lasts ? .random(in: 0...7_200_000, using: &random) : 0,
                        value: .random(in: 0...900, using: &random),
                        contact: tells ? Int.random(in: 0..<10, using: &random) > 0 : nil)
                    block.append(0..<1, of: column, zone: zone.column, from: source, arrival: arrival)
                }
            }
        }
        block.normalize()
        return block
    }
}
