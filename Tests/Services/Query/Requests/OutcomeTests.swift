import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Query

/// How a pending request comes to its one outcome, and who hears of it.
@Suite struct OutcomeTests {
    enum Outcome: String, CaseIterable {
        case accepted, refused, lapsed
        /// Taken back by the third party.
        case ended
    }

    private func bring(_ id: UUID, to outcome: Outcome, _ world: World) async throws {
        switch outcome {
        case .accepted: #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
        case .refused: #expect(try await world.asPerson(.post, "/me/requests/\(id)/refusal").status == 200)
        case .lapsed:
            world.clock.advance(by: .seconds(3 * 86_400))
            try await world.round()
        case .ended: #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
        }
    }

    @Test(
        "REQ-05cd REQ-07ab REQ-12a: each outcome is one event, one mail and one state in the history, whatever is tried afterwards",
        arguments: Outcome.allCases)
    func once(outcome: Outcome) async throws {
        try await World.with { world in
            let id = try await world.ask()
            try await bring(id, to: outcome, world)
            let decided = try await world.asCompany(.get, "/requests/\(id)")
            for step in ["acceptance", "refusal"] {
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/\(step)").code == "request-decided")
            }
            if outcome != .accepted {
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").code == "request-decided")
                #expect(try await world.asCompany(.delete, "/requests/\(id)").code == "request-decided")
                let data = try await world.asCompany(.get, "/requests/\(id)/data")
                #expect(data.status == 403 && data.code == "consent-\(outcome)")
                let results = try await world.asCompany(.get, "/requests/\(id)/results")
                #expect(results.status == 200 && results["series"]?.items.isEmpty == true)
            }
            // The request and the outcome; what the third party takes back the person is told, too.
            try #require(await world.neighbours.reached(sent: outcome == .ended ? 3 : 2))
            try await world.round()
            let told = world.neighbours.sent.filter { $0.template != "request-received" }
            #expect(Set(told.map(\.template)) == ["request-\(outcome)"] && told.allSatisfy { $0.isMailed })
            #expect(told.filter { $0.account == world.company }.count == 1)
            #expect(told.filter { $0.account == world.person }.count == (outcome == .ended ? 1 : 0))
            #expect(told.allSatisfy { $0.values["request_id"] == id.description })
            let events = try await world.events(after: "0", until: 1).events
            #expect(events.map(\.type) == ["request.\(outcome)"] && events.map(\.request) == [id])
            let theirs = try await world.asCompany(.get, "/requests")["requests"]?.items
            #expect(theirs == [decided.json] && decided["state"]?.text == "\(outcome)")
            #expect(decided["decided_at"]?.text == "\(world.clock.now())")
            let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items
            #expect(own?.map { $0["state"]?.text } == ["\(outcome)"])
        }
    }

    @Test("REQ-06a: after how long an unanswered request lapses is a setting, of 24 hours at the earliest")
    func setting() async throws {
        func lapse(_ more: String) throws -> Duration {
            let schema = DatabaseSettings.text(schema: "x")
            let text = "{\"keystore\": \(schema), \"statistics_database\": \(schema)\(more)}"
            return try JSONDecoder().decode(QuerySettings.self, from: Array(text.utf8)).requests.lapse
        }
        #expect(try lapse("") == .seconds(3 * 86_400))
        #expect(try lapse(", \"lapse_hours\": 24") == .seconds(86_400))
        for hours in ["23", "0", "-24", "8761", "24.5", "\"24\""] {
            #expect(throws: JSONError.self, "\(hours)") { try lapse(", \"lapse_hours\": \(hours)") }
        }
        try await World.with(settings: ", \"lapse_hours\": 24") { world in
            let id = try await world.ask()
            let seen = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            #expect(seen?["lapses_at"]?.text == "\(World.start + .seconds(86_400))")
            world.clock.advance(by: .seconds(86_399))
            try await world.round()
            #expect(try await world.state(of: id) == "pending")
            world.clock.advance(by: .seconds(1))
            try await world.round()
            #expect(try await world.state(of: id) == "lapsed")
        }
    }

    @Test(
        "REQ-10a: a person sees of everybody who asks or follows what, since when, until when, and when it was last read"
    )
    func followers() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let asking = world.neighbours.addCompany("Beta S.r.l.")
            let followed = try await world.ask()
            world.clock.advance(by: .seconds(60))
            let pending = try await world.ask(
                World.draft.replacing("\"heart-rate\", \"position\"", with: "\"steps\"")
                    .replacing("\"reason\"", with: "\"granularity\": \"day\", \"frequency\": \"daily\", \"reason\""),
                company: asking)
            let answer = try await world.asPerson(
                .post, "/me/requests/\(followed)/acceptance", "{\"data_types\": [\"heart-rate\"]}")
            #expect(answer.status == 200 && answer["last_read_at"] == nil)
            func list() async throws -> [JSONValue] {
                try await world.asPerson(.get, "/me/requests")["requests"]?.items ?? []
            }
            let before = try await list()
            #expect(before.map { $0["id"]?.text } == ["\(pending)", "\(followed)"])
            #expect(before.map { $0["requester"]?["name"]?.text } == ["Beta S.r.l.", "Acme S.p.A."])
            #expect(before.map { $0["state"]?.text } == ["pending", "accepted"])
            #expect(before.map { $0["data_types"]?.items.map(\.text) } == [["steps"], ["heart-rate", "position"]])
            #expect(before.map { $0["accepted_types"]?.items.map(\.text) } == [nil, ["heart-rate"]])
            #expect(before.map { $0["granularity"]?.text } == ["day", "raw"])
            let begun = "\(World.start + .seconds(60))"
            #expect(before.map { $0["created_at"]?.text } == [begun, "\(World.start)"])
            #expect(before.map { $0["decided_at"]?.text } == [nil, begun])
            #expect(before.allSatisfy { $0["to"]?.text == "2025-09-01T00:00:00Z" })
            // What is late can be fetched for 30 days.
            #expect(before.map { $0["access_until"]?.text } == [nil, "2025-10-01T00:00:00Z"])
            #expect(before.allSatisfy { $0["last_read_at"] == nil })
            world.clock.advance(by: .seconds(60))
            #expect(try await world.asCompany(.get, "/requests/\(followed)/data")["series"]?.items.count == 1)
            let read = try await list().map { $0["last_read_at"]?.text }
            #expect(read == [nil, "\(World.start + .seconds(120))"])
        }
    }

    @Test(
        "REQ-09b: a check-in, pending or accepted, keeps no request from being made, and the third party does not end it"
    )
    func besideCheckIns() async throws {
        try await World.with { world in
            let caller = world.service.rpc(as: "track4run")
            let (one, other) = (world.checkIn(), world.checkIn())
            for params in [one, other] { _ = try await caller.call(Query.RequestCheckIn.self, params) }
            #expect(try await world.asPerson(.post, "/me/requests/\(one.id)/acceptance").status == 200)
            let id = try await world.ask()
            #expect(try await world.asCompany(.post, "/requests", World.draft).code == "open-request-exists")
            #expect(try await world.asCompany(.delete, "/requests/\(one.id)").status == 404)
            // What a check-in shares goes to the run, and nowhere else.
            for path in ["data", "results", "stream"] {
                #expect(try await world.asCompany(.get, "/requests/\(one.id)/\(path)").status == 404, "\(path)")
            }
            #expect(try await world.state(of: one.id) == "accepted")
            #expect(try await world.state(of: other.id) == "pending")
            #expect(try await world.state(of: id) == "pending")
        }
    }
}
