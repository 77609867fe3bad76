import JSON
import RPC
import Domain
import Contracts
import HTTP
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// What of hand-overs is in the audit trail.
@Suite struct HandOverAuditTests {
    @Test(
        "NFR-06b SOS-06: Each ambulance service that is handed an incident is in the audit trail, before it is called"
    )
    func handOver() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            _ = try #require(await hook.desk.firstCall())
            let schema = try #require(dispatcher.database.configuration.searchPath.first)
            let incident = try #require(
                try await dispatcher.database.queryOne("select id from incident", as: UUID.self))
            func lines() async throws -> [AuditTables.Line] {
                try await AuditTables.lines(beside: schema, in: dispatcher.database)
            }
            #expect(
                try await dispatcher.wait {
                    try await lines().contains { $0.action == "dispatcher.received" }
                })
            #expect(
                try await lines().first { $0.actor == "hook \(hook.name)" }?.description
                    == "hook \(hook.name) dispatcher.hand-over-begun incident \(incident)")
            let pseudonym = try await dispatcher.database.queryOne(
                "select pseudonym from audit_person where account = \(account)", as: UUID.self)
            #expect(pseudonym != nil && pseudonym != account)
            #expect(try await lines().allSatisfy { $0.pseudonym == pseudonym && $0.onBehalfOf == nil })
            // The person's own look is no entry.
            let count = try await lines().count
            _ = try await dispatcher.incidents(of: account)
            #expect(try await dispatcher.call(.get, "/dispatcher/v1/enrolment", account: account).status == .ok)
            let all = try await lines()
            // The contacts' messages are entries, too.
            #expect(all.count >= count)
            #expect(
                all.allSatisfy { $0.actor == "hook \(hook.name)" || $0.action == "dispatcher.contact_told" }, "\(all)")
        }
    }
}
