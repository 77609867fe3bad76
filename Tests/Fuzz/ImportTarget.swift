import Domain
import Primitives

@testable import Imports

/// Imports: no crash, and the report counts exactly the samples that were given out.
enum ImportTarget {
    enum Format { case gpx, tcx }

    private static let clock = SampleClock(now: Timestamp(milliseconds: 1_790_000_000_000))

    static func run(_ input: [UInt8], _ format: Format) -> Int32 {
        // The first byte is the size of the chunks.
        let chunk = max(1, input.first.map { Int($0) } ?? 1)
        let text = Array(input.dropFirst())
        let importer: any FileImporter = format == .gpx ? GPXImporter(clock: clock) : TCXImporter(clock: clock)
        var samples = 0
        for start in stride(from: 0, to: text.count, by: chunk) {
            samples += count(importer.consume(Array(text[start..<min(start + chunk, text.count)])))
        }
        samples += count(importer.finish())
        precondition(samples == importer.report.taken.values.reduce(0, +), "the report does not count what was taken")
        return 0
    }

    private static func count(_ batch: ImportBatch) -> Int { batch.positions.count + batch.measurements.count }
}
