import JSON
import Security
import HTTP
import Contracts
import Domain
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// What of query's reads is in the audit trail.
@Suite struct AuditTests {
    private func pseudonym(_ account: UUID, _ world: World) async throws -> UUID? {
        try await world.service.database.queryOne(
            "select pseudonym from audit_person where account = \(account)", as: UUID.self)
    }

    @Test("NFR-06b REQ-11: Each look-up and each answer with a person's data is one entry, which names its access")
    func entries() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            world.neighbours.arrive(World.heartRates([63], at: World.start + .seconds(60)), of: world.person)
            let id = try await world.askAndAccept()
            world.clock.advance(by: .seconds(1))
            let first = try await world.asCompany(.get, "/requests/\(id)/data?limit=1")
            #expect(first.status == 200)
            world.clock.advance(by: .seconds(1))
            _ = try await world.deliver(id, csv: true).collectedBody()
            // Nothing is handed over: none of these is a read.
            world.clock.advance(by: .seconds(1))
            let next = try #require(first["next"]?.text)
            let second = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(next)")
            let last = try #require(second["next"]?.text)
            _ = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(last)")
            _ = try await world.asCompany(.get, "/requests/\(id)")
            // Of the own data neither.
            _ = try await world.asPerson(.get, "/me/access-log")
            _ = try await world.asPerson(.get, "/me/requests")

            let accesses = try await world.service.database.query(
                "select id, way from access order by id", as: UUID.self, String.self)
            #expect(accesses.map(\.1) == ["look-up", "page", "download", "page"])
            let lines = try await world.service.auditLines()
            #expect(
                lines.map(\.description)
                    == accesses.map { access, way in
                        "third-party query.\(way) " + (way == "look-up" ? "" : "request \(id), ") + "access \(access)"
                    })
            let (person, company) = (
                try await pseudonym(world.person, world), try await pseudonym(world.company, world)
            )
            #expect(person != nil && person != world.person && company != nil && company != world.company)
            #expect(lines.allSatisfy { $0.pseudonym == person && $0.onBehalfOf == company })
            #expect(try await AuditTrail(database: world.service.database).verify().sequence == 4)
        }
    }

    @Test("NFR-06b: A stream is one entry, however often it writes; a delivery that is refused is none")
    func streams() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let database = world.service.database
            let permits = EventPermits(
                database: database, audit: AuditTrail(database: database), clock: world.clock)
            func event(_ number: Int64) throws -> Event {
                Event(
                    requester: world.company, number: number, id: .random(), request: id, kind: .samples,
                    types: [.heartRate], data: try .init([World.heartRates([60 + Double(number)])]),
                    createdAt: world.clock.now())
            }
            let before = try await world.service.auditLines().count
            var delivery = EventDelivery(.stream, to: world.company, at: world.clock.now()) {}
            for number in 1...3 {
                let permitted = try await permits.permit([event(Int64(number))], on: &delivery).events
                #expect(permitted.count == 1)
            }
            #expect(try await world.service.auditLines().count == before + 1)
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            var late = EventDelivery(.page, to: world.company, at: world.clock.now()) {}
            let refused = try await permits.permit([event(4)], on: &late).events
            #expect(refused.isEmpty)
            #expect(try await world.service.auditLines().count == before + 1)
        }
    }
}
