import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// However a subscription ends, its third party is told once.
@Suite struct EndTests {
    enum End: CaseIterable {
        case time, withdrawal, thirdParty, individualErased, companyErased
    }

    private func end(_ id: UUID, _ end: End, _ world: World) async throws {
        switch end {
        case .time:
            world.clock.advance(by: .seconds(200 * 86_400))
            try await world.round()
        case .withdrawal:
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
        case .thirdParty: #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
        case .individualErased:
            try await ErasureTests.follower(world).erase(
                world.person, at: world.clock.now(), in: world.service.database)
        case .companyErased:
            try await ErasureTests.follower(world).erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
        }
    }

    @Test(
        "SUB-04a SUB-04b REQ-07b REQ-10d: Each end of a subscription is one event and one message to each side that is there still",
        arguments: End.allCases)
    func once(how: End) async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            world.neighbours.collect([.position], of: world.person)
            try await world.round()
            try await end(id, how, world)
            // What is no longer collected is not told of after the end.
            try await world.service.database.execute("update watch set settles_at = clock_timestamp()")
            try await world.round()
            try await world.round()
            let kind = how == .withdrawal ? "request.withdrawn" : "request.ended"
            let kinds = try await world.service.database.query(
                "select kind from event where requester_id = \(world.company) order by number", as: String.self)
            #expect(kinds == (how == .companyErased ? [] : ["request.accepted", kind]))
            let template = kind.replacing(".", with: "-")
            let expected: [UUID] =
                switch how {
                case .time, .withdrawal, .thirdParty: [world.company, world.person]
                case .individualErased: [world.company]
                case .companyErased: [world.person]
                }
            let deadline = Deadline.after(.patience)
            func told() -> [UUID] { world.neighbours.sent.filter { $0.template == template }.map(\.account) }
            while told().count < expected.count, !deadline.hasPassed {
                try await world.round()
                _ = await world.neighbours.reached(sent: world.neighbours.sent.count)
            }
            #expect(told().sorted() == expected.sorted())
            #expect(!world.neighbours.sent.contains { $0.template.hasPrefix("data-") })
        }
    }

    @Test("SUB-04b ACC-12d: Of who is erased no event says any more what was not collected")
    func erased() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            try await world.service.database.execute(
                """
                insert into event (requester_id, number, id, request_id, kind, types, counts, created_at)
                select requester_id, 2, gen_random_uuid(), id, 'data.unavailable', '{2}', '{}', now() from request
                """)
            try await world.service.database.execute("update recipient set last_number = 2")
            try await end(.random(), .individualErased, world)
            let kinds = try await world.service.database.query(
                "select kind from event order by number", as: String.self)
            #expect(kinds == ["request.accepted", "request.ended"])
        }
    }
}
