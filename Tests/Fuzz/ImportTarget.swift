import Domain
import Primitives

@testable import Imports

/// Imports: no crash, and the report counts exactly the samples that were given out.
enum ImportTarget {
    private static let clock = SampleClock(now: Timestamp(milliseconds: 1_790_000_000_000))

    static func run(_ input: [UInt8], _ format: ImportFormat) -> Int32 {
        // The first byte is the size of the chunks.
        let chunk = max(1, input.first.map { Int($0) } ?? 1)
        let text = Array(input.dropFirst())
        let importer = format.importer(clock: clock)
        var samples = 0
        for start in stride(from: 0, to: text.count, by: chunk) {
            samples += count(importer.consume(Array(text[start..<min(start + chunk, text.count)])))
        }
        samples += count(importer.finish())
        precondition(samples == importer.report.taken.values.reduce(0, +), "the report does not count what was taken")
        let whole = format.importer(clock: clock)
        samples -= count(whole.consume(text)) + count(whole.finish())
        precondition(samples == 0 && whole.report == importer.report, "what is read depends on how it arrives")
        return 0
    }

    private static func count(_ batch: ImportBatch) -> Int {
        batch.groups.reduce(0) { $0 + $1.positions.count + $1.measurements.count }
    }
}
