import Domain
import Primitives

@testable import Samples

/// Stored samples and the data of time zones: no crash, what is read can be worked with, and it is written and read again
/// as the same.
enum CodecTarget {
    /// As many as are worked with quickly in a build without optimisation.
    private static let samplesMax = 2000
    private static let day = CalendarDate(daysSinceEpoch: 20_000)

    /// The first byte says what the others are, the second the data type.
    static func run(_ input: [UInt8]) -> Int32 {
        guard input.count >= 2 else { return 0 }
        let bytes = Array(input.dropFirst(2))
        let type = DataType.allCases[Int(input[1]) % DataType.allCases.count]
        switch input[0] % 4 {
        case 0: block(bytes, type)
        case 1: summary(bytes, type)
        case 2: batch(bytes)
        default: zone(bytes)
        }
        return 0
    }

    private static func block(_ bytes: [UInt8], _ type: DataType) {
        guard var block = try? BlockCodec.decode(bytes, type: type, day: day, samplesMax: samplesMax) else { return }
        let again = BlockCodec.encode(block)
        precondition((try? BlockCodec.decode(again, type: type, day: day)) == block, "a block is another one")
        _ = block.counted(SourceOrder())
        _ = block.batches(after: 0, through: .max)
        precondition(block.merge(block) == 0, "a block does not fit into itself")
        let summary = SummaryCodec.encode(DaySummary(block))
        Self.summary(summary, type)
        precondition((try? SummaryCodec.decode(summary, type: type, day: day)) != nil, "a summary that is none")
    }

    private static func summary(_ bytes: [UInt8], _ type: DataType) {
        guard let summary = try? SummaryCodec.decode(bytes, type: type, day: day) else { return }
        let again = SummaryCodec.encode(summary)
        // Compared as bytes, since what is no number is not equal to itself.
        let bytesAgain = (try? SummaryCodec.decode(again, type: type, day: day)).map(SummaryCodec.encode)
        precondition(bytesAgain == again, "a summary is another one")
        for counted in CountedDay.days(of: type, in: [day: summary], order: SourceOrder([2, 1])) {
            _ = (counted.total.mean, counted.total.variance, counted.spread.quantiles([0, 0.5, 1]))
        }
    }

    private static func batch(_ bytes: [UInt8]) {
        guard var batch = try? SampleCodec.decode(bytes) else { return }
        precondition((try? SampleCodec.decode(SampleCodec.encode(batch))) == batch, "a batch is another one")
        guard batch.count <= samplesMax else { return }
        batch.normalize()
        var split = DaySplit { $0 & 1 == 0 ? 60 : 120 }
        split.add(batch, from: 1, arrival: 1)
        let count = split.take().reduce(0) { $0 + $1.count }
        precondition(count <= batch.count, "samples from nowhere")
    }

    private static func zone(_ bytes: [UInt8]) {
        guard let rules = try? TimeZoneRules(file: bytes) else { return }
        for time in [0, 1_790_000_000_000, -2_000_000_000_000] as [Int64] {
            _ = rules.start(of: rules.day(of: Timestamp(milliseconds: time)))
        }
    }
}
