import Feed
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import Testing

extension BadDays {
    @Suite struct OldSnapshotTests {
        private static let feed = "accounts.changes"

        @Test(
            "NFR-03: transactions left open, with an old snapshot or with writes, hold up neither feeds nor trimming",
            .timeLimit(.minutes(5)))
        func leftOpen() async throws {
            try await TestDatabase.with {
                $0.connectionsPerLoopMax = 10
            } _: { test in
                let tables = "create table applied (entity uuid not null); create table other (number integer);"
                try await Migrations(
                    schema: test.schema,
                    [
                        FeedSchema.producer(1, feeds: [Self.feed]), FeedSchema.consumer(2),
                        Migration(3, "tables", Array(tables.utf8)),
                    ]
                ).run(on: test.database)
                let (release, opened) = (EventCounter(), EventCounter())
                let loop = try #require(EventLoop.current)
                let old = loop.throwingTask { () async throws -> [Int?] in
                    try await test.database.transaction(isolation: .repeatableRead) { transaction in
                        let first = try await transaction.queryOne("select count(*) from other", as: Int.self)
                        opened.raise()
                        _ = await release.wait(after: 0)
                        return [first, try await transaction.queryOne("select count(*) from other", as: Int.self)]
                    }
                }
                let writing = loop.throwingTask {
                    try await test.database.transaction { transaction in
                        try await transaction.execute("insert into other values (1)")
                        opened.raise()
                        _ = await release.wait(after: 0)
                    }
                }
                while opened.value < 2 { _ = await opened.wait(after: opened.value) }
                try await publish(in: test)
                release.raise()
                try await writing.value
                // It was there all the time.
                #expect(try await old.value == [0, 0])
            }
        }

        private func publish(in test: TestDatabase) async throws {
            let notes = FeedNotes()
            // Segments of one page, and rounds one after the other: the ring turns all the time.
            var settings = FeedSettings()
            settings.segmentBytesMax = 1
            settings.trimGrace = .zero
            settings.upkeepInterval = .milliseconds(10)
            let database = test.database
            let producer = FeedProducer(
                database: database, feeds: [FeedDefinition(name: Self.feed, durable: ["query"])], settings: settings,
                observer: notes.observer)
            var router = RPCRouter()
            producer.register(in: &router)
            let consumer = FeedConsumer(
                feed: Self.feed, from: LocalCaller(router: router, as: "query"), into: database,
                handler: AppliedEvents(),
                observer: notes.observer)
            try await beside([producer.run, consumer.run]) {
                try await eventually("the consumer follows") { notes.snapshots > 0 }
                for _ in 0..<300 {
                    try await producer.execute(
                        [],
                        publishing: [
                            try FeedEvent(feed: Self.feed, entity: .random(), version: 1, kind: "account", encoding: 1)
                        ])
                }
                try await eventually("all is applied, and what was passed is trimmed") {
                    let counts = try await database.queryOne(
                        """
                        select (select count(*) from applied), (select count(*) from feed_event), trims
                        from feed_ring
                        """,
                        as: Int.self, Int.self, Int64.self)
                    guard let (applied, kept, trims) = counts else { return false }
                    return applied == 300 && kept < 150 && trims >= 3
                }
            }
            #expect(notes.gone == 0 && notes.blamed == 0)
        }
    }
}
