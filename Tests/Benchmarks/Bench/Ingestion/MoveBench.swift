import Glibc
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import Synchronization

/// A shard with 5,000 people moves to another cluster while they and 5,000 others upload at half the maximum; then that
/// cluster is away. All on this machine. The new cluster would be on another one, so that while it copies the shard its
/// processes get what others leave of the processors, and its disk is one of its own; what sends the shard to it is the old
/// cluster's, and takes its part.
enum MoveBench {
    /// In two shards.
    private static let people = 10_000
    private static let connections = 128
    private static let share = 0.5
    private static let mostSeconds = 8.0
    private static let rows: SQL = "select (select count(*) from upload), (select count(*) from arrival)"

    /// What is done, with the uploads of both shards beside it.
    private enum Stage: Int, CaseIterable {
        case nothing, moving, away

        /// Moving must end before its uploads do.
        var seconds: Double { self == .moving ? 40 : 15 }
    }

    /// Of uploads and of arrivals, in both shards.
    private struct Counts: Equatable {
        var uploads = 0
        var arrivals = 0
    }

    private struct Outcome: Sendable {
        let most: LoadFigures
        /// Of each shard, by stage.
        let results: [[LoadResult]]
        let words: String
        let moveSeconds: Double
    }

    static func run(_ report: inout Report) async throws {
        // The clusters, too, work on both cores.
        Side.both.pin()
        defer { Side.client.pin() }
        let outcome = try await EventLoopGroup.withLoops(1) { loops in
            try await PrivateCluster.with(loops) { old in
                try await PrivateCluster.with(loops, diskMegabytes: 4000) { new in
                    // As durable as the first one.
                    try await old.start("fsync=on", "shared_buffers=128MB", "max_connections=200")
                    try await new.start(
                        "shared_buffers=128MB", "max_connections=200", "max_wal_size=1GB",
                        "max_sync_workers_per_subscription=2")
                    return try await IngestionBed.with(shards: 2, beside: old.address) { try await measure($0, new) }
                }
            }
        }
        let (others, moved) = (outcome.results[0], outcome.results[1])
        func p99(_ stage: Stage) -> Double { others[stage.rawValue].latency.percentile(0.99) / 1000 }
        report.note("at most: \(outcome.most.text)")
        report.note("moved in \(rounded(outcome.moveSeconds)) s: \(outcome.words.replacing("\n", with: " "))")
        let aside = moved[Stage.away.rawValue]
        report.note(
            "of the shard whose cluster is away: \(aside.good) taken, \(aside.refusedCount) refused, \(aside.unsent) not sent"
        )
        report.add(
            "longest wait of those whose shard moves", moved[Stage.moving.rawValue].latency.percentile(1) / 1000, "ms",
            atMost: 2000)
        report.add(
            "uploads of others while it moves, p99", p99(.moving), against: "before", p99(.nothing), "ms", .atMost(1.5))
        report.add(
            "uploads of others while its cluster is away, p99", p99(.away), against: "before", p99(.nothing), "ms",
            .atMost(1.5))
    }

    private static func measure(_ bed: IngestionBed, _ new: PrivateCluster) async throws -> Outcome {
        let (first, most) = try await bed.load { (bed) -> (LoadFigures, LoadFigures) in
            let runner = try bed.runner(
                UploadSource(
                    .live, of: 0..<people, tokens: try bed.tokens(.device, count: people), host: bed.authority),
                connections: 2 * connections)
            let first = try bed.measured(runner, .closed, for: .requests(people))
            return (first, try bed.measured(runner, .closed, for: .seconds(mostSeconds)))
        }
        let shards = try await devices(bed)
        let course = Course()
        defer { course.end() }
        let rate = share * most.result.rate / 2
        async let staying = bed.load { try uploads($0, shards[0], rate: rate, course) }
        async let moving = bed.load { try uploads($0, shards[1], rate: rate, course) }
        course.open(.moving)
        try await course.reached(.moving)
        let began = Deadline.now()
        let words = try await beside([{ await giveWay(new) }]) {
            try await bed.ingestion.run("shards", "move", "1", "--to", bed.place(of: 1, in: new.address))
        }
        new.setNice(0)
        let moveSeconds = Deadline.now().since(began) / .seconds(1)
        guard course.ended(.moving) == 0 else {
            throw BenchError.failed("the move took longer than the uploads beside it")
        }
        try await course.over(.moving)
        let stored = try await counts(bed, new)
        try await new.kill()
        course.open(.away)
        let results = try await [staying, moving]
        let sent =
            first.result.good + most.result.good
            + results.reduce(0) { $0 + $1.warm.good + $1.stages[0].good + $1.stages[1].good }
        guard stored == Counts(uploads: sent, arrivals: sent) else {
            throw BenchError.failed("\(sent) uploads were acknowledged, \(stored) are stored")
        }
        return Outcome(most: most, results: results.map(\.stages), words: words, moveSeconds: moveSeconds)
    }

