import Domain
import HTTP
import JSON
import OpenAPITesting
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct DocumentTests {
    @Test("NFR-09: every body and every answer of success has an example")
    func examples() throws {
        let document = try APIDocument.of(QueryService.openAPI)
        #expect(document.operations.count > 20)
        #expect(document.withoutExample == [])
    }

    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        let prices = #"{"single_once": 500, "single_subscription": 200, "group_once": 2000}"#
        try await World.withPayments(prices: prices, settings: FakeReceiver.settings) { world, broker in
            // Nobody listens there.
            let webhook = try await world.asCompany(.post, "/webhooks", #"{"url": "http://127.0.0.1:1/"}"#)
            let hook = try #require(webhook["id"]?.text)
            try await GroupRequestTests.populate(world, count: 1001)
            let other = world.neighbours.addPerson(
                fiscalCode: "BNCNNA80E57F205U", email: "anna@example.org", types: [.heartRate])
            let draft = World.draft.replacing(World.fiscalCode, with: "BNCNNA80E57F205U")
            let own = try await world.ask(draft)
            _ = try await world.asPerson(.post, "/me/requests/\(own)/acceptance", person: other)
            let event = try #require(try await world.events(after: "0", until: 1).events.first)
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            let group = try #require(try await world.askGroup()["id"]?.text)
            let owed = try #require(try await world.invoices("?state=due").first)
            #expect(try await world.callBack(broker, World.callBack(owed)).status == 200)
            // One that has to be paid.
            let part = GroupRequestTests.question.replacing("2025-06-02", with: "2025-06-01")
            #expect(try await world.askGroup(part)["buckets"] == nil)
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
                    "/query/v1/group-requests/{id}": "/query/v1/group-requests/\(group)",
                    "/query/v1/events/{id}": "/query/v1/events/\(event.id)",
                    "/query/v1/webhooks/{id}": "/query/v1/webhooks/\(hook)",
                    "/query/v1/invoices/{id}": "/query/v1/invoices/\(invoice["id"]?.text ?? "")",
                    "\(mine)/{id}/acceptance": "\(mine)/\(try await asked())/acceptance",
                    "\(mine)/{id}/refusal": "\(mine)/\(try await asked())/refusal",
                    "\(mine)/{id}/withdrawal": "\(mine)/\(accepted)/withdrawal",
                ]
            ) { kind, scopes in
                try world.service.tokens.token(
                    kind, account: kind == .individual ? world.person : world.company, scopes: scopes)
            }
            // It has to be signed.
            let faults = try await walk.faults(unsuccessful: ["POST /query/v1/payments/broker"])
            #expect(faults == [])
        }
    }
}
