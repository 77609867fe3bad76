import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct ErasureTests {
    private func erase(_ account: UUID, _ dispatcher: TestDispatcher) async throws -> [String: Accounts.ErasedItem] {
        let id = try await dispatcher.capabilities.erasures.erase(
            account, at: .now(), in: dispatcher.database)
        return try await ErasureFollower.items(of: id, in: dispatcher.database)
    }

    private func details(_ dispatcher: TestDispatcher, of account: UUID) async throws -> IncidentDetails {
        let id = try #require(
            try await dispatcher.database.queryOne("select id from incident where account = \(account)", as: UUID.self))
        return try #require(try await dispatcher.capabilities.store.details(of: id))
    }

    @Test("ACC-12b: Of who is erased no enrolment, monitor or message is left, and nobody is watched any more")
    func enrolment() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71], of: account)
            let limits = try await dispatcher.call(
                .put, "/dispatcher/v1/me/thresholds", account: account,
                body: #"{"heart_rate": {"low": 36}, "doctor": {"name": "Dr. Anna Verdi"}}"#)
            #expect(limits.status == .ok)
            let items = try await erase(account, dispatcher)
            #expect(items["sos-enrolment"]?.count == 1 && items["incidents"] == nil)
            for table in [
                "enrolment", "monitor", "notice", "feed_gap", "thresholds", "contact", "contact_event",
                "contact_message",
                "contact_token",
            ] {
                let count = try await dispatcher.database.queryOne(
                    "select count(*) from \(raw: table) where account = \(account)", as: Int.self)
                #expect(count == 0, "\(table)")
            }
            // What was on its way raises no alarm.
            try await dispatcher.send(critical, of: account)
            #expect(
                try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 0)
        }
    }

    @Test("ACC-12e: A past emergency is kept restricted, without contacts; one under way is brought to its end first")
    func incidents() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account, ago: .seconds(60))
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            let items = try await erase(account, dispatcher)
            let kept = try #require(items["incidents"])
            #expect(kept.count == 1 && kept.ground == .emergencyRecord && kept.keptUntil != nil)
            #expect(try await details(dispatcher, of: account).enrolment.contacts.count == 1)
            // The ambulance that is on its way goes on as ever.
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.reply("resolution", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.wait("select bool_and(state = 'closed') from incident"))
            for _ in 0..<2 { try await dispatcher.capabilities.store.restrictDue() }
            let restricted = try await details(dispatcher, of: account)
            #expect(restricted.enrolment.contacts.isEmpty && !restricted.findings.isEmpty)
            let row = try await dispatcher.database.queryOne(
                "select restricted_at is not null from incident", as: Bool.self)
            #expect(row == true)
        }
    }
}
