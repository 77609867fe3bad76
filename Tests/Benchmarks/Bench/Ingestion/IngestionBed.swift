import Contracts
import LoadGenerator
import Postgres
import ProcessTesting
import Reactor
import Security

/// The services accounts and ingestion, for loads on the second.
struct IngestionBed: Sendable {
    let bed: ServicesBed
    /// Signs access tokens.
    let key: Ed25519Key

    var loops: EventLoopGroup { bed.loops }
    var ingestion: ServiceProgram { bed[.ingestion] }
    var schema: String { bed.schemas(of: .ingestion).own }
    var schemas: [String] { bed.schemas(of: .ingestion).all }
    /// On ingestion's schema.
    var database: Database { bed.database(of: .ingestion) }
    /// The process that started PostgreSQL's others.
    var postgres: Int32 { bed.postgres }

    /// - `peers`: RPC ports of neighbours that the bench plays.
    /// - `shards`: how many there are; the second half of them is in the cluster `beside`.
    static func with<R: Sendable>(
        _ peers: [String: UInt16] = [:], shards: Int = 1, beside second: DatabaseAddress? = nil, quotaBytes: Int? = nil,
        _ body: @escaping @Sendable (IngestionBed) async throws -> R
    ) async throws -> R {
        try await ServicesBed.with([.accounts, .ingestion], peers: peers) { services in
            let bed = IngestionBed(bed: services, key: try services.key)
            if let quotaBytes {
                try bed.configure("\"quota_bytes\": \(quotaBytes)")
                try await bed.restart()
            }
            guard shards > 1 else { return try await body(bed) }
            try await bed.begin(shards, beside: second)
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body(bed)) } catch { outcome = .failure(error) }
            for number in 1..<shards {
                try await bed.database.execute("drop schema \(identifier: "\(bed.schema)_\(number)") cascade")
            }
            return try outcome.get()
        }
    }

    /// Starts ingestion anew with so many shards.
    private func begin(_ shards: Int, beside second: DatabaseAddress?) async throws {
        try configure("\"shards\": \(shards)")
        try await restart()
        guard let second else { return }
        // They are empty: made once more, in the other cluster.
        for number in shards / 2..<shards {
            try await database.execute(
                "update shard set place = \(place(of: number, in: second)), is_made = false, version = 1 where number = \(Int16(number))"
            )
        }
        try await restart()
    }

    /// Connection settings of a shard in a cluster.
    func place(of shard: Int, in cluster: DatabaseAddress) -> String {
        cluster.settings(
            schema: "\(schema)_\(shard)", passwordFile: bed.directory.file("database.password"),
            connectionsMax: ServicesBed.connections)
    }

    /// Adds a setting, for the next start.
    private func configure(_ setting: String) throws {
        try ingestion.configure { $0.replacing("\"settings\": {", with: "\"settings\": {\(setting), ") }
    }

    private func restart() async throws {
        ingestion.kill()
        try await ingestion.start()
        try await ingestion.waitUntilReady()
    }

    /// Writes a file that goes with the bed. Returns its path.
    func write(_ name: String, _ text: String) throws -> String { try bed.directory.write(name, text) }

    /// Seals all that has come, of so many people at least, and closes what days are over.
    func closeDays(sealing people: Int) async throws { try await bed.closeDays(sealing: people) }

    /// Runs a load on a thread of its own.
    func load<R: Sendable>(_ body: @escaping @Sendable (LoadBed) throws -> R) async throws -> R {
        let bed = LoadBed(
            port: ingestion.httpPort, key: key, ingestion: try bed.process(.ingestion), postgres: postgres)
        return try await BlockingPool.shared.run {
            Side.both.pin()
            return Result { try body(bed) }
        }.get()
    }

    /// Bytes on disk of ingestion's tables that hold what people send, with their indexes: all but the feeds'.
    func bytesOnDisk() async throws -> Int64 {
        try await database.queryOne(
            """
            select coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            where n.nspname::text = any(\(schemas)) and c.relkind = 'r' and c.relname not like 'feed%'
            """, as: Int64.self) ?? 0
    }
}

/// What a load needs to know.
struct LoadBed: Sendable {
    static let host = "127.0.0.1"
    /// Of the bench's people.
    static let seed: UInt64 = 7

    let port: UInt16
    let key: Ed25519Key
    let ingestion: Int32
    let postgres: Int32

    var authority: String { "\(Self.host):\(port)" }

    /// Another `seed` makes other people.
    func tokens(
        _ kind: DeviceTokens.Kind, count: Int, devicesEach: Int = 1, seed: UInt64 = seed
    ) throws -> DeviceTokens {
        let tokens = try DeviceTokens(of: kind, count: count, devicesEach: devicesEach, seed: seed, key: key)
        try tokens.makeAll()
        return tokens
    }

    func runner(_ source: any LoadSource, connections: Int) throws -> LoadRunner {
        try LoadRunner(host: Self.host, port: port, connections: connections, source: source)
    }

    /// Runs a load and measures what it cost. A refusal is an error: rates of loads that were refused tell nothing.
    func measured(
        _ runner: LoadRunner, _ pace: LoadRunner.Pace, for length: LoadRunner.Length
    ) throws -> LoadFigures {
        let before = (
            try ProcessorTime(of: ingestion), try ProcessorTime(of: postgres), ProcessorTime.own()
        )
        let (idle, stolen) = (ProcessorTime.idleSeconds(), ProcessorTime.stolenSeconds())
        let result = try runner.run(pace, for: length)
        guard result.refusedCount + result.broken == 0, result.good > 0 else {
            throw BenchError.failed(
                "\(result.good) answers good, \(result.refused) refused, \(result.broken) lost: \(result.example)")
        }
        let each = 1e6 / Double(result.good)
        return LoadFigures(
            result: result, ingestion: each * (try ProcessorTime(of: ingestion) - before.0),
            postgres: each * (try ProcessorTime(of: postgres) - before.1),
            generator: each * (ProcessorTime.own() - before.2),
            idleShare: (ProcessorTime.idleSeconds() - idle) / (result.seconds * 2),
            stolenShare: (ProcessorTime.stolenSeconds() - stolen) / (result.seconds * 2))
    }
}

/// What a load came to; processor times are in µs per good answer.
struct LoadFigures: Sendable {
    let result: LoadResult
    let ingestion: Double
    let postgres: Double
    let generator: Double
    let idleShare: Double
    /// Of both cores, what the machine's host gave to others.
    let stolenShare: Double

    var text: String {
        "\(rounded(result.rate)) /s; processor time: ingestion \(rounded(ingestion)) µs, PostgreSQL \(rounded(postgres)) µs, "
            + "load \(rounded(generator)) µs; idle \(rounded(100 * idleShare)) %; p50 "
            + "\(rounded(result.latency.percentile(0.5) / 1000)) ms, p99 \(rounded(result.latency.percentile(0.99) / 1000)) ms"
    }
}