    /// Until it is cancelled: those of its processes, too, that begin later.
    private static func giveWay(_ cluster: PrivateCluster) async {
        while !Task.isCancelled {
            cluster.setNice(19)
            // Ends early only when it is cancelled.
            try? await EventLoop.current?.sleep(for: .milliseconds(100))
        }
    }

    /// Those of each shard's people.
    private static func devices(_ bed: IngestionBed) async throws -> [[Int]] {
        let numbers = Dictionary(
            uniqueKeysWithValues: (0..<people).map { (DeviceTokens.account($0, seed: LoadBed.seed), $0) })
        var devices = [[Int]](repeating: [], count: 2)
        for (account, shard) in try await bed.database.query(
            "select account_id, shard::int from directory", as: UUID.self, Int.self)
        {
            if let number = numbers[account] { devices[shard].append(number) }
        }
        guard devices.reduce(0, { $0 + $1.count }) == people else { throw BenchError.failed("people are in no shard") }
        return devices
    }

    private static func counts(_ bed: IngestionBed, _ new: PrivateCluster) async throws -> Counts {
        let there = new.database(schema: "\(bed.schema)_1")
        var counts = Counts()
        for database in [bed.database, there] {
            guard let (uploads, arrivals) = try await database.queryOne(rows, as: Int.self, Int.self) else { continue }
            counts.uploads += uploads
            counts.arrivals += arrivals
        }
        await there.close()
        return counts
    }

    // MARK: One shard's uploads

    private struct Uploads: Sendable {
        let warm: LoadResult
        let stages: [LoadResult]
    }

    private static func uploads(_ bed: LoadBed, _ devices: [Int], rate: Double, _ course: Course) throws -> Uploads {
        let runner = try bed.runner(
            UploadSource(.live, of: devices, tokens: try bed.tokens(.device, count: people), host: bed.authority),
            connections: connections)
        let warm = try bed.measured(runner, .closed, for: .requests(devices.count)).result
        let stages = try Stage.allCases.map { stage in
            course.wait(for: stage)
            defer { course.end(stage) }
            // Where the cluster is away its people's uploads are refused.
            guard stage == .away else {
                return try bed.measured(runner, .open(rate: rate), for: .seconds(stage.seconds)).result
            }
            return try runner.run(.open(rate: rate), for: .seconds(stage.seconds))
        }
        return Uploads(warm: warm, stages: stages)
    }

    /// What the threads with the uploads may begin, and have begun.
    private final class Course: Sendable {
        private static let patience = Duration.seconds(120)
        private static let interval = Duration.milliseconds(5)

        private struct State {
            var open = Stage.nothing
            var begun = [Int](repeating: 0, count: Stage.allCases.count)
            var ended = [Int](repeating: 0, count: Stage.allCases.count)
        }

        private let state = Mutex(State())

        func open(_ stage: Stage) { state.withLock { $0.open = stage } }
        /// Nobody waits any longer.
        func end() { open(.away) }
        func end(_ stage: Stage) { state.withLock { $0.ended[stage.rawValue] += 1 } }
        func ended(_ stage: Stage) -> Int { state.withLock { $0.ended[stage.rawValue] } }

        /// Blocks the thread.
        func wait(for stage: Stage) {
            while state.withLock({ $0.open.rawValue < stage.rawValue }) { usleep(5000) }
            state.withLock { $0.begun[stage.rawValue] += 1 }
        }

        func reached(_ stage: Stage) async throws { try await until { $0.begun[stage.rawValue] == 2 } }
        func over(_ stage: Stage) async throws { try await until { $0.ended[stage.rawValue] == 2 } }

        private func until(_ isTrue: (State) -> Bool) async throws {
            let deadline = Deadline.after(Self.patience)
            while !state.withLock({ isTrue($0) }) {
                guard !deadline.hasPassed else { throw BenchError.failed("the uploads do not go on") }
                try await EventLoop.current?.sleep(for: Self.interval)
            }
        }
    }
}
