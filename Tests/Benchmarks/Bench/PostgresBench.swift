import Glibc
import Postgres
import Reactor
import SeededRandom

/// A prepared single-row select over 8 connections with one query in flight on each, from one loop, against `pgbench`
/// doing the same with one thread.
enum PostgresBench {
    private static let schema = "bench"
    private static let connections = 8
    private static let rows = 1_000_000
    private static let repetitions = 5
    private static let length = Duration.seconds(2)

    static func run(_ report: inout Report) async throws {
        guard let variable = getenv("TRACKME_TEST_DATABASE") else {
            throw BenchError.failed("TRACKME_TEST_DATABASE is not set: run deploy/bench")
        }
        let connection = String(cString: variable)
        // The server works on both cores, so the clients are not pinned either.
        Side.both.pin()
        defer { Side.client.pin() }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutdown() }
        var configuration = DatabaseConfiguration(
            connectionInfo: connection, searchPath: [schema], applicationName: "trackme-bench")
        configuration.connectionsPerLoopMax = connections
        let database = Database(configuration, loops: loops)
        let loop = loops.loops[0]
        try await loop.throwingTask {
            try await database.execute("drop schema if exists \(identifier: schema) cascade")
            try await database.execute("create schema \(identifier: schema)")
        }.value
        let pgbenchConnection = "\(connection) options='-c search_path=\(schema)'"
        _ = try Child("pgbench", ["-i", "-q", "-s", "10", pgbenchConnection], on: .both).wholeOutput()
        var own: [Double] = []
        var baseline: [Double] = []
        for _ in 0..<repetitions {
            baseline.append(try pgbench(pgbenchConnection))
            own.append(try await loop.throwingTask { try await selects(database) }.value)
        }
        await loop.task { await database.close() }.value
        report.add(
            "prepared select, 8 connections", percentile(own.sorted(), 0.5), against: "pgbench",
            percentile(baseline.sorted(), 0.5), "/s", .atLeast(0.9))
    }

    private static func selects(_ database: Database) async throws -> Double {
        let start = Deadline.now()
        let end = Deadline.after(length)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<connections {
                group.addTask {
                    try await database.withConnection { connection in
                        var count = 0
                        var generator = SeededGenerator(seed: .random(in: 0 ... .max))
                        while !end.hasPassed {
                            let account = Int32.random(in: 1...Int32(rows), using: &generator)
                            let balance = try await connection.queryOne(
                                "select abalance from pgbench_accounts where aid = \(account)", as: Int32.self)
                            guard balance == 0 else { throw BenchError.failed("account \(account) is not there") }
                            count += 1
                        }
                        return count
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / seconds(since: start)
    }

    private static func pgbench(_ connection: String) throws -> Double {
        let output = try Child(
            "pgbench",
            ["-n", "-S", "-M", "prepared", "-c", "\(connections)", "-j", "1", "-T", "2", connection], on: .both
        ).wholeOutput()
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.dropFirst(6).prefix { $0 != " " })
        else { throw BenchError.failed("pgbench says: \(output)") }
        return rate
    }
}
