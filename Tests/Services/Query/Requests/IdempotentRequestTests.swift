import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// The same call, sent again.
@Suite struct IdempotentRequestTests {
    @Test(
        "REQ-01a REQ-02b REQ-11 NFR-04: a request that is sent again with its key has the same answer, and nobody is looked up again"
    )
    func again() async throws {
        try await World.with { world in
            let first = try await world.asCompany(.post, "/requests", World.draft, key: "one")
            #expect(first.status == 201 && first.fields["Idempotency-Replayed"] == nil)
            // Also when it is decided meanwhile.
            let id = try #require(first["id"]?.text)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/refusal").status == 200)
            for key in ["one", "\"one\""] {
                let again = try await world.asCompany(.post, "/requests", World.draft, key: key)
                #expect(again.status == 201 && again.body == first.body)
                #expect(again.fields["Location"] == first.fields["Location"])
                #expect(again.fields["Idempotency-Replayed"] == "true")
            }
            #expect(world.neighbours.finds == 1)
            for table in ["request", "access", "search_attempt"] {
                #expect(try await world.count(table) == 1, "\(table)")
            }
            let other = World.draft.replacing("Study of the heart", with: "Another reason")
            let reused = try await world.asCompany(.post, "/requests", other, key: "one")
            #expect(reused.status == 422 && reused.code == "idempotency-key-reused")
            // The key is the company's own.
            let rival = world.neighbours.addCompany("Rival")
            #expect(
                try await world.asCompany(.post, "/requests", World.draft, key: "one", company: rival)["id"]?.text != id
            )
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "two").status == 201)
            #expect(
                try await world.asCompany(.post, "/requests", World.draft, key: "not one").code
                    == "invalid-idempotency-key")
        }
    }

    @Test(
        "REQ-01a NFR-04: while a request is being answered the same key is told to come back, and nobody is asked twice"
    )
    func atOnce() async throws {
        try await World.with { world in
            world.neighbours.holdFinds()
            async let first = world.asCompany(.post, "/requests", World.draft, key: "one")
            try #require(await world.neighbours.reached(finds: 1))
            let second = try await world.asCompany(.post, "/requests", World.draft, key: "one")
            let other = World.draft.replacing("Study of the heart", with: "Another reason")
            let reused = try await world.asCompany(.post, "/requests", other, key: "one")
            world.neighbours.releaseFinds()
            #expect(second.status == 409 && second.code == "idempotency-key-in-use")
            #expect(second.fields["Retry-After"] == "1")
            #expect(reused.code == "idempotency-key-reused")
            let answered = try await first
            #expect(answered.status == 201)
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "one").body == answered.body)
            #expect(world.neighbours.finds == 1)
            #expect(try await world.count("search_attempt") == 1)
        }
    }

    @Test("REQ-01a NFR-04: of many with one key at the same time one takes effect")
    func many() async throws {
        try await World.with { world in
            let answers = try await withThrowingTaskGroup(of: World.Answer.self) { group in
                for _ in 0..<12 {
                    group.addTask { try await world.asCompany(.post, "/requests", World.draft, key: "one") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let done = answers.filter { $0.status == 201 }
            #expect(!done.isEmpty && Set(done.map(\.body)).count == 1)
            #expect(answers.filter { $0.status != 201 }.allSatisfy { $0.code == "idempotency-key-in-use" })
            for table in ["request", "access", "search_attempt"] {
                #expect(try await world.count(table) == 1, "\(table)")
            }
        }
    }

    @Test("REQ-01a REQ-02a: a refusal is not kept: the key is free again, also for a mended request")
    func refused() async throws {
        try await World.with(settings: ", \"searches_max\": 4") { world in
            let nobody = World.draft.replacing(
                "\"fiscal_code\": \"\(World.fiscalCode)\"", with: "\"email\": \"x@example.org\"")
            let mistaken = try await world.asCompany(.post, "/requests", "{}", key: "one")
            #expect(mistaken.status == 422)
            for _ in 0..<2 {
                #expect(try await world.asCompany(.post, "/requests", nobody, key: "one").status == 404)
            }
            // Each of them has looked.
            #expect(try await world.count("search_attempt") == 2)
            world.neighbours.failFinds(times: 1)
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "one").status == 503)
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "one").status == 201)
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "two").status == 429)
            #expect(try await world.count("idempotency") == 1)
            world.clock.advance(by: .seconds(3601))
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "two").status == 409)
        }
    }

    @Test("NFR-05d REQ-01a: what is kept for a key tells nothing where it is stored, and goes after a day")
    func stored() async throws {
        try await World.with { world in
            let id = try await world.asCompany(.post, "/requests", World.draft, key: "one")["id"]?.text
            let row = try await world.service.database.queryOne(
                "select idempotency::text from idempotency", as: String.self)
            let kept = try #require(row)
            #expect(try !kept.contains(#require(id)) && !kept.contains(World.fiscalCode))
            world.clock.advance(by: .seconds(86_401))
            try await world.round()
            #expect(try await world.count("idempotency") == 0)
        }
    }
}
