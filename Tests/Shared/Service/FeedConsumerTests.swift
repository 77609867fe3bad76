import Contracts
import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import Testing

/// What a service follows another one's feed with.
@Suite struct FeedConsumerTests {
    /// Notes the version of every event's payload.
    private struct Notes: FeedHandler {
        func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
            .statements(
                try records.map { record in
                    let payload: [String: Int64] = try record.decode()
                    return "insert into applied (n) values (\(payload["n"] ?? 0))"
                })
        }
        func beginSnapshot() async throws -> FeedEffect { .none }
        func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
        func endSnapshot() async throws -> FeedEffect { .none }
    }

    private struct World: Sendable {
        let test: TestDatabase
        let sink: MemoryLogSink
        let consumer: FeedConsumer

        /// Follows the feed until the statement says true.
        func follow(until sql: SQL) async throws {
            let loop = test.loops.loops[0]
            let task = loop.task { await consumer.run() }
            let deadline = Deadline.after(.patience)
            var isTrue = false
            while !isTrue, !deadline.hasPassed {
                isTrue = try await test.database.queryOne(sql, as: Bool.self) == true
                try await loop.sleep(for: .milliseconds(1))
            }
            task.cancel()
            await task.value
            try #require(isTrue, "never true: \(sql.text)")
        }

        func execute(_ sql: SQL) async throws { try await test.database.execute(sql) }
    }

    /// Accounts with one event for each of `numbers`, after a snapshot of nothing.
    private static func accounts(_ numbers: [Int64]) throws -> LocalCaller {
        let events = try numbers.enumerated().map { index, number in
            FeedRecord(
                lane: 0, position: Int64(index + 1), entity: .random(), version: 1, kind: "changed",
                payload: try JSONRaw(encoding: ["n": number]), recordedAt: .now())
        }
        var router = RPCRouter()
        router.register(FeedSnapshot.self, allow: ["query"]) { _, _ in
            FeedSnapshot.Result(entities: [], next: nil, cursor: FeedCursor(epoch: "1", positions: [0]))
        }
        router.register(FeedRead.self, allow: ["query"]) { params, _ in
            let new = events.filter { $0.position > params.cursor[0] }
            if new.isEmpty { try await EventLoop.current?.sleep(for: .milliseconds(1)) }
            var cursor = params.cursor
            cursor.advance(past: new)
            return FeedRead.Result(events: new, cursor: cursor, more: false)
        }
        return LocalCaller(router: router, as: "query")
    }

    private func with(_ numbers: [Int64], _ body: @escaping @Sendable (World) async throws -> Void) async throws {
        let accounts = try Self.accounts(numbers)
        try await TestDatabase.with { test in
            let tables = Migration(2, "applied", Array("create table applied (n int8 not null)".utf8))
            try await Migrations(schema: test.schema, [FeedSchema.consumer(1), tables]).run(on: test.database)
            let sink = MemoryLogSink()
            let context = ServiceContext(
                name: "query", settings: 0, baseURL: "http://127.0.0.1:8100", loops: test.loops,
                database: test.database, peers: ["accounts": accounts], keys: try .random(),
                log: Log(service: "query", level: .debug, sink: sink))
            var settings = FeedConsumerSettings()
            settings.attemptsMax = 1
            let consumer = context.consumer(
                of: "accounts.changes", from: .accounts, into: test.database, handler: Notes(), settings: settings)
            try await body(World(test: test, sink: sink, consumer: consumer))
        }
    }

    @Test(
        "NFR-05d: a parked payload is sealed with the service's field key, and is applied when the service starts again"
    )
    func parked() async throws {
        try await with([7_654_321, 1]) { world in
            try await world.execute("alter table applied add constraint not_yet check (n <> 7654321)")
            try await world.follow(until: "select count(*) = 1 from feed_parked")
            let payload = try #require(
                try await world.test.database.queryOne("select payload from feed_parked", as: [UInt8].self))
            #expect(!String(decoding: payload, as: UTF8.self).contains("7654321"))
            let lines = world.sink.lines
            #expect(lines.contains { $0.contains("feed event parked") })
            #expect(!lines.contains { $0.contains("7654321") })

            try await world.execute("alter table applied drop constraint not_yet")
            try await world.follow(until: "select count(*) = 0 from feed_parked")
            #expect(
                try await world.test.database.query("select n from applied order by n", as: Int64.self) == [
                    1, 7_654_321,
                ])
        }
    }

    @Test("NFR-05: a parked payload that was moved or cannot be opened stays, and holds up no other")
    func unreadable() async throws {
        try await with([1, 2, 3, 4]) { world in
            try await world.execute("alter table applied add constraint not_yet check (n > 3)")
            try await world.follow(until: "select count(*) = 3 from feed_parked")
            try await world.execute("alter table applied drop constraint not_yet")
            try await world.execute("update feed_parked set payload = '{}' where position = 1")
            try await world.execute(
                """
                update feed_parked set payload = (select payload from feed_parked where position = 3)
                where position = 2
                """)
            try await world.follow(until: "select count(*) = 2 from applied")
            #expect(try await world.test.database.query("select n from applied order by n", as: Int64.self) == [3, 4])
            let left = try await world.test.database.query(
                "select position from feed_parked order by position", as: Int64.self)
            #expect(left == [1, 2])
        }
    }
}
