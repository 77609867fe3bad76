import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Query

/// Requests of organisers for a run, which begin and end with track4run.
@Suite struct CheckInTests {
    @Test("RUN-08 REQ-06b REQ-09b: a check-in is one request per id, beside others, and lapses at the start")
    func checkIn() async throws {
        try await World.with { world in
            _ = try await world.ask()
            let params = world.checkIn()
            let caller = world.service.rpc(as: "track4run")
            _ = try await caller.call(Query.RequestCheckIn.self, params)
            _ = try await caller.call(Query.RequestCheckIn.self, params)
            let list = try await world.asPerson(.get, "/me/requests")["requests"]?.items ?? []
            #expect(list.count { $0["kind"]?.text == "check-in" } == 1)
            let part = try await world.asPerson(
                .post, "/me/requests/\(params.id)/acceptance", "{\"data_types\": [\"heart-rate\"]}")
            #expect(part.code == "position-required")
            world.clock.advance(by: .seconds(900))
            try await world.round()
            #expect(try await world.state(of: params.id) == "lapsed")
            let late = await #expect(throws: RPCError.self) { try await caller.call(Query.RequestCheckIn.self, params) }
            #expect(late?.code == .invalidParams)
            let stranger = await #expect(throws: RPCError.self) {
                try await world.service.rpc(as: "dispatcher").call(Query.RequestCheckIn.self, params)
            }
            #expect(stranger?.code == .notAllowed)
        }
    }

    @Test("RUN-08 RUN-01bc: a check-in names the organiser, and a private one asks for the position alone")
    func organiser() async throws {
        try await World.with { world in
            let individual = world.neighbours.addPerson(
                fiscalCode: "VRDLGU80A01H501X", email: "luigi@example.org", types: [])
            for organiser in [world.company, individual] {
                let params = world.checkIn(of: organiser)
                _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, params)
            }
            let list = try await world.asPerson(.get, "/me/requests")["requests"]?.items ?? []
            func asked(by organiser: UUID) throws -> JSONValue {
                try #require(list.first { $0["requester"]?["id"]?.text == organiser.description })
            }
            let company = try asked(by: world.company)
            #expect(company["requester"]?["name"]?.text == "Acme S.p.A.")
            #expect(company["requester"]?["email"]?.text == "somebody@example.org")
            #expect(company["requester"]?["vat_number"]?.text == "00743110157")
            #expect(company["data_types"]?.items.count == DataType.allCases.count)
            let own = try asked(by: individual)
            #expect(own["requester"]?["name"]?.text == "Anna Rossi")
            #expect(own["requester"]?["email"]?.text == "somebody@example.org")
            #expect(own["requester"]?["vat_number"] == nil)
            #expect(own["data_types"]?.items.map(\.text) == ["position"])
            try await world.round()
            try #require(await world.neighbours.reached(sent: 2))
            let told = world.neighbours.sent(to: world.person)
            #expect(Set(told.map(\.template)) == ["check-in-requested", "check-in-requested-privately"])
            #expect(told.allSatisfy { $0.values["email"] == "somebody@example.org" })
            #expect(Set(told.compactMap { $0.values["company"] }) == ["Acme S.p.A.", "Anna Rossi"])
            #expect(Set(told.compactMap { $0.values["vat_number"] }) == ["00743110157", ""])
        }
    }

    @Test(
        "REQ-05 RUN-08 NFR-06: every change of a check-in is in the feed, in the order of its versions, and nothing else"
    )
    func feed() async throws {
        try await World.with { world in
            let other = try await world.askAndAccept()
            _ = try await world.asPerson(.post, "/me/requests/\(other)/withdrawal")
            let params = world.checkIn()
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, params)
            _ = try await world.asPerson(.post, "/me/requests/\(params.id)/acceptance")
            _ = try await world.asPerson(.post, "/me/requests/\(params.id)/withdrawal")
            let told = try await world.service.database.query(
                "select distinct entity from feed_event where kind = 'consent'", as: UUID.self)
            #expect(told == [params.id])
            let events = try await world.service.database.query(
                """
                select version, convert_from(payload, 'utf8') from feed_event where entity = \(params.id) order by version
                """, as: Int64.self, String.self)
            #expect(events.map(\.0) == [1, 2, 3])
            let states = try events.map {
                try JSONDecoder().decode(Query.ConsentChange.self, from: Array($0.1.utf8)).state
            }
            #expect(states == [.pending, .accepted, .withdrawn])
        }
    }

    @Test("RUN-08: who has lost the feed gets the check-ins that still matter, and nobody's other requests")
    func snapshot() async throws {
        try await World.with { world in
            _ = try await world.ask()
            let params = world.checkIn()
            let caller = world.service.rpc(as: "track4run")
            _ = try await caller.call(Query.RequestCheckIn.self, params)
            _ = try await world.asPerson(.post, "/me/requests/\(params.id)/acceptance")
            let page = try await caller.call(FeedSnapshot.self, .init(feed: Query.consentsFeed, page: nil))
            #expect(page.entities.map(\.entity) == [params.id])
            #expect(page.entities.first?.version == 2)
            let consent = try page.entities.first?.decode(Query.ConsentChange.self)
            #expect(consent?.state == .accepted && consent?.runID == params.runID)
            world.clock.advance(by: .seconds(2 * 86_400))
            let later = try await caller.call(FeedSnapshot.self, .init(feed: Query.consentsFeed, page: nil))
            #expect(later.entities.isEmpty)
        }
    }
}
