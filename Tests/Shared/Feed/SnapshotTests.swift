@testable import Feed
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Synchronization
import ReactorTesting
import Testing

@Suite struct SnapshotTests {
    /// Lets a call fail.
    struct UnreliableCaller: RPCCaller {
        let caller: any RPCCaller
        let fails: @Sendable (any Sendable) -> Bool

        func call<M: RPCMethod>(
            _ method: M.Type, _ params: M.Params, deadline: Deadline?
        ) async throws(RPCError) -> M.Result {
            if fails(params) { throw RPCError(.unavailable) }
            return try await caller.call(method, params, deadline: deadline)
        }
    }

    private static func known(_ feed: TestFeed) async throws -> [UUID: Int64] {
        let rows = try await feed.database.query("select entity, version from known", as: UUID.self, Int64.self)
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test("After a change of the epoch the consumer takes a snapshot, and nothing stays wrong")
    func epochChange() async throws {
        try await TestFeed.with { feed in
            let ids = (0..<6).map { _ in UUID.random() }
            feed.entities.set(try ids[..<5].map { try Entities.entity($0) })
            try await beside([feed.consumer(handler: KnownHandler()).run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                #expect(try await Self.known(feed).count == 5)
                // The consumer has seen what the promoted standby lacks: version 9 of one, and all of another.
                try await feed.producer.execute(
                    [], publishing: [try TestFeed.event(ids[0], version: 9), try TestFeed.event(ids[5])])
                try await feed.until("select count(*) = 6 from known")
                try await feed.database.execute("delete from known where entity = \(ids[1])")
                try await feed.database.execute("update feed_state set generation = generation + 1")
                feed.producer.news[TestFeed.name]?.lookEverywhere()
                try await feed.incidents.wait(2) { $0.isSnapshotTaken }
                #expect(Set(try await Self.known(feed).keys) == Set(ids[..<5]))
                try await feed.producer.execute([], publishing: [try TestFeed.event(ids[5], version: 2)])
                try await feed.until("select count(*) = 6 from known")
            }
            #expect(feed.incidents.count { $0.isGone } == 1)
        }
    }

    @Test("A snapshot that is interrupted starts again, by whichever replica")
    func interrupted() async throws {
        try await TestFeed.with { feed in
            let ids = (0..<7).map { _ in UUID.random() }
            feed.entities.set(try ids.map { try Entities.entity($0) })
            let failures = Countdown(2)
            let caller = UnreliableCaller(caller: feed.caller()) { params in
                guard let page = params as? FeedSnapshot.Params, page.page == "4" else { return false }
                return failures.take() >= 0
            }
            let first = feed.consumer(handler: KnownHandler(), from: caller)
            try await beside([first.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
            }
            #expect(failures.isOver)
            #expect(Set(try await Self.known(feed).keys) == Set(ids))
            // One replica stops in the middle; another leaves it alone for its time, then starts again.
            try await feed.database.execute("update feed_cursor set is_snapshot = true, epoch = ''")
            let second = feed.consumer(handler: KnownHandler()) { $0.snapshotTakeover = .milliseconds(50) }
            try await beside([second.run]) {
                try await feed.incidents.wait(2) { $0.isSnapshotTaken }
            }
            #expect(try await feed.database.queryOne("select not is_snapshot from feed_cursor", as: Bool.self) == true)
            // And does not wait for longer when the database's clock is set back by an hour meanwhile.
            try await feed.database.execute(
                """
                update feed_cursor set is_snapshot = true, epoch = '', holder = gen_random_uuid(),
                  moved_at = moved_at + interval '1 hour'
                """)
            let third = feed.consumer(handler: KnownHandler())
            try await beside([third.run]) {
                try await feed.incidents.wait(3) { $0.isSnapshotTaken }
            }
        }
    }

    @Test("What is published while a snapshot is taken is not missed")
    func meanwhile() async throws {
        try await TestFeed.with { feed in
            let ids = (0..<5).map { _ in UUID.random() }
            feed.entities.set(try ids[..<4].map { try Entities.entity($0) })
            let isFirst = Countdown(1)
            let published = EventCounter()
            let caller = UnreliableCaller(caller: feed.caller()) { params in
                guard let page = params as? FeedSnapshot.Params, page.page == "2" else { return false }
                // Between the pages; the second page is asked for again until it is done.
                if isFirst.take() == 0 {
                    feed.loop.task {
                        if let event = try? TestFeed.event(ids[4]) {
                            _ = try? await feed.producer.execute([], publishing: [event])
                        }
                        published.raise()
                    }
                }
                return false
            }
            try await beside([feed.consumer(handler: KnownHandler(), from: caller).run]) {
                _ = await published.wait(after: 0)
                try await feed.until("select count(*) = 5 from known")
            }
        }
    }

    @Test("A reader in memory gets a snapshot, then changes, and all anew when its cursor is gone")
    func reader() async throws {
        try await TestFeed.with { feed in
            let ids = (0..<3).map { _ in UUID.random() }
            feed.entities.set(try ids.map { try Entities.entity($0) })
            let log = Mutex<[String]>([])
            let changed = EventCounter()
            let reader = FeedReader(
                feed: TestFeed.name, from: feed.caller(as: "track4run"), observer: feed.incidents.observer
            ) { update, _ in
                let words =
                    switch update {
                    case .snapshotBegan: "began"
                    case .entities(let entities): "\(entities.count)"
                    case .snapshotEnded: "ended"
                    case .changes(let records): records.map(\.kind).joined(separator: ",")
                    }
                log.withLock { $0.append(words) }
                changed.raise()
            }
            #expect(reader.age == nil)
            try await beside([reader.run]) {
                try await feed.incidents.wait { $0.isSnapshotTaken }
                try await feed.producer.execute([], publishing: [try TestFeed.event(kind: "moved")])
                _ = await changed.wait(after: 4)
                #expect(reader.age != nil)
                try await feed.database.execute("update feed_state set generation = generation + 1")
                feed.producer.news[TestFeed.name]?.lookEverywhere()
                try await feed.incidents.wait(2) { $0.isSnapshotTaken }
            }
            let all = log.withLock { $0 }
            #expect(all == ["began", "2", "1", "ended", "moved", "began", "2", "1", "ended"])
            // The producer keeps nothing of it.
            #expect(try await feed.database.queryOne("select count(*) from feed_consumer", as: Int.self) == 0)
        }
    }
}
