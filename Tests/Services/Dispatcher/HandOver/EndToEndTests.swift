import Contracts
import Domain
import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Telemetry
import Testing

@testable import Dispatcher

/// The whole way in one process: published by a producer with a database of its own, followed durably, handed over.
@Suite(.serialized) struct EndToEndTests {
    @Test("SOS-05b NFR-02: from the feed's event to the signed call it takes under 0.5 s of the service's own work")
    func latency() async throws {
        try await TestDatabase.with { ingestion in
            let migrations = Migrations(schema: ingestion.schema, [FeedSchema.producer(1, feeds: [Ingestion.liveFeed])])
            try await migrations.run(on: ingestion.database)
            let producer = FeedProducer(
                database: ingestion.database,
                feeds: [FeedDefinition(name: Ingestion.liveFeed, durable: ["dispatcher"])], observer: .silent)
            var built = RPCRouter()
            producer.register(in: &built)
            let router = built
            try await TestDispatcher.with { dispatcher in
                let lines = MemoryLogSink()
                let consumer = FeedConsumer(
                    feed: Ingestion.liveFeed, from: LocalCaller(router: router, as: "dispatcher"),
                    into: dispatcher.database, handler: dispatcher.capabilities.liveHandler,
                    observer: Observer(log: Log(service: "dispatcher", sink: lines)))
                let following = try #require(EventLoop.current).task { await consumer.run() }
                // Events before the consumer's first snapshot are not for it.
                let patience = Deadline.after(.patience)
                while !lines.has("feed snapshot taken"), !patience.hasPassed {
                    try await EventLoop.current?.sleep(for: .milliseconds(2))
                }
                #expect(lines.has("feed snapshot taken"))
                let desk = dispatcher.hooks[0].desk
                var took: [Duration] = []
                for index in 1...11 {
                    let account = UUID.random()
                    try await dispatcher.enrol(account)
                    let event = try FeedEvent(
                        feed: Ingestion.liveFeed, entity: account, version: 1, kind: "samples",
                        encoding: TestDispatcher.live(critical, of: account))
                    let began = Deadline.now()
                    try await producer.execute([], publishing: [event])
                    let calls = await desk.wait { Set($0.map(\.id)).count >= index }
                    took.append(try #require(calls.last).at.since(began))
                }
                following.cancel()
                await following.value
                // The first one waits for the consumer's snapshot and first connections.
                let median = took.dropFirst().sorted()[5]

                #expect(median < .milliseconds(500))
                let unsigned = desk.calls.count { !$0.isSigned }
                #expect(unsigned == 0)
            }
        }
    }
}
