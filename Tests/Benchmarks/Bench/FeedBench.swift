import Feed
import Glibc
import Postgres
import Primitives
import RPC
import Reactor
import Telemetry

/// From one service's change to another's, over real TCP and two database sessions; and what publishing costs writers.
enum FeedBench {
    private static let events = 2000
    private static let rounds = 5
    private static let writers = 32
    /// Of the producer, as `deploy/` configures each service: writers take turns at them.
    private static let connections = 16
    /// Many short slices in turn: what else the machine does then meets both sides alike.
    private static let slices = 30
    private static let sliceTime = Duration.milliseconds(200)
    private static let feed = "accounts.changes"

    static func run(_ report: inout Report) async throws {
        guard let info = getenv("TRACKME_TEST_DATABASE") else {
            throw BenchError.failed("TRACKME_TEST_DATABASE is not set: run deploy/bench")
        }
        let schema = "bench_feed_\(getpid())"
        // The server works on both cores, so its clients are not pinned either.
        Side.both.pin()
        defer { Side.client.pin() }
        let producing = try EventLoopGroup(count: 1)
        defer { producing.shutdown() }
        let consuming = try EventLoopGroup(count: 1)
        defer { consuming.shutdown() }
        func database(_ loops: EventLoopGroup, _ connections: Int) -> Database {
            var configuration = DatabaseConfiguration(
                connectionInfo: String(cString: info), searchPath: [schema], applicationName: schema)
            configuration.connectionsPerLoopMax = connections
            return Database(configuration, loops: loops)
        }
        let (producerDatabase, consumerDatabase) = (database(producing, connections), database(consuming, 2))
        let figures = try await producing.loops[0].throwingTask {
            try await producerDatabase.execute("create schema \(identifier: schema)")
            let tables = Migration(
                3, "bench",
                Array(
                    """
                    create table change (id uuid primary key, version int8);
                    create table effect (id uuid primary key, version int8);
                    """.utf8))
            try await Migrations(
                schema: schema, [FeedSchema.producer(1, feeds: [feed]), FeedSchema.consumer(2), tables]
            )
            .run(on: producerDatabase)
            let producer = FeedProducer(
                database: producerDatabase, feeds: [FeedDefinition(name: feed, durable: ["query"])],
                observer: Observer(log: Log(service: "bench", level: .warning, sink: PrintedLines())))
            let upkeep = producing.loops[0].task { await producer.run() }
            let latency = try await measureLatency(
                producer, on: producerDatabase, producing, into: consumerDatabase, consuming)
            let rates = try await measureRates(producer, on: producerDatabase)
            upkeep.cancel()
            await upkeep.value
            try await producerDatabase.execute("drop schema \(identifier: schema) cascade")
            await producerDatabase.close()
            return (latency, rates)
        }.value
        await consumerDatabase.close()
        let (latency, rates) = figures
        report.note("commit p50 \(rounded(latency.commit)) µs, RPC p50 \(rounded(latency.call)) µs")
        report.add(
            "producer's start to consumer's commit, p50", latency.feed, against: "two commits and one RPC",
            2 * latency.commit + latency.call, "µs", .atMost(2))
        let (with, without) = rates.transactions.means
        report.add(
            "transactions/s of \(writers) writers with a feed", with, against: "without", without, "/s", .atLeast(0.8))
        let (batchWith, batchWithout) = rates.batches.means
        report.note(
            "single statements in one round trip: \(rounded(batchWith)) /s with a feed, \(rounded(batchWithout)) /s without"
        )
    }

    // MARK: Latency

    private struct Latency: Sendable {
        var feed: Double
        var commit: Double
        var call: Double
    }

