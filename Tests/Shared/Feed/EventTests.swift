@testable import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Telemetry
import Testing

@Suite struct EventTests {
    private static let feeds = [TestFeed.name: FeedDefinition(name: TestFeed.name, durable: ["query"])]

    @Test("People see of a stored event what consumers get, under the feed's name")
    func view() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            let event = try TestFeed.event(version: -3, kind: "gewählt")
            try await feed.producer.execute([], publishing: [event])
            let record = try #require(try await feed.read(after: start).events.first)
            let row = try #require(
                try await feed.database.queryOne(
                    "select lane, position, entity, version, kind, payload from feed_event where feed = \(TestFeed.name)",
                    as: Int.self, Int64.self, UUID.self, Int64.self, String.self, [UInt8].self))
            #expect(row.0 == record.lane && row.1 == record.position && row.2 == event.entity)
            #expect(row.3 == -3 && row.4 == "gewählt" && row.5 == event.payload.bytes)
            #expect(record.entity == event.entity && record.version == -3 && record.kind == "gewählt")
            #expect(record.payload == event.payload)
        }
    }

    @Test("An event cut short, a kind that has no room, and a payload nested too deeply are refused")
    func refused() async throws {
        let event = try TestFeed.event()
        let bytes = PackedEvent.pack(event)
        for count in [0, 24, 25] {
            #expect(throws: PostgresError.self) {
                try PackedEvent.unpack(Array(bytes[..<count]), lane: 0, position: 1, recordedAt: .now(), age: .zero)
            }
        }
        for kind in ["", String(repeating: "k", count: 256)] {
            let event = try TestFeed.event(kind: kind)
            #expect(throws: PostgresError.self) { try Outbox.check([event], Self.feeds) }
        }
        for (depth, isGood) in [(FeedEvent.payloadDepthMax, true), (FeedEvent.payloadDepthMax + 1, false)] {
            let text = String(repeating: "[", count: depth) + #""[{\"[""# + String(repeating: "]", count: depth)
            let event = FeedEvent(
                feed: TestFeed.name, entity: .random(), version: 1, kind: "deep",
                payload: try JSONRaw(validating: Array(text.utf8)))
            let outcome = Result { try Outbox.check([event], Self.feeds) }
            #expect(((try? outcome.get()) != nil) == isGood)
        }
    }

    @Test("What was published at the allowed depth can be read")
    func deepest() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            let depth = FeedEvent.payloadDepthMax
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let event = FeedEvent(
                feed: TestFeed.name, entity: .random(), version: 1, kind: "deep",
                payload: try JSONRaw(validating: Array(text.utf8)))
            try await feed.producer.execute([], publishing: [event])
            #expect(try await feed.read(after: start).events.map(\.payload) == [event.payload])
        }
    }

    @Test("Events of several feeds go out with one transaction, each in its feed's own tables")
    func severalFeeds() async throws {
        try await TestDatabase.with { test in
            let names = ["a.one", "a.two"]
            try await Migrations(schema: test.schema, [FeedSchema.producer(1, feeds: names)]).run(on: test.database)
            let producer = FeedProducer(
                database: test.database, feeds: names.map { FeedDefinition(name: $0, durable: []) }, observer: .silent)
            let events = try (0..<6).map { index in
                try FeedEvent(
                    feed: names[index % 2], entity: .random(), version: 1, kind: "k", encoding: ["n": index])
            }
            let counts = try await producer.execute(["select 1", "select 2"], publishing: events)
            #expect(counts == [1, 1])
            for (index, name) in names.enumerated() {
                let stored = try await test.database.query(
                    "select entity from feed_event where feed = \(name) order by position", as: UUID.self)
                #expect(stored == events.enumerated().filter { $0.offset % 2 == index }.map(\.element.entity))
            }
        }
    }
}
