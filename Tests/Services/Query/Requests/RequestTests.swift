import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import ServiceTesting
import Testing

@testable import Query

@Suite struct RequestTests {
    @Test(
        "REQ-04 REQ-09a: a person is asked by one third party so often in 24 hours, however often it takes its requests back"
    )
    func pressing() async throws {
        try await World.with { world in
            for _ in 0..<AskingLimit.requestsMax {
                let id = try await world.ask()
                let ended = try await world.asCompany(.delete, "/requests/\(id)")
                try #require(ended.status == 200, "\(ended.text)")
            }
            let refused = try await world.asCompany(.post, "/requests", World.draft)
            #expect(refused.status == 429 && refused.code == "too-many-requests")
            world.clock.advance(by: .seconds(86_400))
            _ = try await world.ask()
        }
    }

    @Test("REQ-01ab REQ-03b REQ-12a: a request is pending, names what is not available, and stands in the history")
    func creation() async throws {
        try await World.with { world in
            let draft = World.draft.replacing("\"position\"", with: "\"position\", \"glucose\"")
            let answer = try await world.asCompany(.post, "/requests", draft)
            #expect(answer.status == 201)
            #expect(answer["state"]?.text == "pending")
            #expect(answer["unavailable_types"]?.items.map(\.text) == ["glucose"])
            let list = try await world.asCompany(.get, "/requests")["requests"]?.items ?? []
            #expect(list.count == 1)
            #expect(list.first?["individual"]?.text == World.fiscalCode)
            #expect(list.first?["data_types"]?.items.map(\.text) == ["heart-rate", "position"])
            let id = try #require(answer["id"]?.text)
            #expect(try await world.asCompany(.get, "/requests/\(id)")["reason"]?.text == "Study of the heart")
            let stranger = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.get, "/requests/\(id)", company: stranger).status == 404)
        }
    }

    @Test(
        "REQ-01de: what a request must be is checked, and said",
        arguments: [
            ("\"fiscal_code\": \"\(World.fiscalCode)\", ", "", 422),
            ("\"reason\"", "\"email\": \"mario@example.org\", \"reason\"", 422),
            ("\"subscription\"", "\"once\"", 422),
            ("2025-09-01", "2025-06-20", 422),
            ("2025-09-01", "2025-05-01", 422),
            ("\"position\"", "\"heart-rate\"", 422),
            ("\"heart-rate\", \"position\"", "", 422),
            ("Study of the heart", " ", 422),
            ("\"position\"", "\"horoscope\"", 422),
            (World.fiscalCode, "RSSMRA85T10A562X", 422),
            ("\"reason\"", "\"granularity\": \"day\", \"reason\"", 422),
        ])
    func refusals(part: String, replacement: String, status: Int) async throws {
        try await World.with { world in
            let answer = try await world.asCompany(.post, "/requests", World.draft.replacing(part, with: replacement))
            #expect(answer.status == status, "\(answer.text)")
            #expect(world.neighbours.finds == 0)
        }
    }

    @Test("REQ-01: all that is wrong with a request is said at once, each with its place and what is allowed")
    func faults() async throws {
        try await World.with { world in
            let draft = World.draft.replacing("\"position\"", with: "\"horoscope\"")
                .replacing(World.fiscalCode, with: "RSSMRA85T10A562X").replacing("subscription", with: "sometimes")
                .replacing("\"reason\"", with: "\"granularity\": \"fortnight\", \"reasons\": 1, \"reason\"")
            let answer = try await world.asCompany(.post, "/requests", draft)
            #expect(answer.status == 422 && answer.code == "invalid-request", "\(answer.text)")
            let told = (answer["errors"]?.items ?? []).map { ($0["pointer"]?.text ?? "", $0["detail"]?.text ?? "") }
            let faults = Dictionary(told, uniquingKeysWith: { first, _ in first })
            #expect(
                Set(faults.keys) == ["/fiscal_code", "/data_types/1", "/mode", "/granularity", "/reasons"], "\(faults)")
            #expect(faults["/mode"]?.contains("once, subscription") == true)
            #expect(faults["/granularity"]?.contains("raw") == true)
            #expect(world.neighbours.finds == 0)
        }
    }

    @Test(
        "REQ-01 REQ-04: a reason has limits in characters and bytes, and nothing in it that cannot be seen or turns the writing",
        arguments: [
            String(repeating: "a", count: 501), String(repeating: "👨‍👩‍👧‍👦", count: 300), "\\u0000", "\\u202e", "a\\u202eb",
            "\\u200b\\u2800", " \\n ",
        ])
    func reasons(reason: String) async throws {
        try await World.with { world in
            let answer = try await world.asCompany(
                .post, "/requests", World.draft.replacing("Study of the heart", with: reason))
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == ["/reason"])
            #expect(world.neighbours.finds == 0)
        }
    }

    @Test("REQ-05: a decision with members that are not known, or no choice where one is named, decides nothing")
    func strictDecisions() async throws {
        try await World.with { world in
            let id = try await world.ask()
            for (step, body) in [
                ("acceptance", "{\"types\": [\"heart-rate\"]}"), ("acceptance", "{\"data_types\": null}"),
                ("acceptance", "[]"), ("acceptance", "{\"data_types\": [\"heart-rate\"], \"all\": true}"),
                ("refusal", "{\"data_types\": []}"), ("withdrawal", "7"),
            ] {
                let answer = try await world.asPerson(.post, "/me/requests/\(id)/\(step)", body)
                #expect(answer.status == 422 && answer.code == "invalid-request", "\(step) \(body): \(answer.text)")
            }
            #expect(try await world.state(of: id) == "pending")
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/refusal", "{}").status == 200)
        }
    }

    @Test("REQ-05: nobody consents by a program: decisions need the owner's log-in")
    func decisionsByPrograms() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let program = try world.service.tokens.token(.individual, account: world.person, client: "program")
            for step in ["acceptance", "refusal", "withdrawal"] {
                #expect(try await world.call(.post, "/me/requests/\(id)/\(step)", "", token: program).status == 403)
            }
            #expect(try await world.state(of: id) == "pending")
        }
    }

    @Test(
        "REQ-02ab: nobody there is a clear error, and guessing is stopped; not longer when the clock is set back",
        arguments: [3601, -7200])
    func guessing(_ seconds: Int64) async throws {
        try await World.with(settings: ", \"searches_max\": 3") { world in
            let draft = World.draft.replacing(
                "\"fiscal_code\": \"\(World.fiscalCode)\"", with: "\"email\": \"x@example.org\"")
            for _ in 0..<3 {
                let answer = try await world.asCompany(.post, "/requests", draft)
                #expect(answer.status == 404)
                #expect(answer.code == "no-such-individual")
            }
            #expect(try await world.asCompany(.post, "/requests", draft).status == 429)
            #expect(try await world.asCompany(.post, "/requests", World.draft).status == 429)
            // The audit trail is told who asked.
            #expect(world.neighbours.finders == [world.company, world.company, world.company])
            let other = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.post, "/requests", World.draft, company: other).status == 201)
            world.clock.advance(by: .seconds(seconds))
            #expect(try await world.asCompany(.post, "/requests", World.draft).status == 201)
        }
    }

    @Test("REQ-02b REQ-03e: people who are found count as well, and so do look-ups at the same time")
    func lookUpsCount() async throws {
        try await World.with(settings: ", \"searches_max\": 3") { world in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await world.asCompany(.post, "/requests", World.draft).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 409, 409, 429, 429, 429, 429, 429])
            #expect(world.neighbours.finds == 3)
            let refused = try await world.service.call(
                .post, "/query/v1/requests",
                token: try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"]),
                body: Array(World.draft.utf8))
            #expect(refused.fields["RateLimit"] == "\"searches\";r=0;t=3600")
        }
    }

    @Test("REQ-03f REQ-11: who looks a person up stands in the person's log, whatever came of it")
    func lookUpIsLogged() async throws {
        try await World.with(types: [.weight]) { world in
            #expect(try await world.asCompany(.post, "/requests", World.draft).code == "no-data-available")
            let draft = World.draft.replacing(
                "\"fiscal_code\": \"\(World.fiscalCode)\"", with: "\"email\": \"x@example.org\"")
            #expect(try await world.asCompany(.post, "/requests", draft).status == 404)
            world.clock.advance(by: .seconds(1))
            let weight = World.draft.replacing("\"heart-rate\"", with: "\"weight\"")
            #expect(try await world.asCompany(.post, "/requests", weight).status == 201)
            let log = try await world.asPerson(.get, "/me/access-log")["accesses"]?.items ?? []
            #expect(log.map { $0["way"]?.text } == ["look-up", "look-up"])
            #expect(
                log.map { $0["data_types"]?.items.map(\.text) } == [
                    ["weight", "position"], ["heart-rate", "position"],
                ])
            for entry in log {
                #expect(entry["requester_name"]?.text == "Acme S.p.A." && entry["samples"]?.integer == 0)
                #expect(entry["requester_id"]?.text == world.company.description && entry["request_id"] == nil)
            }
        }
    }

    @Test(
        "REQ-03cd: a type is available when it is collected at all: the period tells nothing of when",
        arguments: [1, 3000])
    func availableWhenever(days: Int) async throws {
        try await World.with { world in
            let to = World.start - .seconds(days * 86_400)
            let draft = World.draft.replacing("2025-06-01T00:00:00Z", with: "\(to - .seconds(60))")
                .replacing("2025-09-01T00:00:00Z", with: "\(to)").replacing("subscription", with: "once")
            let answer = try await world.asCompany(.post, "/requests", draft)
            #expect(answer.status == 201)
            #expect(answer["unavailable_types"]?.items.isEmpty == true)
        }
    }

    @Test("REQ-03a: none of the types available is a clear error")
    func unavailable() async throws {
        try await World.with(types: [.weight]) { world in
            let answer = try await world.asCompany(.post, "/requests", World.draft)
            #expect(answer.status == 409)
            #expect(answer.code == "no-data-available")
        }
    }

    @Test("REQ-04a: the request reaches that individual alone, once, though accounts is down at first")
    func notice() async throws {
        try await World.with { world in
            world.neighbours.failNotify(times: 1)
            try await world.round()
            let id = try await world.ask()
            try #require(await world.neighbours.reached(attempts: 1))
            #expect(world.neighbours.sent.isEmpty)
            world.clock.advance(by: .seconds(3))
            // The next message makes the outbox look again.
            let other = world.neighbours.addCompany("Other")
            _ = try await world.ask(company: other)
            try #require(await world.neighbours.reached(sent: 2))
            let sent = world.neighbours.sent.filter { $0.values["request_id"] == id.description }
            try #require(sent.count == 1)
            #expect(sent[0].account == world.person)
            #expect(sent[0].template == "request-received")
            #expect(sent[0].values["company"] == "Acme S.p.A.")
            #expect(sent[0].values["reason"] == "Study of the heart")
            #expect(sent[0].values["data_types"] == "heart-rate, position")
            #expect(sent[0].values["mode"] == "subscription" && sent[0].values["to"] == "2025-09-01T00:00:00Z")
            #expect(sent[0].isMailed)
            #expect(world.neighbours.sent.allSatisfy { $0.account == world.person })
        }
    }

    @Test("REQ-05a REQ-10af: the individual sees who asks, accepts a part, withdraws; both lists always agree")
    func life() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let seen = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            #expect(seen?["requester"]?["name"]?.text == "Acme S.p.A.")
            #expect(seen?["state"]?.text == "pending")
            #expect(seen?["reason"]?.text == "Study of the heart")
            let stranger = world.neighbours.addPerson(fiscalCode: "x", email: "y", types: [])
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance", person: stranger).status == 404)
            #expect(try await world.asPerson(.get, "/me/requests", person: stranger)["requests"]?.items.isEmpty == true)
            let early = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            #expect(early.code == "request-pending")
            let accepted = try await world.asPerson(
                .post, "/me/requests/\(id)/acceptance", "{\"data_types\": [\"heart-rate\"]}")
            #expect(accepted["accepted_types"]?.items.map(\.text) == ["heart-rate"])
            for step in ["acceptance", "refusal"] {
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/\(step)").code == "request-decided")
            }
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 409)
            let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            let theirs = try await world.asCompany(.get, "/requests")["requests"]?.items.first
            #expect(own?["state"]?.text == "withdrawn")
            #expect(theirs?["state"]?.text == "withdrawn")
            #expect(own?["id"] == theirs?["id"])
        }
    }

    @Test("REQ-09a: one open request per third party and individual, however many ask at once; a new one after its end")
    func oneOpen() async throws {
        try await World.with { world in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await world.asCompany(.post, "/requests", World.draft).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 409, 409, 409, 409, 409])
            let other = world.neighbours.addCompany("Other")
            _ = try await world.ask(company: other)
            let open = try await world.asCompany(.get, "/requests")["requests"]?.items.first
            let id = try #require(open?["id"]?.text)
            #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
            #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 409)
            _ = try await world.ask()
        }
    }

    @Test("REQ-05d REQ-07b: of many decisions at the same time one holds, and one outcome is told")
    func races() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for step in ["acceptance", "refusal", "acceptance", "refusal"] {
                    group.addTask { try await world.asPerson(.post, "/me/requests/\(id)/\(step)").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 409, 409, 409])
            let state = try await world.state(of: id)
            // One to the person, and one outcome.
            #expect(await world.neighbours.reached(sent: 2))
            try await world.round()
            #expect(world.neighbours.sent(to: world.company).map(\.template) == ["request-\(state ?? "")"])
        }
    }

    @Test("REQ-06a REQ-07b: unanswered requests lapse after three days, and the third party is told once")
    func lapse() async throws {
        try await World.with { world in
            let id = try await world.ask()
            world.clock.advance(by: .seconds(3 * 86_400 - 1))
            try await world.round()
            #expect(try await world.state(of: id) == "pending")
            world.clock.advance(by: .seconds(1))
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").code == "request-decided")
            try await world.round()
            #expect(try await world.state(of: id) == "lapsed")
            try #require(await world.neighbours.reached(attempts: 2))
            let told = world.neighbours.sent.filter { $0.template == "request-lapsed" }
            #expect(told.map(\.account) == [world.company])
        }
    }

    @Test("SUB-04a REQ-08c REQ-10: a subscription ends some time after its period, and both are told")
    func end() async throws {
        try await World.with(settings: ", \"late_access_days\": 2") { world in
            let id = try await world.askAndAccept()
            let end = Timestamp("2025-09-01T00:00:00Z")! + .seconds(2 * 86_400)
            world.clock.advance(by: end - World.start - .seconds(1))
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 200)
            try await world.round()
            #expect(try await world.state(of: id) == "accepted")
            world.clock.advance(by: .seconds(1))
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-ended")
            try await world.round()
            #expect(try await world.state(of: id) == "ended")
            // The request, its acceptance, and the end to both.
            try #require(await world.neighbours.reached(attempts: 4))
            let told = world.neighbours.sent.filter { $0.template == "request-ended" }
            #expect(Set(told.map(\.account)) == [world.company, world.person])
        }
    }

    @Test(
        "REQ-10cd: the third party ends it as the individual withdraws, at any time; both are told, and nothing more is given",
        arguments: ["withdrawn", "ended"])
    func endedByOne(state: String) async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let answer =
                state == "withdrawn"
                ? try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
                : try await world.asCompany(.delete, "/requests/\(id)")
            #expect(answer.status == 200)
            #expect(try await world.state(of: id) == state)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 403)
            try await world.round()
            // The request, its acceptance, and the end to both.
            try #require(await world.neighbours.reached(attempts: 4))
            let told = world.neighbours.sent.filter { $0.template == "request-\(state)" }
            #expect(told.count == 2 && Set(told.map(\.account)) == [world.company, world.person])
            #expect(told.allSatisfy { $0.isMailed })
        }
    }

    @Test("ACC-15a: individuals and third parties are kept apart, and scopes hold")
    func access() async throws {
        try await World.with { world in
            #expect(try await world.asPerson(.get, "/requests").status == 403)
            #expect(try await world.asCompany(.get, "/me/requests").status == 403)
            #expect(try await world.call(.get, "/requests", "", token: nil).status == 401)
            let other = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["groups"])
            #expect(try await world.call(.get, "/requests", "", token: other).status == 403)
        }
    }
}
