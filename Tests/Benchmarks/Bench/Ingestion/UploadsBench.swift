import LoadGenerator

/// Uploads of five samples by 20,000 people in turn, over 256 connections: what each costs, and how many there are at most.
/// The baseline is what PostgreSQL alone takes for the rows that they leave.
enum UploadsBench {
    static let people = 20_000
    static let connections = 256
    private static let warmSeconds = 3.0
    private static let seconds = 15.0

    static func run(_ report: inout Report) async throws {
        let (first, figures, copy) = try await IngestionBed.with { bed in
            let (first, figures) = try await bed.load { bed in
                let source = UploadSource(
                    .live, of: 0..<people, tokens: try bed.tokens(.device, count: people), host: bed.authority)
                let runner = try bed.runner(source, connections: connections)
                let first = try bed.measured(runner, .closed, for: .requests(people))
                _ = try runner.run(.closed, for: .seconds(warmSeconds))
                return (first, try bed.measured(runner, .closed, for: .seconds(seconds)))
            }
            return (first, figures, try await GroupedCopy.measure(bed))
        }
        report.note("first uploads of \(people) people: \(first.text)")
        report.note("then: \(figures.text)")
        report.note("grouped COPY of their rows: \(copy.text)")
        report.add(
            "processor time of an upload of 5 samples, ingestion and PostgreSQL", figures.ingestion + figures.postgres,
            "µs", atMost: 60)
        report.add("idle at saturation", 100 * figures.idleShare, "%", atMost: 10)
        report.add(
            "PostgreSQL's part of it", figures.postgres, against: "grouped COPY of the same rows", copy.postgres, "µs",
            .atMost(3))
    }
}
