@testable import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

@Suite struct StreamTests {
    @Test("The program and the schema give a feed the same number, which leaves room for its lanes")
    func numbers() async throws {
        try await TestFeed.with { feed in
            for name in ["accounts.changes", "ingestion.live", "a", "é.ü", ""] {
                let base = FeedStream.base(of: name)
                #expect(base >= 0 && base % FeedStream.laneSpace == 0)
                let stored = try await feed.database.queryOne("select feed_base(\(name))", as: Int32.self)
                #expect(stored == base)
                #expect(FeedStream.lane(of: FeedStream.number(feed: name, lane: 64)) == 64)
            }
        }
    }

    @Test("People see of a stored event what consumers get, under the feed's name")
    func view() async throws {
        try await TestFeed.with(upkeep: true) { feed in
            let start = try await feed.end()
            let event = try TestFeed.event(version: -3, kind: "gewählt")
            try await feed.producer.execute([], publishing: [event])
            try await feed.until("select exists (select from feed_event where feed = \(TestFeed.name))")
            let row = try #require(
                try await feed.database.queryOne(
                    "select lane, position, entity, version, kind, payload from feed_event", as: Int32.self,
                    Int64.self, UUID.self, Int64.self, String.self, [UInt8].self))
            #expect(row.2 == event.entity && row.3 == -3 && row.4 == "gewählt" && row.5 == event.payload.bytes)
            let record = try #require(try await feed.read(after: start).events.first)
            #expect(record.lane == Int(row.0) && record.position == row.1 && record.payload == event.payload)
            #expect(record.entity == event.entity && record.version == -3 && record.kind == "gewählt")
        }
    }

    @Test("Events stored by the version before are read after the migration, in their places")
    func carried() async throws {
        try await TestDatabase.with { test in
            let old = Migrations(schema: test.schema, [FeedSchema.producer(1)])
            try await old.run(on: test.database)
            let entity = UUID.random()
            for segment in [0, 2] {
                try await test.database.execute(
                    """
                    insert into feed_event_\(raw: String(segment)) (feed, lane, position, entity, version, kind, payload)
                    values (\(TestFeed.name), \(Int32(segment + 5)), 7, \(entity), 9, 'changed', '{"n":1}')
                    """)
            }
            try await Migrations(schema: test.schema, [FeedSchema.producer(1), FeedSchema.streams(2)])
                .run(on: test.database)
            let incidents = Incidents()
            let producer = TestFeed.producer(on: test.database, incidents: incidents)
            let reading = try await producer.reader.read(
                TestFeed.name, after: .none, lanes: Array(0..<FeedSchema.laneCount), limit: 10,
                deadline: .after(.seconds(10)))
            #expect(Set(reading.events.map(\.lane)) == [5, 7])
            for record in reading.events {
                #expect(record.position == 7 && record.entity == entity && record.version == 9)
                #expect(record.kind == "changed" && record.payload.bytes == Array(#"{"n":1}"#.utf8))
            }
            #expect(
                try await test.database.query("select feed from feed_event", as: String.self)
                    == [TestFeed.name, TestFeed.name])
        }
    }

    @Test("An event cut short, and a kind that has no room, are refused")
    func refused() async throws {
        let event = try TestFeed.event()
        let bytes = PackedEvent.pack(event)
        for count in [0, 24, 25] {
            #expect(throws: PostgresError.self) {
                try PackedEvent.unpack(Array(bytes[..<count]), lane: 0, position: 1, recordedAt: .now())
            }
        }
        for kind in ["", String(repeating: "k", count: 256)] {
            let event = try TestFeed.event(kind: kind)
            #expect(throws: PostgresError.self) { try Outbox.check([event]) { _ in true } }
        }
    }
}
