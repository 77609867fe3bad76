import HTTP
import ServiceTesting
import Domain
import Postgres
import Primitives
import Testing

@testable import Query

/// What the database refuses, whatever the program does.
@Suite struct RequestDatabaseTests {
    @Test("REQ-05cd: the database refuses every transition that is not allowed, and changes of what was asked for")
    func transitions() async throws {
        try await World.with { world in
            let database = world.service.database
            let refused: [(String, String)] = [
                ("state = 'withdrawn', decided_at = now(), closed_at = now()", "request_transition"),
                ("state = 'pending'", "request_transition"),
                ("types = '{1}'", "request_fixed"), ("granularity = 'day'", "request_fixed"),
                ("frequency = 'daily'", "request_fixed"),
                ("frequency = 'interval', every_minutes = 30", "request_fixed"),
                ("state = 'refused', closed_at = now(), version = 2", "request_decision"),
                ("state = 'refused', decided_at = now(), version = 2", "request_closing"),
                ("state = 'refused', decided_at = now(), closed_at = now()", "request_decided_once"),
                ("state = 'accepted', decided_at = now(), version = 2", "request_acceptance"),
                (
                    "state = 'accepted', decided_at = now(), version = 2, accepted_types = '{21}', access_until = now()",
                    "request_part"
                ),
            ]
            let id = try await world.ask()
            for (change, constraint) in refused {
                let error = await #expect(throws: PostgresError.self, "\(change)") {
                    try await database.execute("update request set \(raw: change) where id = \(id)")
                }
                #expect(error?.constraint == constraint, "\(change)")
            }
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
            for change in [
                "version = 3, state = 'refused', closed_at = now()", "version = 3, state = 'pending'",
                "version = 3, state = 'ended', closed_at = now(), accepted_types = '{1}'",
                "version = 3, state = 'ended', closed_at = now(), decided_at = now()",
            ] {
                let error = await #expect(throws: PostgresError.self, "\(change)") {
                    try await database.execute("update request set \(raw: change) where id = \(id)")
                }
                #expect(error?.sqlState == .checkViolation)
            }
            #expect(try await world.state(of: id) == "accepted")
        }
    }

    @Test("REQ-01c SUB-01b: the database refuses terms that do not go together")
    func terms() async throws {
        try await World.with { world in
            _ = try await world.ask()
            for (change, constraint) in [
                ("granularity = 'hour'", "request_aggregates"), ("frequency = null", "request_updates"),
                ("mode = 'once'", "request_updates"), ("frequency = 'interval'", "request_interval"),
                ("every_minutes = 30", "request_interval"),
                ("frequency = 'interval', every_minutes = 4", "request_every_minutes"),
                ("frequency = 'hourly'", "request_frequency"),
                ("granularity = 'year', types = '{2}'", "request_granularity"),
            ] {
                let error = await #expect(throws: PostgresError.self, "\(change)") {
                    try await world.service.database.batch([
                        "alter table request disable trigger request_change",
                        "update request set \(raw: change)",
                        "alter table request enable trigger request_change",
                    ])
                }
                #expect(error?.constraint == constraint, "\(change)")
            }
        }
    }

    @Test("NFR-05d: reason, company and the person's fiscal code are sealed where they are stored")
    func sealed() async throws {
        try await World.with { world in
            // What is handed over goes.
            world.neighbours.failNotify(times: .max)
            _ = try await world.ask()
            let rows = try await world.service.database.query(
                """
                select encode(reason || requester_name || named, 'escape') from request
                union all select encode(content, 'escape') from notice
                union all select encode(searched, 'escape') from search_attempt
                union all select encode(requester_name, 'escape') from access
                """, as: String.self)
            #expect(rows.count == 4)
            for text in rows {
                for secret in ["heart", "Acme", World.fiscalCode] { #expect(!text.contains(secret)) }
            }
        }
    }
}