    private static func measureLatency(
        _ producer: FeedProducer, on database: Database, _ producing: EventLoopGroup,
        into target: Database, _ consuming: EventLoopGroup
    ) async throws -> Latency {
        var router = RPCRouter()
        producer.register(in: &router)
        router.register(RPCBench.Sum.self, allow: ["query"]) { params, _ in
            RPCBench.Sum.Result(account: params.account, sum: params.values.reduce(0, +), note: params.note)
        }
        let server = try await RPCServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: producing, tls: nil, router: router,
            configuration: RPCServerConfiguration(clientNames: [], plainClientName: "query"))
        let client = RPCClient(
            RPCClientConfiguration(
                service: "accounts", endpoints: [Endpoint(host: "127.0.0.1", port: server.port)]),
            loops: consuming, tls: nil)
        let (committed, ready) = (EventCounter(), EventCounter())
        let consumer = FeedConsumer(
            feed: feed, from: client, into: target, handler: EffectHandler(committed: committed),
            observer: Observer(log: Log(service: "bench", sink: PrintedLines(ready: ready))))
        let following = consuming.loops[0].task { await consumer.run() }
        _ = await ready.wait(after: 0)
        var result = Latency(feed: 0, commit: 0, call: 0)
        var (feedTimes, commitTimes, callTimes): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            for _ in 0..<events / rounds {
                let seen = committed.value
                feedTimes.append(
                    try await timed {
                        let id = UUID.random()
                        try await producer.execute([change(of: id)], publishing: [event(of: id)])
                        _ = await committed.wait(after: seen)
                    })
                commitTimes.append(try await timed { try await database.batch([change(of: .random())]) })
            }
            callTimes += try await consuming.loops[0].throwingTask {
                let params = RPCBench.Sum.Params(account: "0190f5a2", values: [1, 2, 3], note: "a note")
                var times: [Double] = []
                for _ in 0..<events / rounds {
                    times.append(try await timed { _ = try await client.call(RPCBench.Sum.self, params) })
                }
                return times
            }.value
        }
        following.cancel()
        await following.value
        await client.close()
        await server.stop(grace: .seconds(1))
        result.feed = percentile(feedTimes.sorted(), 0.5)
        result.commit = percentile(commitTimes.sorted(), 0.5)
        result.call = percentile(callTimes.sorted(), 0.5)
        return result
    }

    /// Writes one row per event, and tells when it is committed.
    private struct EffectHandler: FeedHandler {
        let committed: EventCounter

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
            .statements(records.map { "insert into effect values (\($0.entity), \($0.version))" })
        }
        func committed(_ records: [FeedRecord]) async {
            committed.raise()
        }
        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }
    }

    // MARK: Rates

    private struct Rates: Sendable {
        var with: [Double] = []
        var without: [Double] = []
        var means: (with: Double, without: Double) {
            (with.reduce(0, +) / Double(with.count), without.reduce(0, +) / Double(without.count))
        }

        mutating func add(_ rate: Double, _ publishes: Bool) {
            if publishes { with.append(rate) } else { without.append(rate) }
        }
    }

    /// Of transactions with a statement and a commit, and of statements that are transactions by themselves. Every measure
    /// begins with an empty table, since a growing index makes each row dearer, and who comes first changes from round to
    /// round.
    private static func measureRates(
        _ producer: FeedProducer, on database: Database
    ) async throws -> (transactions: Rates, batches: Rates) {
        var (transactions, batches) = (Rates(), Rates())
        for slice in 0..<slices {
            for publishes in [slice % 2 == 0, slice % 2 != 0] {
                try await database.execute("truncate change")
                let transactionRate = try await rate {
                    let id = UUID.random()
                    try await database.transaction { transaction in
                        try await transaction.execute(change(of: id))
                        if publishes { try await producer.publish([event(of: id)], in: transaction) }
                    }
                }
                try await database.execute("truncate change")
                let batchRate = try await rate {
                    let id = UUID.random()
                    if publishes {
                        try await producer.execute([change(of: id)], publishing: [event(of: id)])
                    } else {
                        try await database.batch([change(of: id)])
                    }
                }
                transactions.add(transactionRate, publishes)
                batches.add(batchRate, publishes)
            }
        }
        return (transactions, batches)
    }

    /// How often `work` is done per second by all writers together.
    private static func rate(_ work: @escaping @Sendable () async throws -> Void) async throws -> Double {
        let (start, end) = (Deadline.now(), Deadline.after(sliceTime))
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask {
                    var count = 0
                    while !end.hasPassed {
                        try await work()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / seconds(since: start)
    }

    private static func change(of id: UUID) -> SQL { "insert into change values (\(id), \(Int64(1)))" }

    private static func event(of id: UUID) throws -> FeedEvent {
        try FeedEvent(
            feed: feed, entity: id, version: 1, kind: "changed",
            encoding: ["account": "0190f5a2-7a3e-7c11-9d2f-3b6a5e1c8f42", "state": "confirmed"])
    }

    /// In µs.
    private static func timed(_ work: () async throws -> Void) async throws -> Double {
        let start = Deadline.now()
        try await work()
        return seconds(since: start) * 1e6
    }
}

/// Prints what goes wrong, and says when the consumer has its snapshot.
private struct PrintedLines: LogSink {
    var ready: EventCounter?

    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        if text.contains("feed snapshot taken") { ready?.raise() } else { print(text, terminator: "") }
    }
}
