import Contracts
import HTTP
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await World.with { world in
            let faults = try await AccessWalk.faults(
                in: world.service.assembled, tokens: world.service.tokens, open: [])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05b: each RPC method is for the neighbours that this table names, and refuses everybody else before it looks at what they send"
    )
    func neighbours() async throws {
        try await World.with { world in
            let faults = await ClientWalk.faults(
                in: world.service.assembled,
                table: [
                    "feed.read": ["track4run", "ingestion"],
                    "feed.snapshot": ["track4run", "ingestion"],
                    "query.request_check_in": ["track4run"],
                    "query.age_statistics": ["ingestion"],
                    "query.export": ["accounts"],
                    "query.erasures": ["accounts"],
                ])
            #expect(faults == [])
        }
    }

    @Test("NFR-05 REQ-05: a request and its data are not there for another company or another person")
    func others() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let (company, person) = (world.neighbours.addCompany("Rival"), UUID.random())
            func paths(_ prefix: String, _ ends: [String]) -> [(String, String)] {
                ends.map { ("\(prefix)/:id\($0)", "\(prefix)/\(id)\($0)") }
            }
            let event = try #require(try await world.events(after: "0", until: 1).events.first)
            try await GroupRequestTests.populate(world, count: 1001)
            let group = try #require(try await world.askGroup()["id"]?.text)
            let things =
                [
                    ("/query/v1/events/:id", "/query/v1/events/\(event.id)"),
                    ("/query/v1/group-requests/:id", "/query/v1/group-requests/\(group)"),
                ]
                + paths("/query/v1/requests", ["", "/data", "/results", "/results/mail", "/stream"])
                + paths("/query/v1/me/requests", ["/acceptance", "/refusal", "/withdrawal"])
            let webhook = try await world.asCompany(.post, "/webhooks", #"{"url": "https://hooks.example.org/"}"#)
            let hook = try #require(webhook["id"]?.text)
            let hooks = ["", "/secret", "/test", "/replay", "/attempts"].map {
                ("/query/v1/webhooks/:id\($0)", "/query/v1/webhooks/\(hook)\($0)")
            }
            let before = try await world.asPerson(.get, "/me/requests").text
            let faults = try await OwnershipWalk.faults(
                in: world.service.assembled, things: Dictionary(uniqueKeysWithValues: things + hooks),
                bodies: ["POST /query/v1/webhooks/:id/replay": #"{"since": "2025-06-20T09:30:00Z"}"#]
            ) { kind in
                let scopes = AccessScope.allCases.map(\.rawValue)
                return kind == .thirdParty
                    ? try world.service.tokens.token(kind, account: company, scopes: scopes)
                    : try world.service.tokens.token(kind, account: person)
            }
            #expect(faults == [])
            #expect(try await world.asPerson(.get, "/me/requests").text == before)
        }
    }
}
