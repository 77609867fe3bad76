import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// How often a third party may look people up, and how often it may find nobody.
@Suite struct SearchLimitTests {
    private static let nobody = World.draft.replacing(
        "\"fiscal_code\": \"\(World.fiscalCode)\"", with: "\"email\": \"x@example.org\"")

    /// Asks for somebody of whom the data is there, and takes the request back.
    private static func hit(_ world: World) async throws {
        let id = try await world.ask()
        #expect(try await world.asCompany(.delete, "/requests/\(id)").status == 200)
    }

    /// How many look-ups were answered what.
    private struct Told {
        let misses: Int
        let hits: Int
        let others: Int

        init(_ statuses: [Int]) {
            misses = statuses.count { $0 == 404 }
            hits = statuses.count { $0 == 201 || $0 == 409 }
            others = statuses.count { $0 != 429 } - misses - hits
        }
    }

    /// Some of them name somebody who is there, some nobody.
    private static func drafts(_ seed: Int, _ round: Int) -> [String] {
        (0..<10).map { ($0 * seed + round) % 3 == 0 ? nobody : World.draft }
    }

    /// What is answered to all of them, which are sent at the same time.
    private static func statuses(of drafts: [String], _ world: World) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for draft in drafts {
                group.addTask { try await world.asCompany(.post, "/requests", draft).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("REQ-02ab REQ-03e: nobody found, and nothing found, are misses; who is found uses up none")
    func misses() async throws {
        try await World.with(settings: ", \"misses_max\": 3") { world in
            _ = world.neighbours.addPerson(fiscalCode: "-", email: "w@example.org", types: [.weight])
            let nothing = Self.nobody.replacing("x@example.org", with: "w@example.org")
            for _ in 0..<5 { try await Self.hit(world) }
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).code == "no-such-individual")
            #expect(try await world.asCompany(.post, "/requests", nothing).code == "no-data-available")
            try await Self.hit(world)
            // Somebody who is asked already is there, and no miss.
            _ = try await world.ask()
            #expect(try await world.asCompany(.post, "/requests", World.draft).code == "open-request-exists")
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).status == 404)
            let finds = world.neighbours.finds
            for draft in [World.draft, Self.nobody, nothing] {
                let refused = try await world.asCompany(.post, "/requests", draft)
                #expect(refused.status == 429 && refused.code == "too-many-requests")
                #expect(refused.fields["RateLimit-Policy"] == "\"misses\";q=3;w=3600")
                #expect(refused.fields["Retry-After"] == "3600")
            }
            // A refusal comes before anything is looked up.
            #expect(world.neighbours.finds == finds)
            #expect(
                try await world.asCompany(
                    .post, "/requests", World.draft, company: world.neighbours.addCompany("Other")
                ).status == 201)
            world.clock.advance(by: .seconds(3600))
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).status == 404)
        }
    }

    @Test(
        "REQ-02b: however look-ups come together, no more of them miss than are allowed, and each of the limit can be used",
        arguments: 1...4)
    func concurrent(seed: Int) async throws {
        try await World.with(settings: ", \"misses_max\": 5, \"searches_max\": 60") { world in
            var statuses: [Int] = []
            for round in 0..<6 {
                statuses += try await Self.statuses(of: Self.drafts(seed, round), world)
                let told = Told(statuses)
                #expect(told.others == 0 && told.misses <= 5)
                #expect(world.neighbours.finds == told.misses + told.hits)
                #expect(try await world.count("search_attempt") == told.misses + told.hits)
            }
            for _ in Told(statuses).misses..<5 {
                let missed = try await world.asCompany(.post, "/requests", Self.nobody)
                #expect(missed.status == 404)
            }
            #expect(try await world.asCompany(.post, "/requests", World.draft).status == 429)
        }
    }

    @Test("REQ-02b: a look-up that is under way has its place among the misses until it is known not to be one")
    func underWay() async throws {
        try await World.with(settings: ", \"misses_max\": 1") { world in
            world.neighbours.holdFinds()
            async let first = world.asCompany(.post, "/requests", World.draft)
            try #require(await world.neighbours.reached(finds: 1))
            let second = try await world.asCompany(.post, "/requests", Self.nobody)
            world.neighbours.releaseFinds()
            #expect(second.status == 429 && second.fields["Retry-After"] == "1")
            #expect(try await first.status == 201)
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).status == 404)
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).fields["Retry-After"] == "3600")
        }
    }

    @Test("REQ-02b NFR-03: while a neighbour is away a look-up is no miss, and still counts as one")
    func away() async throws {
        try await World.with(settings: ", \"misses_max\": 1, \"searches_max\": 3") { world in
            world.neighbours.failFinds(times: 2)
            for _ in 0..<2 {
                let answer = try await world.asCompany(.post, "/requests", World.draft)
                #expect(answer.status == 503, "\(answer.text)")
            }
            #expect(try await world.asCompany(.post, "/requests", World.draft).status == 201)
            let refused = try await world.asCompany(.post, "/requests", World.draft)
            #expect(refused.status == 429 && refused.fields["RateLimit-Policy"] == "\"searches\";q=3;w=3600")
        }
    }

    @Test("REQ-02b: a look-up that broke off counts as a miss for its hour")
    func brokenOff() async throws {
        try await World.with(settings: ", \"misses_max\": 1") { world in
            _ = try await world.ask()
            try await world.service.database.execute("update search_attempt set is_miss = null")
            world.clock.advance(by: .seconds(120))
            let refused = try await world.asCompany(.post, "/requests", Self.nobody)
            #expect(refused.status == 429 && refused.fields["Retry-After"] == "3481", "\(refused.fields)")
            world.clock.advance(by: .seconds(3481))
            #expect(try await world.asCompany(.post, "/requests", Self.nobody).status == 404)
        }
    }

    @Test("REQ-02b NFR-06: operators set a third party's own limits, and take them back, each in the audit trail")
    func ownLimits() async throws {
        try await World.with(settings: ", \"misses_max\": 2, \"searches_max\": 4") { world in
            let command = LimitsCommand(world.service.context)
            let other = world.neighbours.addCompany("Other")
            let all = "All others: 4 look-ups and 2 misses in an hour."
            #expect(try await command.run(["show"]) == all)
            _ = try await command.run(["set", "\(world.company)", "5", "3", "ticket 7"])
            #expect(try await command.run(["show"]).hasPrefix("\(all)\n\(world.company)  5 look-ups and 3 misses"))
            func misses(_ company: UUID) async throws -> Int {
                var count = 0
                while try await world.asCompany(.post, "/requests", Self.nobody, company: company).status == 404 {
                    count += 1
                }
                return count
            }
            #expect(try await misses(world.company) == 3)
            #expect(try await misses(other) == 2)
            _ = try await command.run(["clear", "\(world.company)", "ticket 8"])
            #expect(try await command.run(["show"]) == all)
            let noted = try await world.service.auditLines().filter { $0.action.hasSuffix("_limits") }
            #expect(noted.map(\.action) == ["query.set_limits", "query.clear_limits"])
            #expect(noted.map(\.purpose) == ["5/3: ticket 7", "ticket 8"])
            for wrong in [
                [], ["set"], ["set", "x", "5", "3", "r"], ["set", "\(other)", "0", "0", "r"],
                ["set", "\(other)", "3", "5", "r"], ["set", "\(other)", "5", "3", ""],
                ["set", "\(other)", "100001", "3", "r"], ["clear", "\(other)", String(repeating: "a", count: 101)],
                ["show", "all"],
            ] {
                await #expect(throws: CommandMistake.self, "\(wrong)") { try await command.run(wrong) }
            }
            #expect(try await command.run(["show"]) == all)
        }
    }
}
