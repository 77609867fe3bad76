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
        try await World.with(settings: ", \"history_days\": 100") { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let open = try await world.askAndAccept()
            let other = world.neighbours.addCompany("Other")
            let closed = try await world.ask(company: other)
            _ = try await world.asPerson(.post, "/me/requests/\(closed)/refusal")
            _ = try await world.asCompany(.get, "/requests/\(open)/data")
            try await world.statistics.execute(
                """
                insert into group_request (id, payer_id, asked_at, question, outcome)
                values (\(UUID.random()), \(other), \(World.start), '{}', 'too-few-people')
                """)
            func counts() async throws -> [Int64] {
                var counts: [Int64] = []
                for table in ["search_attempt", "access", "request"] {
                    let count = try await world.service.database.queryOne(
                        "select count(*) from \(identifier: table)", as: Int64.self)
                    counts.append(count ?? -1)
                }
                let asked = try await world.statistics.queryOne("select count(*) from group_request", as: Int64.self)
                return counts + [asked ?? -1]
            }
            world.clock.advance(by: .seconds(90 * 86_400))
            try await world.round()
            #expect(try await counts() == [2, 3, 2, 1])
            world.clock.advance(by: .seconds(2 * 86_400))
            try await world.round()
            #expect(try await counts() == [0, 3, 2, 1])
            world.clock.advance(by: .seconds(9 * 86_400))
            try await world.round()
            // The subscription is over, but was closed a moment ago.
            #expect(try await counts() == [0, 0, 1, 0])
            #expect(try await world.state(of: closed) == nil)
            #expect(try await world.state(of: open) == "ended")
        }
    }
}
