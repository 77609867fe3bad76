import Domain
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

    @Test("REQ-04 REQ-07: a message that cannot be read does not keep others from being handed over")
    func notices() async throws {
        try await World.with { world in
            _ = try await world.ask()
            try await world.service.database.execute("update notice set content = '\\x00'")
            world.clock.advance(by: .seconds(1))
            let other = world.neighbours.addCompany("Other")
            _ = try await world.ask(company: other)
            world.service.start()
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
