import Glibc
import LoadGenerator

/// Uploads at 75 % of their maximum for half an hour, sent at fixed times: memory, latency and cost stay flat. `TRACKME_BENCH_MINUTES`
/// sets another length. `SoakTests` is the short one of continuous integration.
///
/// People are sealed when they have some hundred arrivals. Before anything is measured they come to have none to hundreds of
/// them, evenly, as people have at any time of a day: otherwise nobody would be sealed for ten minutes, and then all would.
enum SoakBench {
    private static let minutesDefault = 30
    private static let share = 0.75
    /// Of each minute: for its maximum, and then for what is measured.
    private static let (mostSeconds, piecesEach) = (4.0, 56)
    /// Before all that: in each turn so many uploads of each, and of a tenth fewer people.
    private static let turns = 10
    private static let uploadsEach = 50

    static func run(_ report: inout Report) async throws {
        let minutes = getenv("TRACKME_BENCH_MINUTES").flatMap { Int(String(cString: $0)) } ?? minutesDefault
        guard minutes >= 3 else { throw BenchError.failed("TRACKME_BENCH_MINUTES must be 3 or more") }
        let parts = try await IngestionBed.with { bed in
            try await bed.load { bed in
                let runner = try spread(bed)
                return try (1...minutes).map { try minute($0, runner, bed) }
            }
        }
        let third = parts.count / 3
        let (first, last) = (parts.prefix(third), parts.suffix(third))
        let course = SoakCourse(parts.map { .init($0.figures.result, $0.memory) })
        report.add(
            "memory of the service after \(minutes) minutes", course.memoryAtEnd,
            against: "after a third of them", course.memoryAfterFirstThird, "MB", .atMost(1.1))
        report.add(
            "p99 of uploads in a minute of the last third", course.p99OfLastThird, against: "of the first",
            course.p99OfFirstThird, "ms", .atMost(1.5))
        report.add(
            "processor time of an upload in the last third, in times of its sender's", cost(last),
            against: "in the first",
            cost(first), "", .atMost(1.2))
    }

    private struct Minute {
        let figures: LoadFigures
        let memory: ProcessMemory
    }

    /// The machine is not equally fast all the time: the maximum is that of the minute.
    private static func minute(_ number: Int, _ runner: LoadRunner, _ bed: LoadBed) throws -> Minute {
        let most = try bed.measured(runner, .closed, for: .seconds(mostSeconds)).result.rate
        var load = CalmLoad(rate: share * most)
        for _ in 0..<piecesEach { try load.run(runner, bed) }
        let memory = try ProcessMemory(of: bed.ingestion)
        emit("      minute \(number): at most \(rounded(most)) /s; \(rounded(memory.now)) MB; \(load.text)")
        return Minute(figures: load.figures, memory: memory)
    }

    /// What an upload costs the service and PostgreSQL, in times of what it costs who sends it: by processor time alone one would
    /// measure how fast the machine is.
    private static func cost(_ minutes: some Sequence<Minute>) -> Double {
        let all = LoadFigures(minutes.map(\.figures))
        return (all.ingestion + all.postgres) / all.generator
    }

    /// Sends the first uploads. Returns the load of everybody.
    private static func spread(_ bed: LoadBed) throws -> LoadRunner {
        let people = UploadsBench.people
        let tokens = try bed.tokens(.device, count: people)
        func runner(from first: Int) throws -> LoadRunner {
            try bed.runner(
                UploadSource(.live, of: first..<people, tokens: tokens, host: bed.authority),
                connections: UploadsBench.connections)
        }
        for turn in 0..<turns {
            let first = people / turns * turn
            let figures = try bed.measured(
                try runner(from: first), .closed, for: .requests((people - first) * uploadsEach))
            emit("      before: \(people - first) people, \(figures.text)")
        }
        return try runner(from: 0)
    }
}
