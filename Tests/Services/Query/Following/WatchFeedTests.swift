import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// Whom ingestion is to watch for third parties.
@Suite struct WatchFeedTests {
    private struct Told: Equatable {
        let version: Int64
        let watch: Ingestion.Watch
    }

    /// What was published of the individual, by version.
    private func told(_ world: World, of individual: UUID? = nil) async throws -> [Told] {
        let individual = individual ?? world.person
        let events = try await world.service.database.query(
            """
            select version, convert_from(payload, 'utf8') from feed_event
            where feed = \(Query.watchFeed) and entity = \(individual) order by version
            """, as: Int64.self, String.self)
        return try events.map {
            Told(version: $0.0, watch: try JSONDecoder().decode(Ingestion.Watch.self, from: Array($0.1.utf8)))
        }
    }

    private func watch(_ world: World, _ types: [DataType], until: String) -> Ingestion.Watch {
        Ingestion.Watch(
            accountID: world.person, isWatched: true, until: Timestamp(until), types: types, tells: .arrivals)
    }

    private func accept(_ world: World, _ id: UUID, _ types: String) async throws {
        let answer = try await world.asPerson(
            .post, "/me/requests/\(id)/acceptance", "{\"data_types\": [\(types)]}")
        try #require(answer.status == 200, "\(answer.text)")
    }

    @Test(
        "SUB-01c: who has accepted is watched for the types of all consents together, until the last of them ends; who has withdrawn all is not"
    )
    func union() async throws {
        try await World.with { world in
            let other = world.neighbours.addCompany("Beta S.r.l.")
            let longer = World.draft.replacing("2025-09-01", with: "2025-10-01")
            let (first, second) = (try await world.ask(), try await world.ask(longer, company: other))
            #expect(try await told(world).isEmpty)
            try await accept(world, first, "\"heart-rate\"")
            try await accept(world, second, "\"position\"")
            let (short, long) = ("2025-10-01T00:00:00Z", "2025-10-31T00:00:00Z")
            #expect(
                try await told(world).map(\.watch) == [
                    watch(world, [.heartRate], until: short),
                    watch(world, [.position, .heartRate].sorted(), until: long),
                ])
            // A run's check-in is track4run's, and what is refused changes nothing.
            let params = world.checkIn()
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, params)
            _ = try await world.asPerson(.post, "/me/requests/\(params.id)/acceptance")
            _ = try await world.asPerson(.post, "/me/requests/\(params.id)/withdrawal")
            let third = try await world.ask(company: world.neighbours.addCompany("Gamma"))
            _ = try await world.asPerson(.post, "/me/requests/\(third)/refusal")
            #expect(try await told(world).count == 2)
            _ = try await world.asPerson(.post, "/me/requests/\(second)/withdrawal")
            #expect(try await told(world).last?.watch == watch(world, [.heartRate], until: short))
            // The third party ends the other.
            _ = try await world.asCompany(.delete, "/requests/\(first)")
            let all = try await told(world)
            #expect(all.count == 4 && all.map(\.version) == [1, 2, 3, 4])
            #expect(all.last?.watch.isWatched == false && all.last?.watch.tells == .arrivals)
        }
    }

    @Test("SUB-04a: a consent that ends by its time ends the watch")
    func ends() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            world.clock.advance(by: .seconds(200 * 86_400))
            try await world.round()
            #expect(try await world.state(of: id) == "ended")
            #expect(try await told(world).map(\.watch.isWatched) == [true, false])
        }
    }

    @Test("SUB-01: of consents that are given at the same time the last watch has all")
    func together() async throws {
        try await World.with { world in
            for round in 1...5 {
                let types = ["heart-rate", "position", "steps"]
                var ids: [(UUID, String)] = []
                for type in types {
                    let company = world.neighbours.addCompany("\(type) \(round)")
                    let draft = World.draft.replacing(#"["heart-rate", "position"]"#, with: "[\"\(type)\"]")
                    ids.append((try await world.ask(draft, company: company), type))
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (id, type) in ids { group.addTask { try await accept(world, id, "\"\(type)\"") } }
                    try await group.waitForAll()
                }
                let all = try await told(world)
                #expect(Set(all.last?.watch.types ?? []) == [.heartRate, .position, .steps])
                #expect(all.map(\.version) == Array(1...Int64(all.count)))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (id, _) in ids {
                        group.addTask { _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal") }
                    }
                    try await group.waitForAll()
                }
                #expect(try await told(world).last?.watch.isWatched == false)
            }
        }
    }

    @Test("SUB-01: a snapshot has all who are watched now, page by page, with the versions of their watches")
    func snapshot() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let last = try #require(try await told(world).last)
            // As many more as need three pages; and consents that are over, not given, or of runs.
            func person(_ tag: String) -> SQL { "md5(\(raw: "'\(tag)'") || n)::uuid" }
            for (tag, state, run, until, count) in [
                ("now", "accepted", "null", "2025-08-01", 1200), ("over", "accepted", "null", "2025-06-30", 20),
                ("asked", "pending", "null", "2025-08-01", 20),
                ("run", "accepted", "gen_random_uuid()", "2025-08-01", 20),
            ] {
                let numbers: SQL = "generate_series(1, \(raw: String(count))) n"
                let answer: SQL =
                    state == "pending"
                    ? "null::timestamptz, null::smallint[], null::timestamptz"
                    : "'2025-06-01'::timestamptz, '{1}'::smallint[], \(raw: "'\(until)'")::timestamptz"
                try await world.service.database.batch([
                    "insert into watch (individual_id, version) select \(sql: person(tag)), 7 from \(sql: numbers)",
                    """
                    insert into request (id, requester_id, individual_id, run_id, mode, granularity, frequency, types, data_from, data_to, reason, named,
                      state, created_at, lapses_at, decided_at, accepted_types, access_until)
                    select gen_random_uuid(), gen_random_uuid(), \(sql: person(tag)), \(raw: run)::uuid, 'subscription', 'raw', 'live',
                      '{1,2}'::smallint[], '2025-06-01'::timestamptz, '2025-07-31'::timestamptz, 'x'::bytea, 'x'::bytea,
                      \(raw: "'\(state)'"), '2025-06-01'::timestamptz, '2025-06-02'::timestamptz, \(sql: answer)
                    from \(sql: numbers)
                    """,
                ])
            }
            let caller = world.service.rpc(as: "ingestion")
            var entities: [FeedEntity] = []
            var (page, pages): (String?, Int) = (nil, 0)
            repeat {
                let result = try await caller.call(FeedSnapshot.self, .init(feed: Query.watchFeed, page: page))
                entities += result.entities
                (page, pages) = (result.next, pages + 1)
            } while page != nil && pages < 10
            #expect(pages == 3 && entities.count == 1201)
            let expected = try await world.service.database.query(
                "select \(sql: person("now")) from generate_series(1, 1200) n", as: UUID.self)
            #expect(Set(entities.map(\.entity)) == Set(expected + [world.person]))
            let own = try #require(entities.first { $0.entity == world.person })
            #expect(try Told(version: own.version, watch: own.decode()) == last)
            #expect(entities.allSatisfy { $0.entity == world.person || $0.version == 7 })
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            let later = try await caller.call(FeedSnapshot.self, .init(feed: Query.watchFeed, page: nil))
            #expect(!later.entities.contains { $0.entity == world.person })
        }
    }
}

extension [DataType] {
    fileprivate func sorted() -> [DataType] { sorted { $0.rawValue < $1.rawValue } }
}
