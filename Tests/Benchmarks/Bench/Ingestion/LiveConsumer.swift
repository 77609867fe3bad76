import Contracts
import Feed
import Glibc
import JSON
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Synchronization
import Telemetry

/// The bench in the place of the dispatcher: it says whose samples it watches, and follows the live feed.
final class LiveConsumer: Sendable {
    private static let watchMax = Duration.seconds(60)

    private let database: Database
    private let producer: FeedProducer
    /// From a sample's upload to the commit of what it brought about, in its steps.
    struct Steps: Sendable {
        var all = LatencyHistogram()
        /// From the sending until ingestion's transaction has begun.
        var upload = LatencyHistogram()
        /// Until the consumer has its hands free for the event.
        var feed = LatencyHistogram()
        /// Until its commit.
        var commit = LatencyHistogram()

        mutating func add(_ other: Steps) {
            all.add(other.all)
            upload.add(other.upload)
            feed.add(other.feed)
            commit.add(other.commit)
        }

        /// Milliseconds of each, at p50 and p99.
        var text: String {
            let parts = [("upload", upload), ("feed", feed), ("commit", commit)].map { name, times in
                "\(name) \(rounded(times.percentile(0.5) / 1000)) / \(rounded(times.percentile(0.99) / 1000))"
            }
            return "\(all.count) events, p50 / p99 \(rounded(all.percentile(0.5) / 1000)) / "
                + "\(rounded(all.percentile(0.99) / 1000)) ms (\(parts.joined(separator: ", ")))"
        }
    }

    private let latency = Mutex(Steps())
    /// When the events were begun to be applied.
    private let begun = Mutex(Timestamp.now())

    /// Of the events since the last time.
    func taken() -> Steps {
        latency.withLock { latency in
            defer { latency = Steps() }
            return latency
        }
    }

    private init(_ database: Database, _ producer: FeedProducer) {
        self.database = database
        self.producer = producer
    }

    /// Runs `body` beside a consumer; call on a loop of the bed.
    static func with<R: Sendable>(
        _ bed: IngestionBed, rpcPort: UInt16, watching accounts: [UUID], _ body: (LiveConsumer) async throws -> R
    ) async throws -> R {
        let schema = "bench_\(getpid())_dispatcher"
        let database = Database(
            DatabaseConfiguration(
                connectionInfo: try DatabaseAddress.shared().connectionInfo, searchPath: [schema],
                applicationName: schema), loops: bed.loops)
        try await database.execute("create schema \(identifier: schema)")
        let effects = Migration(3, "bench", Array("create table effect (id uuid, version int8);".utf8))
        try await Migrations(
            schema: schema,
            [FeedSchema.producer(1, feeds: [Dispatcher.watchFeed]), FeedSchema.consumer(2), effects]
        ).run(on: database)
        let observer = Observer(log: Log(service: "bench", level: .error, sink: ErrorLines()))
        let producer = FeedProducer(
            database: database,
            feeds: [
                FeedDefinition(name: Dispatcher.watchFeed, durable: ["ingestion"]) { try snapshot(accounts, $0) }
            ], observer: observer)
        let consumer = LiveConsumer(database, producer)
        let outcome: Result<R, any Error>
        do {
            outcome = .success(try await consumer.running(bed, rpcPort, observer, body))
        } catch { outcome = .failure(error) }
        try await database.execute("drop schema \(identifier: schema) cascade")
        await database.close()
        return try outcome.get()
    }

    private func running<R: Sendable>(
        _ bed: IngestionBed, _ rpcPort: UInt16, _ observer: Observer, _ body: (LiveConsumer) async throws -> R
    ) async throws -> R {
        var router = RPCRouter()
        producer.register(in: &router)
        let tls = try ServiceProgram.certificates()
        let server = try await RPCServer.start(
            at: Endpoint(host: "127.0.0.1", port: rpcPort), loops: bed.loops,
            tls: try .server(
                certificateFile: "\(tls)/dispatcher.pem", keyFile: "\(tls)/dispatcher.key",
                clientAuthorityFile: "\(tls)/ca.pem"), router: router,
            configuration: RPCServerConfiguration(clientNames: ["ingestion"]))
        let client = try bed.ingestion.client(as: "dispatcher", loops: bed.loops)
        var settings = FeedConsumerSettings()
        settings.parts = Ingestion.livePartsDefault
        settings.carriesAlarms = true
        let following = FeedConsumer(
            feed: Ingestion.liveFeed, from: client, into: database, handler: Handler(consumer: self),
            settings: settings, observer: observer)
        let loop = bed.loops.loops[0]
        let tasks = [loop.task { await self.producer.run() }, loop.task { await following.run() }]
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(self)) } catch { outcome = .failure(error) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await client.close()
        await server.stop(grace: .seconds(1))
        return try outcome.get()
    }

    /// People whose samples are asked for, a page of them: ingestion takes all of them when it first comes.
    private static func snapshot(_ accounts: [UUID], _ page: String?) throws -> FeedDefinition.Page {
        let first = page.flatMap { Int($0) } ?? 0
        let end = min(accounts.count, first + 100)
        let entities = try accounts[first..<end].map {
            FeedEntity(
                entity: $0, version: 1, kind: "watch",
                payload: try JSONRaw(encoding: Ingestion.Watch(accountID: $0, isWatched: true)))
        }
        return FeedDefinition.Page(entities: entities, next: end < accounts.count ? "\(end)" : nil)
    }

    /// Lets so many people upload, each `apart` from the one before, until an event comes of each.
    func waitUntilWatched(by bed: IngestionBed, _ people: Int, apart: Int) async throws {
        let deadline = Deadline.after(Self.watchMax)
        while !deadline.hasPassed {
            _ = taken()
            _ = try await bed.load { bed in
                let source = UploadSource(
                    .live, of: (0..<people).map { $0 * apart },
                    tokens: try bed.tokens(.device, count: people * apart), host: bed.authority)
                return try bed.measured(try bed.runner(source, connections: 8), .closed, for: .requests(people))
            }
            try await bed.loops.loops[0].sleep(for: .seconds(1))
            if taken().all.count >= people { return }
        }
        throw BenchError.failed("the live feed never held all watched people")
    }

    /// One statement for what came together, as services do.
    private struct Handler: FeedHandler {
        let consumer: LiveConsumer

        func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
            consumer.begun.withLock { $0 = .now() }
            return .statements([
                """
                insert into effect select * from unnest(\(records.map(\.entity)), \(records.map(\.version)))
                """
            ])
        }

        func committed(_ records: [FeedRecord]) async {
            let (now, begun) = (Timestamp.now(), consumer.begun.withLock { $0 })
            for record in records where record.kind == Ingestion.liveSamplesKind {
                do {
                    let samples = try record.decode(Ingestion.LiveSamples.self)
                    consumer.latency.withLock { steps in
                        steps.all.add(microseconds: (now - samples.sentAt).microseconds)
                        steps.upload.add(microseconds: (record.recordedAt - samples.sentAt).microseconds)
                        steps.feed.add(microseconds: (begun - record.recordedAt).microseconds)
                        steps.commit.add(microseconds: (now - begun).microseconds)
                    }
                } catch { emit("a live event that cannot be read: \(error)") }
            }
        }

        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }
    }

    private struct ErrorLines: LogSink {
        func write(_ line: [UInt8]) { emit(String(decoding: line, as: UTF8.self)) }
    }
}
