import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// What a careless or hostile program sends.
@Suite struct CarelessTests {
    private static let named = "\"fiscal_code\": \"\(World.fiscalCode)\""
    private static let types = "[\"heart-rate\", \"position\"]"

    /// What is replaced in a draft, by what, and the places of the faults.
    private static let drafts: [(part: String, by: String, pointers: [String])] = [
        // Of whom.
        (named, "\"email\": \"\"", ["/email"]), (named, "\"fiscal_code\": \"\"", ["/fiscal_code"]),
        (named, "\"fiscal_code\": null", ["/fiscal_code"]), (named, "\"fiscal_code\": 7", ["/fiscal_code"]),
        (named, "\"fiscal_code\": \"RSSMRA 85T10A562S\"", ["/fiscal_code"]),
        (named, "\"fiscal_code\": [\"\(World.fiscalCode)\"]", ["/fiscal_code"]),
        (named, "\(named), \"email\": \"\(World.email)\"", ["/fiscal_code"]),
        (named, "\"email\": \"mario@\"", ["/email"]), (named, "\"email\": \"Mario <mario@example.org>\"", ["/email"]),
        (named, "\"email\": \"mario@example.org,anna@example.org\"", ["/email"]),
        (named, "\"email\": \"%@example.org'--\"", ["/email"]),
        (named, "\(named), \"individual_id\": \"\(UUID.random())\"", ["/individual_id"]),
        // What.
        (types, "null", ["/data_types"]), (types, "\"heart-rate\"", ["/data_types"]), (types, "[]", ["/data_types"]),
        (types, "[2]", ["/data_types/0"]), (types, "[\"Heart-Rate\"]", ["/data_types/0"]),
        (types, "[\"steps\", \"steps\"]", ["/data_types"]), (types, "[\"steps\", \"\"]", ["/data_types/1"]),
        (types, "[\(Array(repeating: "\"steps\"", count: 1000).joined(separator: ", "))]", ["/data_types"]),
        // When: the period is from June to August, and now is in July.
        ("2025-06-01T00:00:00Z", "2025-12-01T00:00:00Z", ["/to"]), ("2025-06-01", "2025-09-01", ["/to"]),
        ("2025-06-01T00:00:00Z", "2025-06-01", ["/from"]), ("2025-06-01T", "2025-06-31T", ["/from"]),
        ("2025-06-01T00:00:00Z", "2025-06-01T00:00:00", ["/from"]), ("\"2025-06-01T00:00:00Z\"", "0", ["/from"]),
        ("2025-09-01T00:00:00Z", "9999-12-31T23:59:59Z", ["/to"]),
        ("2025-09-01T00:00:00Z", "10000-01-01T00:00:00Z", ["/to"]), ("\"to\"", "\"until\"", ["/to", "/until"]),
        // How, and why.
        ("\"subscription\"", "\"once\"", ["/mode"]), ("\"subscription\"", "null", ["/mode"]),
        ("\"subscription\"", "\"SUBSCRIPTION\"", ["/mode"]), ("2025-09-01", "2025-06-20", ["/mode"]),
        ("\"Study of the heart\"", "null", ["/reason"]), ("\"Study of the heart\"", "\"\"", ["/reason"]),
        ("\"Study of the heart\"", "{\"it\": \"Studio\"}", ["/reason"]),
        ("\"reason\"", "\"state\": \"accepted\", \"reason\"", ["/state"]),
    ]

    @Test(
        "REQ-01bcde REQ-02b: a draft with a fault is refused at its place, before anybody is looked up or it counts as a try"
    )
    func drafts() async throws {
        try await World.with { world in
            for (part, replacement, pointers) in Self.drafts {
                let draft = World.draft.replacing(part, with: replacement)
                try #require(draft != World.draft, "\(part)")
                let answer = try await world.asCompany(.post, "/requests", draft)
                #expect(answer.status == 422 && answer.code == "invalid-request", "\(replacement): \(answer.text)")
                let told = (answer["errors"]?.items ?? []).compactMap { $0["pointer"]?.text }
                #expect(told.sorted() == pointers, "\(replacement): \(answer.text)")
            }
            for (body, status, code) in [
                ("", 415, "unsupported-media-type"), ("[", 400, "invalid-json"), ("[]", 422, "invalid-request"),
                ("null", 422, "invalid-request"), (World.draft + World.draft, 400, "invalid-json"),
                (World.draft.replacing("{", with: "{\"mode\": \"once\", "), 400, "invalid-json"),
                (String(repeating: "[", count: 500), 400, "invalid-json"),
            ] {
                let answer = try await world.asCompany(.post, "/requests", body)
                #expect(answer.status == status && answer.code == code, "\(body.prefix(40)): \(answer.text)")
            }
            #expect(try await world.asCompany(.post, "/requests?dry_run=1", World.draft).status == 422)
            #expect(world.neighbours.finds == 0)
            for table in ["request", "search_attempt", "access", "notice"] {
                #expect(try await world.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("REQ-01a REQ-02a: names are found however they are written, and stand in the history as they were meant")
    func spellings() async throws {
        try await World.with { world in
            for (named, shown) in [
                ("\"fiscal_code\": \" rssmra85t10a562s \"", World.fiscalCode),
                ("\"email\": \"  Mario@EXAMPLE.org \"", "Mario@EXAMPLE.org"),
            ] {
                let id = try await world.ask(World.draft.replacing(Self.named, with: named))
                #expect(try await world.asCompany(.get, "/requests/\(id)")["individual"]?.text == shown)
                #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
            }
        }
    }

    @Test("REQ-01c: the shortest and the longest period that make sense are taken")
    func periods() async throws {
        try await World.with { world in
            let now = World.start
            for (from, to, mode) in [
                ("0001-01-01T00:00:00Z", "\(now)", "once"), ("\(now - .milliseconds(1))", "\(now)", "once"),
                ("0001-01-01T00:00:00Z", "\(now + .milliseconds(1))", "subscription"),
                ("\(now + .seconds(86_400))", "\(now + .seconds(2 * 86_400))", "subscription"),
                ("2025-06-01T02:00:00+02:00", "2025-08-31T19:00:00-05:00", "subscription"),
            ] {
                let id = try await world.ask(
                    World.draft.replacing("2025-06-01T00:00:00Z", with: from)
                        .replacing("2025-09-01T00:00:00Z", with: to).replacing("subscription", with: mode))
                let seen = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
                #expect(seen?["from"]?.text.flatMap { Timestamp($0) } == Timestamp(from))
                #expect(seen?["to"]?.text.flatMap { Timestamp($0) } == Timestamp(to))
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
                #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 200)
                #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
                world.clock.advance(by: .microseconds(1))
            }
        }
    }

    @Test("REQ-05ad: an acceptance of what was not asked for, of nothing or of something twice decides nothing")
    func acceptances() async throws {
        try await World.with { world in
            let id = try await world.ask()
            let path = "/me/requests/\(id)/acceptance"
            for types in ["[]", "[\"steps\"]", "[\"heart-rate\", \"weight\"]", "[\"position\", \"position\"]"] {
                let answer = try await world.asPerson(.post, path, "{\"data_types\": \(types)}")
                #expect(answer.status == 422 && answer.code == "types-not-requested", "\(types)")
                #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == ["/data_types"])
            }
            #expect(try await world.asPerson(.post, path, "{\"data_types\": [\"horoscope\"]}").status == 422)
            #expect(try await world.asPerson(.post, path + "?all=true").status == 422)
            for unknown in ["\(UUID.random())", "1", "me", "\(id)0"] {
                let answer = try await world.asPerson(.post, "/me/requests/\(unknown)/acceptance")
                #expect(answer.status == 404, "\(unknown)")
            }
            #expect(try await world.state(of: id) == "pending")
            #expect(try await world.count("event") == 0)
        }
    }

    @Test(
        "REQ-10 REQ-11 REQ-12a SUB-02a: limits, cursors and parameters that cannot be are refused, on every list and page"
    )
    func parameters() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let first = try await world.askAndAccept()
            _ = try await world.asPerson(.post, "/me/requests/\(first)/withdrawal")
            world.clock.advance(by: .seconds(1))
            let id = try await world.askAndAccept()
            let data = try #require(try await world.asCompany(.get, "/requests/\(id)/data")["next"]?.text)
            let events = try #require(try await world.asCompany(.get, "/events")["next"]?.text)
            let list = try #require(try await world.asCompany(.get, "/requests?limit=1")["next"]?.text)
            let common = [
                "limit=0", "limit=-1", "limit=1000000000", "limit=99999999999999999999", "limit=1.5", "limit=",
                "limit=ten", "limit=1&limit=2", "cursor=", "cursor=x", "cursor=%00", "limits=1", "offset=10",
            ]
            let pages = ["cursor=\(list.dropLast())", "cursor=\(data)", "limit=101", "wait_ms=1"]
            let reads = ["wait_ms=-1", "wait_ms=25001", "wait_ms=x", "cursor=\(list)", "limit=20001"]
            let ofData = [
                "cursor=\(data.dropLast())", "cursor=\(events)", "format=CSV", "from=now", "to=", "cursor=00",
            ]
            let deliveries = try await world.deliveryLog().count
            func refuses(_ path: String, _ queries: [String], isPerson: Bool = false) async throws {
                for query in queries {
                    let target = "\(path)?\(query)"
                    let answer = try await isPerson ? world.asPerson(.get, target) : world.asCompany(.get, target)
                    let isRefused = answer.status == 422 && answer.code == "invalid-request"
                    let isMalformed = query.contains("%00") && answer.status == 400 && answer.code == "invalid-query"
                    #expect(isRefused || isMalformed, "\(target): \(answer.status) \(answer.text)")
                }
            }
            try await refuses("/requests", common + pages)
            try await refuses("/me/requests", common + pages, isPerson: true)
            try await refuses("/me/access-log", common + pages, isPerson: true)
            try await refuses("/events", common + reads + ["cursor=\(events.dropLast())", "cursor=\(data)"])
            try await refuses("/requests/\(id)/data", common + reads + ofData)
            try await refuses("/requests/\(id)/results", common + ofData + ["limit=20001", "wait_ms=1"])
            for path in ["/events/stream", "/requests/\(id)/stream"] {
                try await refuses(path, ["cursor=x", "cursor=\(list)", "limit=1", "wait_ms=1"])
            }
            #expect(try await world.deliveryLog().count == deliveries)
        }
    }

    @Test("REQ-12a SUB-02ab: another third party's cursors and event ids open nothing of it")
    func others() async throws {
        try await World.with { world in
            let rival = world.neighbours.addCompany("Rival")
            let foreign = try await world.ask(company: rival)
            _ = try await world.asPerson(.post, "/me/requests/\(foreign)/acceptance")
            world.clock.advance(by: .seconds(1))
            let early = try await world.askAndAccept()
            _ = try await world.asPerson(.post, "/me/requests/\(early)/withdrawal")
            world.clock.advance(by: .seconds(1))
            let id = try await world.askAndAccept()
            // A list's cursor is a place in time: whoever has it goes on in the own list.
            let list = try #require(try await world.asCompany(.get, "/requests?limit=1")["next"]?.text)
            let seen = try await world.asCompany(.get, "/requests?cursor=\(list)", company: rival)
            #expect(seen["requests"]?.items.map { $0["id"]?.text } == ["\(foreign)"])
            let next = try await world.events(after: "0", until: 3).next
            #expect(try await world.asCompany(.get, "/events?cursor=\(next)", company: rival).status == 422)
            let token = try world.service.tokens.token(.thirdParty, account: rival, scopes: ["requests"])
            for (path, last) in [
                ("/events/stream", next), ("/requests/\(foreign)/stream", next), ("/events/stream", "x"),
            ] {
                let answer = try await world.call(.get, path, "", token: token, fields: ["Last-Event-ID": last])
                #expect(answer.status == 400 && answer.code == "invalid-last-event-id", "\(path)")
            }
            #expect(try await world.asCompany(.get, "/requests/\(id)/stream", company: rival).status == 404)
        }
    }

    @Test("REQ-01a: a key that was used for one person is not taken for several, nor for other terms")
    func keys() async throws {
        try await World.with { world in
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "one").status == 201)
            let batch = World.draft.replacing(Self.named, with: "\"people\": [{\(Self.named)}]")
            for (path, draft) in [
                ("/request-batches", batch), ("/requests", World.draft.replacing("\"position\"", with: "\"steps\"")),
                ("/requests", World.draft + " "),
            ] {
                let answer = try await world.asCompany(.post, path, draft, key: "one")
                #expect(answer.status == 422 && answer.code == "idempotency-key-reused", "\(path)")
            }
            for key in ["\"\"", String(repeating: "k", count: 256), "two words"] {
                let answer = try await world.asCompany(.post, "/requests", World.draft, key: key)
                #expect(answer.status == 400 && answer.code == "invalid-idempotency-key", "\(key)")
            }
            #expect(world.neighbours.finds == 1)
        }
    }

    @Test("REQ-12b: a page or a file comes in the form that the client likes best, and in none that there is not")
    func forms() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            for (accept, type) in [
                ("*/*", MediaType.json), ("application/json;q=0.5, text/csv", .csv), ("text/*", .csv),
                ("text/csv;q=0, application/*", .json), ("text/html, */*;q=0.1", .json),
            ] {
                for path in ["data", "results"] {
                    let answer = try await world.service.call(
                        .get, "/query/v1/requests/\(id)/\(path)", token: token, fields: ["Accept": accept])
                    #expect(answer.contentType?.essence == type.essence, "\(accept)")
                }
            }
            for accept in ["image/png", "application/xml, text/html", "*/*;q=0"] {
                for path in ["data", "results"] {
                    let answer = try await world.call(
                        .get, "/requests/\(id)/\(path)", "", token: token, fields: ["Accept": accept])
                    #expect(answer.status == 406 && answer.code == "not-acceptable", "\(accept)")
                }
            }
        }
    }

    @Test("REQ-11: who asks for the head of an answer alone gets no data, and the log does not say otherwise")
    func heads() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            let id = try await world.askAndAccept()
            let event = try #require(try await world.events(after: "0", until: 2).events.last)
            #expect(event.values == [61, 62])
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            func samples() async throws -> [Int64?] { try await world.deliveryLog().map { $0["samples"]?.integer } }
            let before = try await samples().compactMap { $0 }.reduce(0, +)
            let paths = [
                "/requests/\(id)/data", "/requests/\(id)/data?format=csv", "/requests/\(id)/results",
                "/requests/\(id)/stream", "/events", "/events/\(event.id)", "/events/stream",
            ]
            for path in paths {
                world.clock.advance(by: .seconds(1))
                let answer = try await world.service.call(.head, "/query/v1\(path)", token: token)
                #expect(answer.status == .ok, "\(path)")
            }
            #expect(try await samples().compactMap { $0 }.reduce(0, +) == before)
            for path in ["/requests/\(id)", "/requests/\(id)/data", "/me/requests/\(id)/acceptance"] {
                let answer = try await world.service.call(.options, "/query/v1\(path)")
                #expect(answer.status == .noContent && answer.fields["Allow"]?.contains("OPTIONS") == true, "\(path)")
            }
        }
    }
}
