import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// Third parties are told when data is no longer available.
@Suite struct AvailabilityTests {
    /// From now on these types are collected of the person, and query has asked about it.
    private func collect(_ types: [DataType], of person: UUID? = nil, _ world: World) async throws {
        world.neighbours.collect(types, of: person ?? world.person)
        try await known(types, of: person, world)
    }

    /// Query knows that these types are collected of the person. Call on a loop.
    private func known(_ types: [DataType], of person: UUID? = nil, _ world: World) async throws {
        let (person, mask) = (person ?? world.person, DataType.mask(types))
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            try await world.round()
            let collected = try await world.service.database.queryOne(
                "select collected from watch where individual_id = \(person)", as: Int64?.self)
            if collected == mask { return }
        }
        Issue.record("query does not get to know what is collected")
    }

    /// What is collected now has been so for long enough.
    private func settle(_ world: World) async throws {
        try await world.service.database.execute(
            "update watch set settles_at = clock_timestamp() where settles_at is not null")
        try await world.round()
    }

    /// As if an hour had passed since third parties were told.
    private func passHour(_ world: World) async throws {
        try await world.service.database.execute(
            """
            update reading set unavailable_at = unavailable_at - interval '1 hour', available_at = available_at - interval '1 hour'
            """)
    }

    /// The events about availability: kind, types.
    private func told(_ world: World, company: UUID? = nil) async throws -> [[String]] {
        let page = try await world.asCompany(.get, "/events?limit=1000", company: company)
        return (page["events"]?.items ?? []).compactMap { event in
            guard let type = event["type"]?.text, ["data.unavailable", "data.available"].contains(type) else {
                return nil
            }
            return [type] + (event["data_types"]?.items.compactMap(\.text) ?? [])
        }
    }

    @Test(
        "SUB-04b REQ-07a: That a type is no longer collected is told once it has lasted, by event and message, with no more than the types; then that it is again"
    )
    func gone() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            try await known(DataType.allCases, world)
            try await settle(world)
            #expect(try await told(world).isEmpty)
            try await collect([.position, .steps], world)
            #expect(try await told(world).isEmpty)
            try await settle(world)
            #expect(try await told(world) == [["data.unavailable", "heart-rate"]])
            let shown = try await world.asCompany(.get, "/requests/\(id)")
            #expect(shown["unavailable_types"]?.items.map(\.text) == ["heart-rate"])
            #expect(try await world.asCompany(.get, "/requests")["requests"]?.items == [shown.json])
            #expect(try await world.asPerson(.get, "/me/requests").text.contains("unavailable") == false)
            let last = try await world.asCompany(.get, "/events")["events"]?.items.last
            #expect(last?["request_id"]?.text == id.description)
            #expect(last?["series"] == nil && last?["measured_from"] == nil && last?["reason"] == nil)
            // Asked, accepted, unavailable.
            try #require(await world.neighbours.reached(sent: 3))
            let message = world.neighbours.sent.filter { $0.template == "data-unavailable" }
            #expect(message.map(\.account) == [world.company])
            #expect(message.first?.values["data_types"] == "heart-rate")
            try await settle(world)
            #expect(try await told(world).count == 1)
            try await collect([.position, .heartRate], world)
            try await settle(world)
            #expect(try await told(world).dropFirst() == [["data.available", "heart-rate"]])
            #expect(try await world.asCompany(.get, "/requests/\(id)")["unavailable_types"] == nil)
            try #require(await world.neighbours.reached(sent: 4))
            #expect(world.neighbours.sent(to: world.company).contains { $0.template == "data-available" })
        }
    }

    @Test("SUB-04b: Who switches off and on again is not told of; and of one request each is told once in an hour")
    func toggling() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            for _ in 0..<3 {
                try await collect([.position], world)
                try await collect([.position, .heartRate], world)
            }
            try await settle(world)
            #expect(try await told(world).isEmpty)
            for types in [[DataType.position], [.position, .heartRate], [.position], [.position, .heartRate], []] {
                try await collect(types, world)
                try await settle(world)
            }
            // Of the third state nothing was told, and of the last one nothing yet.
            let pair = [["data.unavailable", "heart-rate"], ["data.available", "heart-rate"]]
            #expect(try await told(world) == pair)
            try await passHour(world)
            try await settle(world)
            #expect(try await told(world) == pair + [["data.unavailable", "position", "heart-rate"]])
        }
    }

    @Test("SUB-04b: A type that comes and goes hides none that is gone for good, and is told of itself once it is gone")
    func hidden() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await known(DataType.allCases, world)
            try await settle(world)
            let gone = [["data.unavailable", "heart-rate"]]
            for types in [[DataType.position], [], [.position], []] { try await collect(types, world) }
            try await settle(world)
            #expect(try await told(world) == gone)
            try await passHour(world)
            for types in [[DataType.position], []] { try await collect(types, world) }
            try await settle(world)
            #expect(try await told(world) == gone)
            try await settle(world)
            #expect(try await told(world) == gone + [["data.unavailable", "position"]])
            // Nothing more is to be settled.
            #expect(
                try await world.service.database.queryOne(
                    "select count(*) from watch where settles_at is not null", as: Int.self) == 0)
        }
    }

    @Test(
        "SUB-04b PAY-01b: Of what is not paid nothing is told; after the payment what is missing then is told once"
    )
    func unpaid() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            for types in [[DataType.position], DataType.allCases, [.heartRate], [.position]] {
                try await collect(types, world)
                try await settle(world)
                #expect(try await told(world).isEmpty)
                #expect(try await world.asCompany(.get, "/requests/\(id)")["unavailable_types"] == nil)
            }
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            try await world.round()
            // Not only when it is looked at again in any case.
            let isSoon: SQL =
                "select collected_at is not null and settles_at < clock_timestamp() + interval '11 minutes' from watch"
            #expect(try await world.service.database.queryOne(isSoon, as: Bool?.self) == true)
            for _ in 0..<2 {
                try await settle(world)
                #expect(try await told(world) == [["data.unavailable", "heart-rate"]])
            }
        }
    }

    @Test("SUB-04b PAY-01c: Where prices are turned off, what is missing of what was not paid is told after all")
    func withoutPrices() async throws {
        try await World.withPayments { world, broker in
            _ = try await world.askAndAccept()
            try await collect([.position], world)
            try await settle(world)
            #expect(try await told(world).isEmpty)
            let ingestion = world.service.context.peers[ServiceName.ingestion.rawValue]
            let other = Availability(world.life(nil), ingestion: ingestion, settling: .seconds(600))
            try await world.service.database.execute(
                "update watch set settles_at = clock_timestamp() where settles_at is not null")
            try await other.round()
            #expect(try await told(world) == [["data.unavailable", "heart-rate"]])
        }
    }

    @Test("SUB-04b: Each subscription is told of its own types; one that is over or for the past is told of nothing")
    func which() async throws {
        try await World.with { world in
            func ask(_ draft: String, accepting types: String) async throws -> (company: UUID, request: UUID) {
                let company = world.neighbours.addCompany("Company \(UUID.random())")
                let id = try await world.ask(draft, company: company)
                let answer = try await world.asPerson(.post, "/me/requests/\(id)/acceptance", types)
                try #require(answer.status == 200, "\(answer.text)")
                return (company, id)
            }
            let both = try await ask(World.draft, accepting: "")
            let one = try await ask(World.draft, accepting: #"{"data_types": ["position"]}"#)
            let short = try await ask(World.draft.replacing("2025-09-01", with: "2025-07-02"), accepting: "")
            let past = try await ask(
                World.draft.replacing("subscription", with: "once").replacing("2025-09-01", with: "2025-06-30"),
                accepting: "")
            let withdrawn = try await ask(World.draft, accepting: "")
            _ = try await world.asPerson(.post, "/me/requests/\(withdrawn.request)/withdrawal")
            world.clock.advance(by: .seconds(86_400))
            try await collect([.position], world)
            try await settle(world)
            #expect(try await told(world, company: both.company) == [["data.unavailable", "heart-rate"]])
            for other in [one, short, past, withdrawn] {
                #expect(try await told(world, company: other.company).isEmpty)
            }
        }
    }

    @Test(
        "SUB-04b: Of what was no longer collected before the consent is told after it; of who has none is never asked")
    func before() async throws {
        try await World.with { world in
            world.neighbours.collect([.position], of: world.person, isTold: false)
            let id = try await world.ask()
            try await world.round()
            #expect(world.neighbours.collectionsAsked == 0)
            _ = try await world.asPerson(.post, "/me/requests/\(id)/acceptance")
            try await known([.position], world)
            try await settle(world)
            #expect(try await told(world) == [["data.unavailable", "heart-rate"]])
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            try await world.round()
            let asked = world.neighbours.collectionsAsked
            try await world.round()
            #expect(world.neighbours.collectionsAsked == asked)
            #expect(try await world.count("watch") == 1)
            let open = try await world.service.database.queryOne(
                "select count(*) from watch where settles_at is not null or collected_at is null", as: Int.self)
            #expect(open == 0)
        }
    }

    @Test("SUB-04b NFR-03: What changes while ingestion cannot be asked is told later")
    func away() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await known(DataType.allCases, world)
            try await settle(world)
            world.neighbours.failCollections(times: 2)
            try await collect([.position], world)
            try await settle(world)
            #expect(try await told(world) == [["data.unavailable", "heart-rate"]])
        }
    }

    @Test("SUB-04b: After a start all are asked about, since what changed meanwhile was not heard")
    func start() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await known(DataType.allCases, world)
            try await settle(world)
            world.neighbours.collect([.heartRate], of: world.person, isTold: false)
            try await world.round()
            let (life, ingestion) = (world.life(), world.service.context.peers[ServiceName.ingestion.rawValue])
            let other = Availability(life, ingestion: ingestion, settling: .seconds(600))
            other.mayHaveChanged()
            try await other.round()
            try await settle(world)
            #expect(try await told(world) == [["data.unavailable", "position"]])
        }
    }

    @Test("SUB-04b NFR-03: Of many replicas one tells")
    func replicas() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await collect([.position], world)
            let ingestion = world.service.context.peers[ServiceName.ingestion.rawValue]
            let replicas = (0..<4).map { _ in
                Availability(world.life(), ingestion: ingestion, settling: .seconds(600))
            }
            try await world.service.database.execute("update watch set settles_at = clock_timestamp()")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for replica in replicas { group.addTask { try await replica.round() } }
                try await group.waitForAll()
            }
            #expect(try await told(world).count == 1)
            let stored = try await world.service.database.queryOne(
                "select count(*) from event where kind = 'data.unavailable'", as: Int.self)
            #expect(stored == 1)
            try #require(await world.neighbours.reached(sent: 3))
            #expect(world.neighbours.sent.count { $0.template == "data-unavailable" } == 1)
        }
    }

    @Test("SUB-04b: An answer of before a change does not replace one of after it")
    func late() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await known(DataType.allCases, world)
            let store = AvailabilityStore(database: world.service.database, settling: .seconds(600))
            let early = try await store.now()
            let later = try await store.now()
            try await store.note([(world.person, DataType.mask([.position]))], askedAt: later)
            try await store.note([(world.person, DataType.mask([.heartRate]))], askedAt: early)
            let collected = try await world.service.database.queryOne("select collected from watch", as: Int64.self)
            #expect(collected == DataType.mask([.position]))
        }
    }

    @Test("SUB-04b SUB-02d: What is told goes by message so often in an hour; events tell all of it")
    func messages() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            let rounds = Availability.messagesMax / 2 + 1
            for _ in 0..<rounds {
                for types in [[DataType.position], DataType.allCases] {
                    try await collect(types, world)
                    try await settle(world)
                    try await passHour(world)
                }
            }
            #expect(try await told(world).count == 2 * rounds)
            // Asked, accepted.
            try #require(await world.neighbours.reached(sent: 2 + Availability.messagesMax))
            try await world.round()
            let messages = world.neighbours.sent.count { ["data-unavailable", "data-available"].contains($0.template) }
            #expect(messages == Availability.messagesMax)
        }
    }
}
