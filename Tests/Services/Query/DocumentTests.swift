import Domain
import HTTP
import JSON
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await World.with { world in
            try await GroupRequestTests.populate(world, count: 1001)
            let other = world.neighbours.addPerson(
                fiscalCode: "BNCNNA80E57F205U", email: "anna@example.org", types: [.heartRate])
            let draft = World.draft.replacing(World.fiscalCode, with: "BNCNNA80E57F205U")
            let own = try await world.ask(draft)
            _ = try await world.asPerson(.post, "/me/requests/\(own)/acceptance", person: other)
            // Of companies that ask the person.
            func asked() async throws -> UUID {
                try await world.ask(company: world.neighbours.addCompany("Company \(UUID.random())"))
            }
            let accepted = try await asked()
            _ = try await world.asPerson(.post, "/me/requests/\(accepted)/acceptance")
            let mine = "/query/v1/me/requests"
            let walk = try DocumentWalk(
                world.service.assembled,
                paths: [
                    "/query/v1/requests/{id}": "/query/v1/requests/\(own)",
                    "\(mine)/{id}/acceptance": "\(mine)/\(try await asked())/acceptance",
                    "\(mine)/{id}/refusal": "\(mine)/\(try await asked())/refusal",
                    "\(mine)/{id}/withdrawal": "\(mine)/\(accepted)/withdrawal",
                ]
            ) { kind, scopes in
                try world.service.tokens.token(
                    kind, account: kind == .individual ? world.person : world.company, scopes: scopes)
            }
            let faults = try await walk.faults()
            #expect(faults == [])
        }
    }
}
