@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Testing

@Suite struct ReadTests {
    @Test("A waiting poll is answered by the next commit, without looking at the clock")
    func wakes() async throws {
        try await TestFeed.with { feed in
            var cursor = try await feed.end()
            for _ in 0..<3 {
                let start = cursor
                let poll = feed.loop.throwingTask { try await feed.read(after: start, waitMilliseconds: 30_000) }
                // The poll has looked, and waits.
                try await feed.loop.sleep(for: .milliseconds(20))
                let began = Deadline.now()
                let event = try TestFeed.event()
                try await feed.producer.execute([], publishing: [event])
                let answer = try await poll.value
                #expect(answer.events.map(\.entity) == [event.entity])
                cursor = answer.cursor
                #expect(Deadline.now().since(began) < .seconds(5))
            }
        }
    }

    @Test("A poll ends empty when its time is over, and at once when the service stops")
    func ends() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            let empty = try await feed.read(after: start, waitMilliseconds: 20)
            #expect(empty.events.isEmpty && empty.cursor == start)
            let poll = feed.loop.throwingTask { try await feed.read(after: start, waitMilliseconds: 30_000) }
            feed.producer.stopWaiting()
            #expect(try await poll.value.events.isEmpty)
        }
    }

    @Test("A poll at one replica is answered by a commit at another, through one notification")
    func replicas() async throws {
        try await TestFeed.with(connections: 6, upkeep: true) { feed in
            let database = feed.test.another()
            let other = TestFeed.producer(on: database, incidents: feed.incidents)
            try await beside([other.run]) {
                let deadline = Deadline.after(.patience)
                while other.replicas.count == 0 || feed.producer.replicas.count == 0, !deadline.hasPassed {
                    try await feed.loop.sleep(for: .milliseconds(2))
                }
                let start = try await feed.end()
                let poll = feed.loop.throwingTask { try await feed.read(after: start, waitMilliseconds: 30_000) }
                let began = Deadline.now()
                let event = try TestFeed.event()
                try await other.execute([], publishing: [event])
                #expect(try await poll.value.events.map(\.entity) == [event.entity])
                #expect(Deadline.now().since(began) < .seconds(5))
            }
            await database.close()
        }
    }

    @Test("An answer says whether there is more; who asks for fresh knowledge gets what no replica has announced")
    func freshness() async throws {
        try await TestFeed.with(upkeep: true) { feed in
            var cursor = try await feed.end()
            try await feed.producer.execute([], publishing: try (0..<3).map { _ in try TestFeed.event() })
            for (count, more) in [(2, true), (1, false)] {
                let answer = try await feed.read(after: cursor, limit: 2)
                #expect(answer.events.count == count && answer.more == more)
                cursor = answer.cursor
            }
            // The producer knows the table's end, and does not hear of what is written past it.
            let deadline = Deadline.after(.patience)
            let news = try #require(feed.producer.news[TestFeed.name])
            while news.knownEpoch(within: .seconds(60)) == nil, !deadline.hasPassed {
                try await feed.loop.sleep(for: .milliseconds(2))
            }
            let event = try TestFeed.event()
            let place = Lanes.Place(lane: 3, first: 1 << 60)
            try await feed.database.batch(Outbox.insert([event], [:], at: place) { _ in "feed_changes_0" })
            let answer = try await feed.read(after: cursor, freshMilliseconds: 0)
            #expect(answer.events.map(\.entity) == [event.entity])
        }
    }

    @Test("A service that is not listed may not follow, and an unknown feed is not found")
    func refusals() async throws {
        try await TestFeed.with { feed in
            let params = FeedRead.Params(
                feed: "no.such", cursor: .none, acknowledged: nil, limit: 1, waitMilliseconds: 0)
            let unknown = await #expect(throws: RPCError.self) {
                try await feed.caller().call(FeedRead.self, params)
            }
            #expect(unknown?.code == .notFound)
            let stranger = await #expect(throws: RPCError.self) {
                try await feed.read(after: .none, as: "dispatcher")
            }
            #expect(stranger?.code == .notAllowed)
        }
    }

    @Test("A cursor of another epoch is answered feed.gone")
    func otherEpoch() async throws {
        try await TestFeed.with { feed in
            let before = try await feed.end()
            try await feed.database.execute("update feed_state set generation = generation + 1")
            let gone = await #expect(throws: RPCError.self) { try await feed.read(after: before) }
            #expect(gone?.code == .gone && gone?.domain == "feed.gone")
            #expect(try await feed.read(after: try await feed.end()).events.isEmpty)
        }
    }

    @Test("A busy lane does not hide the others: however small the steps, all lanes are read")
    func fairness() async throws {
        try await TestFeed.with { feed in
            let start = try await feed.end()
            let other = feed.test.another()
            let quiet = TestFeed.producer(on: other, incidents: feed.incidents)
            try await feed.producer.execute([], publishing: try (0..<500).map { _ in try TestFeed.event() })
            let event = try TestFeed.event()
            try await quiet.execute([], publishing: [event])
            await other.close()
            var cursor = start
            for _ in 0..<1000 {
                let answer = try await feed.read(after: cursor, limit: 1)
                if answer.events.contains(where: { $0.entity == event.entity }) { return }
                cursor = answer.cursor
            }
            Issue.record("the quiet lane was never read")
        }
    }

    @Test("An event that is addressed to one service reaches no other, and the others' cursors pass it")
    func addressed() async throws {
        try await TestFeed.with(connections: 8) { feed in
            let definition = FeedDefinition(
                name: TestFeed.name, durable: ["query", "dispatcher"], ephemeral: ["track4run"],
                addressees: ["query": 1, "dispatcher": 2])
            let producer = FeedProducer(
                database: feed.database, feeds: [definition], observer: feed.incidents.observer)
            func read(_ name: String, after cursor: FeedCursor, limit: Int = 500) async throws -> FeedRead.Result {
                try await feed.caller(as: name, of: producer).call(
                    FeedRead.self,
                    .init(feed: TestFeed.name, cursor: cursor, acknowledged: nil, limit: limit, waitMilliseconds: 0),
                    deadline: .after(.seconds(5)))
            }
            func event(to name: String?) throws -> FeedEvent {
                try FeedEvent(
                    feed: TestFeed.name, entity: .random(), version: 1, kind: "changed", encoding: ["n": 1], to: name)
            }
            let start = try await feed.end()
            let events = try [nil, "query", "dispatcher", "query", nil].map { try event(to: $0) }
            try await producer.execute([], publishing: events)
            try await producer.execute([], publishing: [try event(to: "dispatcher")])
            let everything = try await feed.end()
            let query = try await read("query", after: start)
            #expect(query.events.map(\.entity) == [0, 1, 3, 4].map { events[$0].entity } && query.cursor == everything)
            let dispatcher = try await read("dispatcher", after: start)
            #expect(dispatcher.events.count == 4 && dispatcher.cursor == everything)
            let screen = try await read("track4run", after: start)
            #expect(screen.events.map(\.entity) == [0, 4].map { events[$0].entity } && screen.cursor == everything)
            // Cut off: nothing of one's own is passed over.
            let first = try await read("query", after: start, limit: 2)
            #expect(first.more && first.events.map(\.entity) == [0, 1].map { events[$0].entity })
            #expect(
                try await read("query", after: first.cursor).events.map(\.entity) == [3, 4].map { events[$0].entity })
            let refused = await #expect(throws: PostgresError.self) {
                try await producer.execute([], publishing: [try event(to: "nobody")])
            }
            #expect(refused != nil)
            let wrong = await #expect(throws: RPCError.self) {
                try await feed.caller(of: producer).call(
                    FeedRead.self,
                    .init(
                        feed: TestFeed.name, cursor: start, acknowledged: nil, limit: 5, waitMilliseconds: 0,
                        parts: FeedParts(count: 4, numbers: [4])), deadline: .after(.seconds(5)))
            }
            #expect(wrong?.code == .invalidParams)
        }
    }

    @Test("Of events for which an answer has no room the database hands over nothing; page by page each comes once")
    func room() async throws {
        try await TestFeed.with(connections: 8) { feed in
            let definition = FeedDefinition(
                name: TestFeed.name, durable: ["query", "dispatcher"], addressees: ["query": 1, "dispatcher": 2])
            let producer = FeedProducer(
                database: feed.database, feeds: [definition], observer: feed.incidents.observer)
            let start = try await feed.end()
            let text = String(repeating: "x", count: 30_000)
            let events = try (0..<300).map { number in
                try FeedEvent(
                    feed: TestFeed.name, entity: .random(), version: 1, kind: "changed", encoding: text,
                    to: number % 3 == 0 ? "dispatcher" : "query")
            }
            try await producer.execute([], publishing: events)
            let share = EventReader.Share(reader: 1, parts: .all, of: definition)
            func bodies(_ lanes: [Int], limit: Int) async throws -> [Int] {
                let statement = EventReader.events(
                    FeedTables(feed: TestFeed.name), share, after: start, lanes: lanes, limit: limit, rowsMax: 2000)
                return try await feed.database.query(
                    "select octet_length(event) from (\(sql: statement)) r (lane, position, at, event, read_at, found)",
                    as: Int32?.self
                ).compactMap { $0.map { Int($0) } }
            }
            let lane = try #require(
                try await feed.database.queryOne("select distinct lane from feed_changes_log", as: Int32.self))
            for lanes in [[Int(lane)], [Int(lane), 63], Array(0..<FeedSchema.laneCount)] {
                #expect(try await bodies(lanes, limit: 20).count == 20)
                let all = try await bodies(lanes, limit: 500)
                #expect(all.reduce(0, +) <= EventReader.answerBytesMax && all.count > 100 && all.count < 200)
            }
            let expected = events.enumerated().filter { $0.offset % 3 != 0 }.map(\.element.entity)
            for limit in [7, 500] {
                var (cursor, seen) = (start, [UUID]())
                for _ in 0..<100 {
                    let answer = try await feed.caller(of: producer).call(
                        FeedRead.self,
                        .init(
                            feed: TestFeed.name, cursor: cursor, acknowledged: nil, limit: limit, waitMilliseconds: 0),
                        deadline: .after(.seconds(5)))
                    seen += answer.events.map(\.entity)
                    cursor = answer.cursor
                    #expect(answer.more || seen.count == expected.count)
                    guard answer.more else { break }
                }
                let end = try await feed.end()
                #expect(seen == expected && cursor == end)
            }
        }
    }

    @Test("A poll that waits goes on past what is for others, and answers when something is for it")
    func waitsPastOthers() async throws {
        try await TestFeed.with(connections: 8, upkeep: true) { feed in
            let start = try await feed.end()
            let parts = FeedParts(count: 2, numbers: [0])
            let answer = feed.loop.throwingTask {
                try await feed.caller().call(
                    FeedRead.self,
                    .init(
                        feed: TestFeed.name, cursor: start, acknowledged: nil, limit: 500, waitMilliseconds: 20_000,
                        parts: parts), deadline: .after(.seconds(25)))
            }
            let foreign = UUID(high: 7, low: 1)
            for _ in 0..<30 { try await feed.producer.execute([], publishing: [try TestFeed.event(foreign)]) }
            let own = try TestFeed.event(UUID(high: 7, low: 2))
            try await feed.producer.execute([], publishing: [own])
            let result = try await answer.value
            #expect(result.events.map(\.entity) == [own.entity])
            let end = try await feed.end()
            #expect(result.cursor == end)
        }
    }

    @Test("What is for one service wakes no other; all pass it with the next look at the table")
    func news() {
        let news = FeedNews(feed: TestFeed.name)
        let start = FeedCursor(epoch: "e", positions: [])
        news.committed(lane: 3, position: 7, of: [2])
        #expect(news.lanes(beyond: start, for: 2) == [3])
        #expect(news.lanes(beyond: start, for: 1).isEmpty && news.lanes(beyond: start, for: 0).isEmpty)
        news.committed(lane: 4, position: 9, of: [0, 2])
        #expect(news.lanes(beyond: start, for: 1) == [4] && news.lanes(beyond: start, for: 2) == [3, 4])
        // Other replicas are told of all.
        #expect(news.takeUnshared().map(\.position) == [7, 9])
        news.heard([(lane: 5, position: 2)])
        #expect(news.lanes(beyond: start, for: 1) == [4, 5])
        let seen = news.changes.value
        var end = start
        for (lane, position) in [(3, 7), (4, 9), (5, 2)] { end.advance(lane: lane, to: Int64(position)) }
        news.looked(at: .now(), horizon: .now(), end: end)
        #expect(news.lanes(beyond: start, for: 1) == [3, 4, 5] && news.changes.value > seen)
        #expect(news.lanes(beyond: end, for: 1).isEmpty && news.lanes(beyond: end, for: 2).isEmpty)
        #expect(news.takeUnshared().isEmpty)
        // Another epoch begins anew.
        news.looked(at: .now(), horizon: .now(), end: FeedCursor(epoch: "f", positions: [1]))
        #expect(news.lanes(beyond: FeedCursor(epoch: "f", positions: []), for: 2) == [0])
    }

    @Test("Events of an entity that is hidden meanwhile are passed over, and the others come")
    func hidden() async throws {
        try await TestFeed.with(connections: 8) { feed in
            let definition = FeedDefinition(
                name: TestFeed.name, durable: ["query"],
                hides: { "(select true from sent where entity = \(sql: $0) limit 1)" })
            var producers: [FeedProducer] = []
            var databases: [Database] = []
            let start = try await feed.end()
            let events = try (0..<6).map { _ in try TestFeed.event() }
            for event in events {
                databases.append(feed.test.another())
                producers.append(
                    FeedProducer(
                        database: databases[databases.count - 1], feeds: [definition],
                        observer: feed.incidents.observer))
                try await producers[producers.count - 1].execute([], publishing: [event])
            }
            func read(_ producer: FeedProducer, after cursor: FeedCursor? = nil) async throws -> FeedRead.Result {
                try await feed.caller(of: producer).call(
                    FeedRead.self,
                    .init(
                        feed: TestFeed.name, cursor: cursor ?? start, acknowledged: nil, limit: 50, waitMilliseconds: 0),
                    deadline: .after(.seconds(5)))
            }
            let one = FeedProducer(database: feed.database, feeds: [definition], observer: feed.incidents.observer)
            let all = try await read(one)
            #expect(Set(all.events.map(\.entity)) == Set(events.map(\.entity)))
            for event in events[..<2] {
                try await feed.database.execute("insert into sent values (\(event.entity))")
            }
            let rest = try await read(one)
            #expect(Set(rest.events.map(\.entity)) == Set(events[2...].map(\.entity)) && rest.cursor == all.cursor)
            // Few lanes are read in another way than many: each alone.
            var rings = one.rings()
            try await one.maintain(&rings)
            let hidden = Set(events[..<2].map(\.entity))
            for record in all.events {
                let positions = all.cursor.positions.enumerated().map { $0.offset == record.lane ? 0 : $0.element }
                let alone = try await read(one, after: FeedCursor(epoch: all.cursor.epoch, positions: positions))
                let expected = hidden.contains(record.entity) ? [] : [record.entity]
                #expect(alone.events.map(\.entity) == expected && alone.cursor == all.cursor)
            }
            for database in databases { await database.close() }
        }
    }
}
