import LoadGenerator
import Primitives

/// 250,000 positions of one person, over HTTP, in as few questions as the limit of points allows. A peer needs 25 s for as
/// many (owntracks/recorder, issue 581).
enum PositionsBench {
    private static let count = 250_000
    private static let each = 1000
    /// Parts of the whole time, each with fewer than the 100,000 points that one answer gives.
    private static let parts = 3
    private static let repetitions = 5

    static func run(_ report: inout Report) async throws {
        let end = Timestamp.now() - .seconds(3600)
        let begin = end - .seconds(count)
        let results = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let source = UploadSource(
                    .positions(count: each, from: begin), of: 0..<1, tokens: try bed.tokens(.device, count: 1),
                    host: bed.authority)
                _ = try bed.measured(try bed.runner(source, connections: 8), .closed, for: .requests(count / each))
                let paths = (0..<parts).map { part in
                    let (from, to) = (
                        begin + .seconds(count * part / parts), begin + .seconds(count * (part + 1) / parts)
                    )
                    return "/ingestion/v1/me/series?type=position&max_points=100000&from=\(from)&to=\(to)"
                }
                let questions = GetSource(
                    paths, of: [0], tokens: try bed.tokens(.individual, count: 1), host: bed.authority,
                    wanted: "\"latitudes\"")
                let runner = try bed.runner(questions, connections: 1)
                return try (0..<repetitions).map { _ in
                    let result = try runner.run(.closed, for: .requests(parts))
                    guard result.good == parts else { throw BenchError.failed("refused: \(result.example)") }
                    return result
                }
            }
        }
        let all = percentile(results.map(\.seconds).sorted(), 0.5)
        let first = percentile(results.map { $0.firstByte.percentile(1) }.sorted(), 0.5) / 1000
        report.add("\(count) positions of one person, first byte of each part", first, "ms", atMost: 50)
        report.add("\(count) positions of one person, all", all, against: "owntracks/recorder", 25, "s", .atMost(0.04))
    }
}
