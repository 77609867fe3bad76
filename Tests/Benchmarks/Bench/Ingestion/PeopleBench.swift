import Glibc
import LoadGenerator

/// Uploads by a million people in turn, whom the service has seen before, against those of 20,000: what its caches of tokens
/// and keys are worth. `TRACKME_BENCH_PEOPLE` sets another number, for machines with less time.
enum PeopleBench {
    private static let peopleDefault = 1_000_000
    private static let seconds = 10.0

    static func run(_ report: inout Report) async throws {
        let people = getenv("TRACKME_BENCH_PEOPLE").flatMap { Int(String(cString: $0)) } ?? peopleDefault
        let few = UploadsBench.people
        guard people > few else { throw BenchError.failed("TRACKME_BENCH_PEOPLE must be more than \(few)") }
        let (first, alone, all) = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let tokens = try bed.tokens(.device, count: people)
                func runner(_ range: Range<Int>) throws -> LoadRunner {
                    try bed.runner(
                        UploadSource(.live, of: range, tokens: tokens, host: bed.authority),
                        connections: UploadsBench.connections)
                }
                let everybody = try runner(0..<people)
                let first = try bed.measured(everybody, .closed, for: .requests(people))
                // The last of the first turn, whom it has seen a moment ago.
                let group = try runner(people - few..<people)
                _ = try bed.measured(group, .closed, for: .requests(few))
                let alone = try bed.measured(group, .closed, for: .seconds(seconds))
                return (first, alone, try bed.measured(everybody, .closed, for: .seconds(seconds)))
            }
        }
        report.note("first uploads of \(people) people: \(first.text)")
        report.note("\(few) people in turn: \(alone.text)")
        report.note("\(people) people in turn: \(all.text)")
        report.add(
            "uploads of \(people) people in turn", all.result.rate, against: "of \(few) people", alone.result.rate,
            "/s",
            .atLeast(0.7))
    }
}
