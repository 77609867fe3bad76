import LoadGenerator
import Postgres
import Primitives
import Reactor

/// A history in uploads of 1,000 samples: durable samples per second over HTTP, and bytes on disk. The baseline is
/// `COPY` of the same number of samples as plain rows with a primary key.
enum HistoryBench {
    private static let people = 200
    private static let connections = 16
    private static let turns = 200
    private static let warmRequests = 1000
    private static let measuredSeconds = 12.0

    static func run(_ report: inout Report) async throws {
        let result = try await IngestionBed.with { (bed) -> Outcome in
            let before = try await bed.bytesOnDisk()
            let (samplesEach, count, figures) = try await bed.load { (bed) -> (Int, Int, LoadFigures) in
                let source = UploadSource(
                    .history(turns: turns, from: .now() - .seconds(400 * 86_400)), of: 0..<people,
                    tokens: try bed.tokens(.device, count: people), host: bed.authority)
                let runner = try bed.runner(source, connections: connections)
                let warm = try bed.measured(runner, .closed, for: .requests(warmRequests))
                let figures = try bed.measured(runner, .closed, for: .seconds(measuredSeconds))
                return (source.samplesEach, warm.result.good + figures.result.good, figures)
            }
            let bytes = Double(try await bed.bytesOnDisk() - before) / Double(count * samplesEach)
            let plain = try await PlainRows.copied(bed, people: people)
            return Outcome(samplesEach: samplesEach, figures: figures, bytes: bytes, plain: plain)
        }
        let (samplesEach, figures, plain) = (result.samplesEach, result.figures, result.plain)
        report.note("uploads of \(samplesEach) samples: \(figures.text)")
        report.note(
            "processor time per sample: ingestion \(rounded(1000 * figures.ingestion / Double(samplesEach))) ns, PostgreSQL "
                + "\(rounded(1000 * figures.postgres / Double(samplesEach))) ns")
        report.add(
            "durable samples of a history", figures.result.rate * Double(samplesEach), against: "COPY of plain rows",
            plain.rate, "/s", .atLeast(2))
        report.add(
            "bytes on disk of a sample before sealing, uploads of \(samplesEach)", result.bytes, against: "plain rows",
            plain.bytes, "bytes", .atMost(0.1))
    }

    private struct Outcome: Sendable {
        let samplesEach: Int
        let figures: LoadFigures
        /// On disk, of a sample.
        let bytes: Double
        let plain: PlainRows
    }
}
