import HTTP
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Query

@Suite struct HistoryRetentionTests {
    @Test(
        "REQ-02 REQ-11 REQ-12 GRP-07: searches, logs, closed requests and answers are kept for their time and no longer"
    )
    func retention() async throws {
        let days = ["accesses": 100, "requests": 100, "group-requests": 100]
        try await World.with(retention: days) { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let open = try await world.askAndAccept()
            let other = world.neighbours.addCompany("Other")
            let closed = try await world.ask(company: other)
            _ = try await world.asPerson(.post, "/me/requests/\(closed)/refusal")
            _ = try await world.asCompany(.get, "/requests/\(open)/data")
            try await world.addGroupRequest(of: other)
            world.clock.advance(by: .seconds(90 * 86_400))
            try await world.round()
            #expect(try await world.histories() == [2, 3, 2, 1])
            world.clock.advance(by: .seconds(2 * 86_400))
            try await world.round()
            #expect(try await world.histories() == [0, 3, 2, 1])
            world.clock.advance(by: .seconds(9 * 86_400))
            try await world.round()
            // The subscription is over, but was closed a moment ago.
            #expect(try await world.histories() == [0, 0, 1, 0])
            #expect(try await world.state(of: closed) == nil)
            #expect(try await world.state(of: open) == "ended")
        }
    }

    @Test("NFR-06 REQ-12a: what a third party has been given is kept for its time, and no longer")
    func results() async throws {
        try await World.with(retention: ["results": 100]) { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            #expect(try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000")["series"]?.items.count == 1)
            world.clock.advance(by: .seconds(99 * 86_400))
            try await world.round()
            let kept = try await world.asCompany(.get, "/requests/\(id)/results")
            #expect(kept["series"]?.items.count == 1)
            world.clock.advance(by: .seconds(2 * 86_400))
            try await world.round()
            #expect(try await world.asCompany(.get, "/requests/\(id)/results")["series"]?.items.isEmpty == true)
        }
    }

    @Test("NFR-06 REQ-05 REQ-06: a clock that is years ahead deletes no history, lapses no request and ends no consent")
    func clockAhead() async throws {
        try await World.with { world in
            let now = Timestamp.now()
            world.clock.advance(by: now - World.start)
            let draft = World.draft.replacing("2025-06-01T00:00:00Z", with: "\(now - .seconds(86_400))")
                .replacing("2025-09-01T00:00:00Z", with: "\(now + .seconds(7 * 86_400))")
            let accepted = try await world.ask(draft)
            #expect(try await world.asPerson(.post, "/me/requests/\(accepted)/acceptance").status == 200)
            let refused = try await world.ask(draft, company: world.neighbours.addCompany("Refused"))
            #expect(try await world.asPerson(.post, "/me/requests/\(refused)/refusal").status == 200)
            let pending = try await world.ask(draft, company: world.neighbours.addCompany("Pending"))
            try await world.addGroupRequest(of: world.company)
            world.clock.advance(by: .seconds(3 * 365 * 86_400))
            try await world.round()
            #expect(try await world.histories() == [3, 3, 3, 1])
            #expect(try await world.state(of: accepted) == "accepted")
            #expect(try await world.state(of: pending) == "pending")
            // What is decided meanwhile begins and ends by the right time.
            let answer = try await world.asPerson(.post, "/me/requests/\(pending)/acceptance")
            let end = try #require(answer["access_until"]?.text.flatMap { Timestamp($0) }, "\(answer.text)")
            #expect(end < now + .seconds(40 * 86_400))
        }
    }

    @Test("REQ-05 REQ-06: a database whose clock is ahead lapses no request and ends no consent before its time")
    func databaseAhead() async throws {
        try await World.with { world in
            // To the clock of the database, both are over for more than a year.
            let accepted = try await world.askAndAccept()
            let pending = try await world.ask(company: world.neighbours.addCompany("Other"))
            try await world.round()
            #expect(try await world.histories() == [2, 2, 2, 0])
            #expect(try await world.state(of: accepted) == "accepted")
            #expect(try await world.state(of: pending) == "pending")
        }
    }
}

extension World {
    /// How many searches, accesses, requests and group requests are kept.
    fileprivate func histories() async throws -> [Int64] {
        var counts: [Int64] = []
        for table in ["search_attempt", "access", "request", "group_request"] {
            let count = try await service.database.queryOne(
                "select count(*) from \(identifier: table)", as: Int64.self)
            counts.append(count ?? -1)
        }
        return counts
    }

    fileprivate func addGroupRequest(of requester: UUID) async throws {
        try await service.database.execute(
            """
            insert into group_request (id, requester_id, asked_at, question, key, outcome)
            values (\(UUID.random()), \(requester), \(clock.now()), '{}', \([UInt8](repeating: 0, count: 32)), 'too-few-people')
            """)
    }
}
