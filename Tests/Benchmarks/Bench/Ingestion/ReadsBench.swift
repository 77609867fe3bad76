import LoadGenerator
import Primitives

/// What a person with a year of vital signs, one every 30 s, waits for: latest values, a day of one type, the year by
/// day; over HTTP, one after the other. The last weeks came as a watch sends them, in uploads of five samples.
enum ReadsBench {
    private static let days = 365
    /// The last of them, which came one moment at a time.
    private static let liveDays = 38
    /// The person has changed watches: none may send so much within an hour. So many for each of the two parts.
    private static let devices = 12
    private static let momentsPerDay = 86_400 / 30
    private static let turns = 200
    /// How long each question is repeated; once at least.
    private static let seconds = 6.0
    private static let connections = 8

    static func run(_ report: inout Report) async throws {
        // The last moment of the history is a while ago, so that the service takes all of it.
        let end = Timestamp.now() - .seconds(3600)
        let begin = end - .seconds(days * 86_400)
        let results = try await IngestionBed.with { bed in
            try await bed.load { bed in
                try load(days - liveDays, turns: turns, from: begin, connections: connections, bed)
                try load(
                    liveDays, turns: 1, from: end - .seconds(liveDays * 86_400),
                    connections: UploadsBench.connections, bed)
                let tokens = try bed.tokens(.individual, count: 1)
                return try questions(begin, end).map { question in
                    let source = GetSource(
                        question.paths, of: [0], tokens: tokens, host: bed.authority, wanted: question.wanted)
                    let runner = try bed.runner(source, connections: 1)
                    // Once before it counts.
                    _ = try runner.run(.closed, for: .requests(1))
                    return (question, try runner.run(.closed, for: .seconds(seconds)))
                }
            }
        }
        for (question, result) in results {
            let unanswered = result.refusedCount + result.broken
            if unanswered > 0 {
                report.note(
                    "\(question.name): \(unanswered) of \(unanswered + result.good) unanswered: \(result.example)")
            }
            // Who gets no answer waits for ever.
            let wait = unanswered > 0 ? .infinity : result.latency.percentile(0.99) / 1000
            report.note("\(question.name): p50 \(rounded(result.latency.percentile(0.5) / 1000)) ms of \(result.good)")
            report.add("\(question.name), p99", wait, "ms", atMost: question.milliseconds)
        }
    }

    private static func load(
        _ days: Int, turns: Int, from begin: Timestamp, connections: Int, _ bed: LoadBed
    ) throws {
        let tokens = try bed.tokens(.device, count: 2 * devices, devicesEach: 2 * devices)
        let range = turns == 1 ? devices..<2 * devices : 0..<devices
        let source = UploadSource(
            .history(turns: turns, from: begin, apart: .seconds(days * 86_400 / devices)), of: range, tokens: tokens,
            host: bed.authority)
        let runner = try bed.runner(source, connections: connections)
        _ = try bed.measured(runner, .closed, for: .requests(days * momentsPerDay / turns))
    }

    private struct Question: Sendable {
        let name: String
        let paths: [String]
        let wanted: String
        let milliseconds: Double
    }

    private static func questions(_ begin: Timestamp, _ end: Timestamp) -> [Question] {
        let series = "/ingestion/v1/me/series?type=heart-rate"
        let daily = (0..<50).map { number in
            let from = begin + .seconds((number * 7 + 5) * 86_400)
            return "\(series)&from=\(from)&to=\(from + .seconds(86_400))"
        }
        return [
            Question(
                name: "latest values", paths: ["/ingestion/v1/me/latest"], wanted: "\"heart-rate\"", milliseconds: 5),
            Question(name: "a day of one type", paths: daily, wanted: "\"series\":[{", milliseconds: 10),
            Question(
                name: "a year by day", paths: ["\(series)&granularity=day&from=\(begin)&to=\(end)"],
                wanted: "\"buckets\"", milliseconds: 50),
        ]
    }
}
