import LoadGenerator
import Primitives

/// What people wait for who have a year, and ten years, of vital signs, one every 30 s: latest values, a day of one type, the
/// year by day; over HTTP, one after the other, beside 100,000 others with a sealed day each. The last weeks came as a watch
/// sends them, in uploads of five samples.
enum ReadsBench {
    /// The last days, which came one moment at a time.
    private static let liveDays = 38
    /// The person has changed watches: none may send so much within an hour.
    private static let devices = 24
    private static let momentsPerDay = 86_400 / 30
    private static let turns = 200
    private static let others = 100_000
    /// Of a day of these others.
    static let othersTurns = 48
    /// How long each question is repeated; once at least.
    private static let seconds = 6.0
    private static let connections = 8
    /// Of the older person's history to the other's.
    private static let years = 10

    static func run(_ report: inout Report) async throws {
        // The last moment of the history is a while ago, so that the service takes all of it.
        let end = Timestamp.now() - .seconds(3600)
        let (results, longer) = try await IngestionBed.with(quotaBytes: 1_000_000_000) { bed in
            try await bed.load { bed in
                let source = UploadSource(
                    .history(turns: othersTurns, from: end - .seconds(86_400)), of: 10..<10 + others,
                    tokens: try bed.tokens(.device, count: 10 + others), host: bed.authority)
                _ = try bed.measured(
                    try bed.runner(source, connections: UploadsBench.connections), .closed, for: .requests(others))
                try load(365, of: 0, until: end, bed)
                try load(365 * years, of: 1, until: end, bed)
            }
            try await bed.closeDays(sealing: others)
            return try await bed.load { bed in (try ask(of: 0, until: end, bed), try ask(of: 1, until: end, bed)) }
        }
        for ((question, result), (_, older)) in zip(results, longer) {
            let (wait, longest) = (try p99(result, question, report), try p99(older, question, report))
            report.add("\(question.name), p99", wait, "ms", atMost: question.milliseconds)
            report.add(
                "\(question.name), of a person with \(years) years, p99", longest, against: "with one", wait, "ms",
                .atMost(1.5))
        }
    }

    private static func p99(_ result: LoadResult, _ question: Question, _ report: Report) throws -> Double {
        guard result.refusedCount + result.broken == 0, result.good > 0 else {
            throw BenchError.failed("\(question.name): \(result.refused) refused: \(result.example)")
        }
        report.note("\(question.name): p50 \(rounded(result.latency.percentile(0.5) / 1000)) ms of \(result.good)")
        return result.latency.percentile(0.99) / 1000
    }

    private static func load(_ days: Int, of person: Int, until end: Timestamp, _ bed: LoadBed) throws {
        let live = end - .seconds(liveDays * 86_400)
        try load(days - liveDays, turns, of: person, from: end - .seconds(days * 86_400), connections, bed)
        try load(liveDays, 1, of: person, from: live, UploadsBench.connections, bed)
    }

    /// Loads days of a person in uploads of so many moments.
    static func load(
        _ days: Int, _ turns: Int, of person: Int, from begin: Timestamp, _ connections: Int, _ bed: LoadBed,
        seed: UInt64 = LoadBed.seed
    ) throws {
        let tokens = try bed.tokens(.device, count: 4 * devices, devicesEach: 2 * devices, seed: seed)
        let first = person * 2 * devices + (turns == 1 ? devices : 0)
        let source = UploadSource(
            .history(turns: turns, from: begin, apart: .seconds(days * 86_400 / devices)), of: first..<first + devices,
            tokens: tokens, host: bed.authority)
        let runner = try bed.runner(source, connections: connections)
        _ = try bed.measured(runner, .closed, for: .requests(days * momentsPerDay / turns))
    }

    private static func ask(
        of person: Int, until end: Timestamp, _ bed: LoadBed
    ) throws -> [(question: Question, result: LoadResult)] {
        let tokens = try bed.tokens(.individual, count: 2)
        return try questions(end - .seconds(365 * 86_400), end).map { question in
            let source = GetSource(
                question.paths, of: [person], tokens: tokens, host: bed.authority, wanted: question.wanted)
            let runner = try bed.runner(source, connections: 1)
            // Once before it counts.
            _ = try runner.run(.closed, for: .requests(1))
            return (question, try runner.run(.closed, for: .seconds(seconds)))
        }
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
