import LoadGenerator
import Primitives
import ProcessTesting
import Reactor

/// What goes on beside the live feed in its second part: one person imports files one after the other, and asks for the
/// statistics of a year, one question after the other.
final class LiveBeside: Sendable {
    /// What was done until the end.
    struct Done: CustomStringConvertible, Sendable {
        let imports: Int
        let questions: Int
        var description: String {
            "\(imports) imports of \(importBytes / 1_000_000) MB and \(questions) statistics of a year"
        }
    }

    private static let importBytes = 20_000_000
    /// Other people than those who upload.
    private static let seed = LoadBed.seed + 1
    private static let days = 365
    private static let turns = 200
    private static let connections = 8
    /// For one round of questions.
    private static let seconds = 0.5

    private let begun = EventCounter()
    private let over = EventCounter()

    func begin() { begun.raise() }
    func end() {
        over.raise()
        begun.raise()
    }
    private var isOver: Bool { over.value > 0 }

    /// Gives the person a year of vital signs, one every 30 s, in blocks.
    func prepare(_ bed: IngestionBed) async throws {
        try await bed.load { bed in
            try ReadsBench.load(
                Self.days, Self.turns, of: 0, from: .now() - .seconds(Self.days * 86_400 + 3600), Self.connections, bed,
                seed: Self.seed)
        }
        try await bed.closeDays(sealing: 1)
    }

    /// From `begin` to `end`.
    func run(_ bed: IngestionBed) async throws -> Done {
        _ = await begun.wait(after: 0)
        async let questions = ask(bed)
        async let imports = importFiles(bed)
        let done = Done(imports: try await imports, questions: try await questions)
        guard done.imports > 0, done.questions > 0 else { throw BenchError.failed("beside the live feed: \(done)") }
        return done
    }

    private func ask(_ bed: IngestionBed) async throws -> Int {
        let end = Timestamp.now()
        let path = "/ingestion/v1/me/statistics?type=heart-rate&from=\(end - .seconds(Self.days * 86_400))&to=\(end)"
        return try await bed.load { bed in
            let source = GetSource(
                [path], of: [0], tokens: try bed.tokens(.individual, count: 1, seed: Self.seed), host: bed.authority,
                wanted: "\"median\"")
            let runner = try bed.runner(source, connections: 1)
            var count = 0
            while !self.isOver {
                let result = try runner.run(.closed, for: .seconds(Self.seconds))
                guard result.refusedCount + result.broken == 0 else {
                    throw BenchError.failed("statistics: \(result.refused): \(result.example)")
                }
                count += result.good
            }
            return count
        }
    }

    /// On a loop of its own: making the files would hold up the consumer of the live feed.
    private func importFiles(_ bed: IngestionBed) async throws -> Int {
        try await EventLoopGroup.withLoops(1) { try await self.importFiles(bed, on: $0.loops[0]) }
    }

    private func importFiles(_ bed: IngestionBed, on loop: EventLoop) async throws -> Int {
        let session = PersonSession(on: loop, bed, seed: Self.seed)
        defer { session.close() }
        var count = 0
        while !isOver {
            // A file of its own each time.
            _ = try await ImportBench.send(HealthExport(seed: UInt64(count)), Self.importBytes, session)
            count += 1
        }
        return count
    }
}
