import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Query

/// Several people in one call.
@Suite struct BatchTests {
    private static let path = "/request-batches"

    static func draft(_ people: [String]) -> String {
        World.draft.replacing(
            "\"fiscal_code\": \"\(World.fiscalCode)\"", with: "\"people\": [\(people.joined(separator: ", "))]")
    }

    private static func named(_ number: Int) -> String { "{\"email\": \"p\(number)@example.org\"}" }

    /// With these types each; the number's person is then `named(number)`.
    private static func add(_ numbers: some Sequence<Int>, _ types: [DataType], to world: World) {
        for number in numbers {
            _ = world.neighbours.addPerson(
                fiscalCode: "code \(number)", email: "p\(number)@example.org", types: types)
        }
    }

    private static func statuses(_ answer: World.Answer) -> [Int64] {
        answer["items"]?.items.map { $0["status"]?.integer ?? 0 } ?? []
    }

    @Test(
        "REQ-01ab REQ-02a REQ-03ab REQ-09a: each of several people is asked, or refused, as by a call of its own, in their order"
    )
    func outcomes() async throws {
        try await World.with { world in
            Self.add([1, 2], [.heartRate], to: world)
            Self.add([3], [.weight], to: world)
            _ = try await world.ask()
            let people = [
                Self.named(1), Self.named(9), Self.named(3), "{\"fiscal_code\": \"\(World.fiscalCode)\"}",
                "{\"email\": \"P1@example.org\"}", "{\"fiscal_code\": \"RSSMRA85T10A562X\"}", "{}",
                "{\"fiscal_code\": \"\(World.fiscalCode)\", \"email\": \"p2@example.org\"}", Self.named(2),
            ]
            let answer = try await world.asCompany(.post, Self.path, Self.draft(people))
            #expect(answer.status == 200, "\(answer.text)")
            let items = answer["items"]?.items ?? []
            #expect(Self.statuses(answer) == [201, 404, 409, 409, 422, 422, 422, 422, 201])
            let invalid = "invalid-request"
            #expect(
                items.map { $0["code"]?.text } == [
                    nil, "no-such-individual", "no-data-available", "open-request-exists", invalid, invalid, invalid,
                    invalid, nil,
                ])
            #expect(items[4]["detail"]?.text?.contains("twice") == true)
            for item in [items[0], items[8]] {
                #expect(item["state"]?.text == "pending")
                #expect(item["unavailable_types"]?.items.map(\.text) == ["position"])
                let request = try await world.asCompany(.get, "/requests/\(item["id"]?.text ?? "")")
                #expect(request["reason"]?.text == "Study of the heart")
            }
            // Those who are named wrongly are not looked up.
            #expect(world.neighbours.finds == 1 + 5)
        }
    }

    @Test("REQ-01ad: a list that is empty or too long, and terms with faults, are refused as a whole")
    func refused() async throws {
        try await World.with { world in
            let long = "{\"email\": \"\(String(repeating: "a", count: 255))\"}"
            for (draft, pointer) in [
                (Self.draft([]), "/people"), (Self.draft((0...1000).map(Self.named)), "/people"),
                (Self.draft([Self.named(1), long]), "/people/1/email"),
                (Self.draft(["{\"email\": 7}"]), "/people/0/email"),
                (Self.draft(["{\"mail\": \"a@example.org\"}"]), "/people/0/mail"),
                (Self.draft([Self.named(1)]).replacing("subscription", with: "once"), "/mode"),
                (
                    Self.draft([Self.named(1)]).replacing("\"reason\"", with: "\"email\": \"a@b.it\", \"reason\""),
                    "/email"
                ),
                (World.draft.replacing("fiscal_code", with: "fiscalcode"), "/people"),
            ] {
                let answer = try await world.asCompany(.post, Self.path, draft)
                #expect(answer.status == 422, "\(answer.text)")
                let pointers = answer["errors"]?.items.compactMap { $0["pointer"]?.text } ?? []
                #expect(pointers.contains(pointer), "\(answer.text)")
            }
            #expect(world.neighbours.finds == 0)
        }
    }

    /// Of a thousand people three in ten are none, or nothing of them is there.
    private static func expected(_ number: Int) -> Int64 {
        switch number % 10 {
        case 3: 404
        case 7: 409
        default: 201
        }
    }

    @Test(
        "REQ-01a REQ-02b REQ-03e NFR-01: of a thousand people those beyond the limit of misses are refused, and the same call goes on later"
    )
    func thousand() async throws {
        try await World.with { world in
            Self.add((0..<1000).filter { Self.expected($0) == 201 }, [.heartRate, .position], to: world)
            Self.add((0..<1000).filter { Self.expected($0) == 409 }, [.weight], to: world)
            let draft = Self.draft((0..<1000).map(Self.named))
            var done = 0
            // 60 misses are 300 people.
            for last in [297, 597, 897, 999] {
                let answer = try await world.asCompany(.post, Self.path, draft, key: "one")
                let wanted = (0..<1000).map { $0 <= last ? Self.expected($0) : 429 }
                #expect(Self.statuses(answer) == wanted)
                #expect(world.neighbours.finds == last + 1)
                #expect(try await world.count("search_attempt") == last + 1)
                done = (0...last).count { Self.expected($0) == 201 }
                #expect(try await world.count("request") == done)
                #expect(try await world.count("access") == (0...last).count { Self.expected($0) != 404 })
                world.clock.advance(by: .seconds(3601))
            }
            #expect(done == 800)
            // All are done: it is said again.
            let again = try await world.asCompany(.post, Self.path, draft, key: "one")
            #expect(Self.statuses(again) == (0..<1000).map(Self.expected))
            #expect(world.neighbours.finds == 1000)
        }
    }

    @Test("REQ-02b REQ-03e: look-ups have a limit in all, whatever they find")
    func searches() async throws {
        try await World.with(settings: ", \"searches_max\": 11") { world in
            Self.add(0..<30, [.heartRate], to: world)
            let answer = try await world.asCompany(.post, Self.path, Self.draft((0..<30).map(Self.named)))
            #expect(Self.statuses(answer) == (0..<30).map { $0 < 11 ? 201 : 429 })
            #expect(world.neighbours.finds == 11)
            let none = try await world.asCompany(.post, Self.path, Self.draft([Self.named(20), Self.named(21)]))
            #expect(none.status == 200 && Self.statuses(none) == [429, 429])
        }
    }

    @Test("REQ-01a NFR-04: a call that broke off goes on with the same key; what is done is answered as done")
    func interrupted() async throws {
        try await World.with { world in
            Self.add(0..<30, [.heartRate], to: world)
            let people = (0..<30).map { Self.named($0 == 3 ? 99 : $0) }
            let draft = Self.draft(people)
            // Accounts is away after the first steps, then for a while.
            let whole = try await world.asCompany(.post, Self.path, Self.draft(Array(people.prefix(16))), key: "some")
            #expect(whole["items"]?.items.count == 16)
            world.neighbours.failFinds(times: 4)
            let first = try await world.asCompany(.post, Self.path, draft, key: "one")
            let broken = Self.statuses(first)
            #expect(broken.count == 30 && broken.count { $0 == 503 } == 4)
            let ids = first["items"]?.items.map { $0["id"]?.text } ?? []
            let second = try await world.asCompany(.post, Self.path, draft, key: "one")
            #expect(!Self.statuses(second).contains(503))
            for (index, id) in ids.enumerated() where broken[index] != 503 {
                #expect(second["items"]?.items[index] == first["items"]?.items[index], "\(index)")
                if id != nil { #expect(second["items"]?.items[index]["id"]?.text == id) }
            }
            #expect(world.neighbours.finds == 16 + 30 + 4)
            #expect(try await world.count("request") == 29)
            let other = try await world.asCompany(.post, Self.path, Self.draft(people.reversed()), key: "one")
            #expect(other.status == 422 && other.code == "idempotency-key-reused")
        }
    }

    @Test("REQ-01a NFR-04: while a call is under way the same key is told to come back")
    func atOnce() async throws {
        try await World.with { world in
            Self.add(0..<20, [.heartRate], to: world)
            let draft = Self.draft((0..<20).map(Self.named))
            world.neighbours.holdFinds()
            async let first = world.asCompany(.post, Self.path, draft, key: "one")
            // As many as are under way at a time.
            try #require(await world.neighbours.reached(finds: 8))
            #expect(world.neighbours.finds == 8)
            let second = try await world.asCompany(.post, Self.path, draft, key: "one")
            world.neighbours.releaseFinds()
            #expect(second.status == 409 && second.code == "idempotency-key-in-use")
            let answered = try await first
            #expect(Self.statuses(answered) == Array(repeating: 201, count: 20))
            #expect(try await world.asCompany(.post, Self.path, draft, key: "one").body == answered.body)
            #expect(world.neighbours.finds == 20)
        }
    }
}
