import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// What cannot be read does not keep the rest waiting.
@Suite struct BadRowTests {
    @Test("REQ-06a: a request that cannot be read does not keep others from lapsing, and is in the log")
    func closing() async throws {
        try await World.with { world in
            let bad = try await world.ask()
            world.clock.advance(by: .seconds(1))
            let other = world.neighbours.addCompany("Other")
            let good = try await world.ask(company: other)
            try await world.service.database.batch([
                "alter table request disable trigger request_change",
                "update request set reason = '\\x00' where id = \(bad)",
                "alter table request enable trigger request_change",
            ])
            world.clock.advance(by: .seconds(73 * 3600))
            try await world.round()
            #expect(try await world.state(of: bad) == "pending")
            #expect(try await world.state(of: good) == "lapsed")
            #expect(world.service.log.lines.contains { $0.contains("cannot be closed") && $0.contains("\(bad)") })
        }
    }

    /// Copies of a request that cannot be read, from so many third parties, each created and due before it.
    private func addBroken(_ count: Int, of id: UUID, _ world: World) async throws {
        try await world.service.database.execute(
            """
            insert into request (id, requester_id, individual_id, mode, granularity, frequency, types, data_from, data_to, reason, requester_name,
              named, created_at, lapses_at)
            select gen_random_uuid(), gen_random_uuid(), individual_id, mode, granularity, frequency, types, data_from, data_to, reason,
              requester_name, named, created_at - interval '1 hour', lapses_at - interval '1 hour'
            from request, generate_series(1, \(Int32(count))) where id = \(id)
            """)
    }

    @Test("REQ-06a NFR-03: any number of requests that cannot be closed keeps no other open; operators are told")
    func stuckClosings() async throws {
        try await World.with { world in
            let good = try await world.ask()
            try await addBroken(250, of: good, world)
            world.clock.advance(by: .seconds(73 * 3600))
            var rounds = 0
            while try await world.state(of: good) == "pending", rounds < 4 {
                try await world.round()
                rounds += 1
            }
            #expect(try await world.state(of: good) == "lapsed")
            let metrics = String(decoding: await world.service.context.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_requests_held_up 250\n"))
        }
    }

    @Test("REQ-10 REQ-11 NFR-03: lists leave out what cannot be read, report it once, and go on past it")
    func lists() async throws {
        try await World.with { world in
            var ids: [UUID] = []
            for number in 0..<3 {
                ids.append(try await world.ask(company: world.neighbours.addCompany("Company \(number)")))
                world.clock.advance(by: .seconds(1))
            }
            try await world.service.database.batch([
                "alter table request disable trigger request_change",
                "update request set reason = '\\x00' where id = \(ids[1])",
                """
                update access set requester_name = '\\x00'
                where id = (select id from access order by began_at offset 1 limit 1)
                """,
            ])
            func pages(_ path: String, _ member: String) async throws -> [[String]] {
                var (pages, cursor): ([[String]], String?) = ([], "")
                while let next = cursor, pages.count < 5 {
                    let page = try await world.asPerson(.get, "\(path)?limit=2\(next)")
                    let items = page[member]?.items ?? []
                    pages.append(
                        items.compactMap { ($0["requester"]?["name"] ?? $0["requester_name"])?.text })
                    cursor = page["next"]?.text.map { "&cursor=\($0)" }
                }
                return pages
            }
            for _ in 0..<2 {
                #expect(try await pages("/me/requests", "requests") == [["Company 2"], ["Company 0"]])
                #expect(try await pages("/me/access-log", "accesses") == [["Company 2"], ["Company 0"]])
            }
            #expect(world.service.log.lines.count { $0.contains("a row cannot be read and is left out") } == 2)
            let metrics = String(decoding: await world.service.context.metrics.text(), as: UTF8.self)
            for table in ["query.request", "query.access"] {
                #expect(metrics.contains("trackme_unreadable_rows_total{table=\"\(table)\"} 1\n"))
            }
        }
    }

    @Test("REQ-04 REQ-07: a message that cannot be read does not keep others from being handed over")
    func notices() async throws {
        try await World.with { world in
            // It waits for its next attempt.
            world.neighbours.failNotify(times: 1)
            _ = try await world.ask()
            try #require(await world.neighbours.reached(attempts: 1))
            try await world.service.database.execute("update notice set content = '\\x00'")
            world.clock.advance(by: .seconds(600))
            let other = world.neighbours.addCompany("Other")
            _ = try await world.ask(company: other)
            #expect(await world.neighbours.reached(sent: 1))
            // The round that this is handed over in comes after the one before.
            _ = try await world.ask(company: world.neighbours.addCompany("Third"))
            #expect(await world.neighbours.reached(sent: 2))
            #expect(
                try await world.service.database.queryOne(
                    "select count(*) from notice where content = '\\x00'", as: Int64.self) == 1)
            #expect(world.service.log.lines.contains { $0.contains("message cannot be read") })
        }
    }
}
