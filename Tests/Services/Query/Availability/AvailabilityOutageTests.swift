import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// Who is asked about while a part of ingestion is away, and with very many people. The rounds are the test's own.
@Suite struct AvailabilityOutageTests {
    private let all = DataType.mask(DataType.allCases)

    private func availability(_ world: World, pagesMax: Int = 50) -> Availability {
        Availability(
            world.life(), ingestion: world.service.context.peers[ServiceName.ingestion.rawValue],
            settling: .seconds(600), pagesMax: pagesMax)
    }

    /// Somebody after everybody, and so many people, whom third parties follow.
    private func follow(_ count: Int, _ world: World) async throws -> (last: UUID, others: Set<UUID>) {
        let others = (1...count).map { UUID(high: 0, low: UInt64($0)) }
        let last = UUID(high: .max, low: .max)
        let people = others + [last]
        try await world.service.database.execute("insert into watch (individual_id) select unnest(\(people))")
        try await world.service.database.execute(
            """
            insert into request (id, requester_id, individual_id, mode, granularity, frequency, types, data_from, data_to, reason,
              named, state, created_at, lapses_at, decided_at, accepted_types, access_until)
            select gen_random_uuid(), gen_random_uuid(), p, 'subscription', 'raw', 'live', '{2}', now(), now() + interval '1 day',
              '', '', 'accepted', now(), now() + interval '1 day', now(), '{2}', now() + interval '2 days'
            from unnest(\(people)) p
            """)
        return (last, Set(others))
    }

    private func collected(of person: UUID, _ world: World) async throws -> Int64? {
        try await world.service.database.queryOne(
            "select collected from watch where individual_id = \(person)", as: Int64?.self) ?? nil
    }

    @Test("SUB-04b NFR-03: Those of whom it cannot be known now hold up nobody whose consent has changed")
    func unasked() async throws {
        try await World.with(isRunning: false) { world in
            let (last, others) = try await follow(Ingestion.Collected.peopleMax + 1, world)
            world.neighbours.loseCollections(of: others)
            let availability = availability(world, pagesMax: 1)
            try await availability.round()
            #expect(try await collected(of: last, world) == nil)
            try await availability.round()
            #expect(try await collected(of: last, world) == all)
            // Again from the first one on.
            world.neighbours.loseCollections(of: [])
            try await availability.round()
            try await availability.round()
            let left = try await world.service.database.queryOne(
                "select count(*) from watch where collected_at is null or collected is null", as: Int.self)
            #expect(left == 0)
        }
    }

    @Test("SUB-04b NFR-03: Nor anybody of whom is heard; and they are asked about until it is known")
    func heard() async throws {
        try await World.with(isRunning: false) { world in
            let (last, others) = try await follow(5 * Ingestion.Collected.peopleMax, world)
            let availability = availability(world)
            try await availability.round()
            #expect(try await collected(of: last, world) == all)
            world.neighbours.loseCollections(of: others)
            for person in others.union([last]) { world.neighbours.collect([], of: person, isTold: false) }
            availability.mayHaveChanged(others.union([last]))
            try await availability.round()
            #expect(try await collected(of: last, world) == 0)
            let open = try await world.service.database.queryOne(
                "select count(*) from watch where collected_at is null", as: Int.self)
            #expect(open == others.count)
            world.neighbours.loseCollections(of: [])
            try await availability.round()
            let known = try await world.service.database.queryOne(
                "select count(*) from watch where collected = 0 and collected_at is not null", as: Int.self)
            #expect(known == others.count + 1)
        }
    }

    @Test("SUB-04b NFR-03: However often changes may have been missed, everybody's turn comes")
    func gaps() async throws {
        try await World.with(isRunning: false) { world in
            let (last, _) = try await follow(Ingestion.Collected.peopleMax + 1, world)
            try await availability(world).round()
            world.neighbours.collect([], of: last, isTold: false)
            let availability = availability(world, pagesMax: 1)
            for _ in 0..<2 {
                availability.mayHaveChanged()
                try await availability.round()
            }
            #expect(try await collected(of: last, world) == 0)
            // The gap of meanwhile is made up for.
            world.neighbours.collect(DataType.allCases, of: last, isTold: false)
            for _ in 0..<2 { try await availability.round() }
            #expect(try await collected(of: last, world) == all)
        }
    }

    @Test(
        "SUB-04b: Consents and types that change again and again do not put off what is told; an answer that is lacking does"
    )
    func settling() async throws {
        try await World.with(isRunning: false) { world in
            let (last, _) = try await follow(1, world)
            let (database, store) = (
                world.service.database,
                AvailabilityStore(database: world.service.database, settling: .seconds(600))
            )
            try await store.note([(last, 0)], askedAt: try await store.now())
            func settlesAt() async throws -> Timestamp? {
                try await database.queryOne(
                    "select settles_at from watch where individual_id = \(last)", as: Timestamp?.self) ?? nil
            }
            let first = try #require(try await settlesAt())
            // Nor do other types that come and go.
            for types: Int64 in [0b100, 0] { try await store.note([(last, types)], askedAt: try await store.now()) }
            #expect(try await settlesAt() == first)
            try await database.execute("update watch set collected_at = null")
            try await store.note([(last, 0)], askedAt: try await store.now())
            #expect(try await settlesAt() == first)
            try await database.execute("update watch set settles_at = clock_timestamp() where individual_id = \(last)")
            #expect(try await store.settled(limit: 10, longest: .seconds(3600)).map(\.id) == [last])
            try await store.askAgain([last], askedAt: try await store.now())
            #expect(try await store.settled(limit: 10, longest: .seconds(3600)).isEmpty)
            // A time that no program sets was set before the clock was set back.
            try await store.note([(last, 0)], askedAt: try await store.now())
            try await database.execute(
                "update watch set settles_at = clock_timestamp() + interval '2 hours' where individual_id = \(last)")
            #expect(try await store.settled(limit: 10, longest: .seconds(3600)).map(\.id) == [last])
        }
    }
}
