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

    @Test("An event cut short, and a kind that has no room, are refused")
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
            #expect(throws: PostgresError.self) { try Outbox.check([event]) { _ in true } }
        }
    }
}
