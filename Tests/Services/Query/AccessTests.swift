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
                    "feed.read": ["track4run"],
                    "feed.snapshot": ["track4run"],
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
            let things =
                paths("/query/v1/requests", ["", "/data", "/stream"])
                + paths("/query/v1/me/requests", ["/acceptance", "/refusal", "/withdrawal"])
            let before = try await world.asPerson(.get, "/me/requests").text
            let faults = try await OwnershipWalk.faults(
                in: world.service.assembled, things: Dictionary(uniqueKeysWithValues: things)
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
