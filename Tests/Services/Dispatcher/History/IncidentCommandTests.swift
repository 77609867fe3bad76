import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// `trackme-dispatcher incident`: files of incidents for those who may have them when the person cannot ask.
@Suite struct IncidentCommandTests {
    private let reason = "Tribunale di Milano, RG 1234/2026"

    private func opened(_ dispatcher: TestDispatcher, of account: UUID) async throws -> FakeHook.Call {
        let call = try await dispatcher.handedOver(account)
        #expect(try await dispatcher.wait("select exists (select from incident_step where kind = 'received')"))
        return call
    }

    private func close(_ dispatcher: TestDispatcher, _ call: FakeHook.Call) async throws {
        for answer in ["acceptance", "resolution"] {
            #expect(try await dispatcher.reply(answer, to: call, from: dispatcher.hooks[0]).status == .ok)
        }
        #expect(try await dispatcher.wait("select bool_and(due_at is null and state = 'closed') from incident"))
    }

    private func id(_ call: FakeHook.Call) throws -> UUID { try #require(UUID(String(call.id.prefix(36)))) }

    private func json(_ answer: IncidentCommand.Answer) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Array(answer.text.utf8))
    }

    /// Entries about readings.
    private func entries(_ dispatcher: TestDispatcher) async throws -> [AuditTables.Line] {
        let schema = try #require(dispatcher.database.configuration.searchPath.first)
        return try await AuditTables.lines(beside: schema, in: dispatcher.database)
            .filter { $0.action == IncidentCommand.action }
    }

    private func ownKey(_ dispatcher: TestDispatcher, of incident: UUID) async throws -> UUID {
        try #require(
            try await dispatcher.database.queryOne(
                "select record_key from incident where id = \(incident) and details is null and record is not null",
                as: UUID.self))
    }

    @Test(
        "SOS-14 NFR-06b: Operators read the file of an incident that is open or closed, and whoever's data it is and why stands in the audit trail"
    )
    func read() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await opened(dispatcher, of: account)
            let id = try id(call)
            let command = try IncidentCommand(dispatcher.context)
            let first = try await command.run([id.description, "--reason", reason])
            let open = try json(first)
            #expect(first.fault == nil && open["incident"]?["id"] == .string(id.description))
            #expect(open["incident"]?["state"] != .string("closed") && open["incident"]?["closed_at"] == nil)
            #expect(open["told"]?["person"]?["surname"] == .string("Bianchi"))

            try await close(dispatcher, call)
            let closed = try json(try await command.run(["\(id)", "--reason", "la figlia"]))
            let own = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/incidents/\(id)/file", account: account))
            #expect(closed["incident"] == own["incident"] && closed["told"] == own["told"])
            #expect(closed["incident"]?["outcome"] == .string("resolved"))
            for (language, words) in [("it", IncidentWords(.italian)), ("en", IncidentWords(.english))] {
                let page = try await command.run(
                    ["\(id)", "--html", "--language", language, "--reason", "la figlia"])
                #expect(page.text.hasPrefix("<!DOCTYPE html>") && page.text.contains(words.step(.accepted)))
                #expect(page.text.contains("Bianchi") && page.fault == nil)
            }

            let pseudonym = try await dispatcher.database.queryOne(
                "select pseudonym from audit_person where account = \(account)", as: UUID.self)
            let noted = try await entries(dispatcher)
            #expect(noted.map(\.purpose) == ["\(id): \(reason)"] + Array(repeating: "\(id): la figlia", count: 3))
            #expect(pseudonym != nil && noted.allSatisfy { $0.actor == "command" && $0.pseudonym == pseudonym })
        }
    }

    @Test(
        "SOS-14 ACC-12e NFR-06b: The file of an incident that is put away, or restricted as its person is erased, is read, too"
    )
    func restricted() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, store) = (UUID.random(), dispatcher.capabilities.store)
            let call = try await opened(dispatcher, of: account)
            let id = try id(call)
            try await close(dispatcher, call)
            try await store.putAway()
            _ = try await ownKey(dispatcher, of: id)
            let order = ["\(id)", "--reason", reason]
            let away = try json(try await IncidentCommand(dispatcher.context).run(order))
            #expect(away["told"]?["person"]?["surname"] == .string("Bianchi") && away["restricted_at"] == nil)
            #expect(away["told"]?["contacts"]?.items.count == 1)

            _ = try await dispatcher.capabilities.erasures.erase(account, at: .now(), in: dispatcher.database)
            try await store.restrictDue()
            let answer = try await IncidentCommand(dispatcher.context).run(order)
            let file = try json(answer)
            #expect(answer.fault == nil && file["restricted_at"] != nil)
            #expect(file["told"]?["person"] == away["told"]?["person"])
            #expect(file["incident"]?["steps"] == away["incident"]?["steps"])
            #expect(file["told"]?["contacts"]?.items.isEmpty == true && file["contacts_told"]?.items.isEmpty == true)
            let page = try await IncidentCommand(dispatcher.context).run(order + ["--html"])
            #expect(page.text.contains(IncidentWords(.italian)[.restricted]))
            // The entry names the incident, and no longer the person.
            let noted = try await entries(dispatcher)
            #expect(noted.map(\.purpose) == Array(repeating: "\(id): \(reason)", count: 3))
            #expect(noted[1].pseudonym == nil && noted[2].pseudonym == nil)
        }
    }

    @Test(
        "SOS-14 NFR-06b: Without a reason nothing is read; a number that no incident has is said to be none, and is no entry"
    )
    func refused() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let id = try id(try await opened(dispatcher, of: .random())).description
            let command = try IncidentCommand(dispatcher.context)
            let longest = String(repeating: "r", count: IncidentCommand.reasonBytesMax)
            for wrong in [
                [], [id], [id, "--html"], [id, "--reason"], [id, "--reason", ""], [id, "--reason", "  "],
                [id, "--reason", longest + "r"], [id, "--reason", "a\nb"], ["x", "--reason", reason],
                [id, "--language", "de", "--reason", reason], [id, reason],
            ] {
                await #expect("\(wrong)") { try await command.run(wrong) } throws: { error in
                    (error as? CommandMistake)?.description == IncidentCommand.usage.description
                }
            }
            let unknown = UUID.random()
            await #expect {
                try await command.run(["\(unknown)", "--reason", reason])
            } throws: { error in
                (error as? CommandMistake)?.description.hasPrefix("There is no incident \(unknown)") == true
            }
            #expect(try await entries(dispatcher).isEmpty)
            _ = try await command.run([id, "--reason", longest])
            #expect(
                try await entries(dispatcher).map(\.purpose.utf8.count) == [AuditTrail.purposeBytesMax])
        }
    }

    @Test(
        "SOS-14 ACC-12e: Of an incident whose key is destroyed or lost the steps are given, and said why there is no more"
    )
    func withoutKey() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let call = try await opened(dispatcher, of: .random())
            let id = try id(call)
            try await close(dispatcher, call)
            try await dispatcher.capabilities.store.putAway()
            let key = try await ownKey(dispatcher, of: id)
            let order = ["\(id)", "--reason", reason]
            // As in a backup of the database that is older than the destruction.
            try await dispatcher.capabilities.people.keys.destroy([key])
            let destroyed = try await IncidentCommand(dispatcher.context).run(order)
            #expect(destroyed.fault?.description.hasSuffix("its key is destroyed.") == true)
            let file = try json(destroyed)
            #expect(file["told"] == nil && file["incident"]?["causes"] == nil)
            #expect(file["incident"]?["steps"]?.items.contains { $0["kind"] == .string("accepted") } == true)
            let page = try await IncidentCommand(dispatcher.context).run(order + ["--html"])
            #expect(page.text.contains(IncidentWords(.italian)[.unreadable]) && page.fault != nil)

            try await dispatcher.keyStore.database.execute("delete from subject_key where account_id = \(key)")
            let lost = try await IncidentCommand(dispatcher.context).run(order)
            #expect(lost.fault?.description.contains("is not in the key store") == true)
            // While the key store is away nothing is taken for destroyed.
            try await dispatcher.withoutKeyStore {
                let command = try IncidentCommand(dispatcher.context)
                await #expect(throws: PostgresError.self) { try await command.run(order) }
            }
        }
    }
}
