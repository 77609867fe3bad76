import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Dispatcher

/// What contacts were told, in an incident's file.
@Suite struct IncidentContactsTests {
    @Test(
        "SOS-14 SOS-09a: An incident's file says what each contact was told, by which way and when, and whether it arrived"
    )
    func told() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: ContactTests.both) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (sms, voice) = (dispatcher.messageHooks[0], dispatcher.messageHooks[1])
            try await dispatcher.send(critical, of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            let id = String(call.id.prefix(36))
            let texts = await sms.desk.wait { $0.contains { ContactTests.event($0) == "emergency" } }
            let text = try #require(texts.first { ContactTests.event($0) == "emergency" })
            let spoken = try #require(await voice.desk.firstCall())
            // Who sends has its answer in the queue before it tells what became of it.
            #expect(
                try await dispatcher.wait(
                    """
                    select count(*) = 3 and bool_and(state = 'handed-over') from contact_message
                    where incident is not null and kind = 'emergency'
                    """))
            #expect(try await ContactTests.report("delivered", of: text, from: sms, dispatcher) == .noContent)
            #expect(try await ContactTests.report("answered", of: spoken, from: voice, dispatcher) == .noContent)

            let path = "/dispatcher/v1/incidents/\(id)/file"
            let file = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            let told = file["contacts_told"]?.items ?? []
            var states: [String: String] = [:]
            for one in told { states[one["channel"]?.text ?? ""] = one["state"]?.text }
            #expect(states == ["sms": "delivered", "call": "answered", "email": "handed-over"])
            // The question whether he wants to be a contact belongs to no incident.
            #expect(told.count == 3 && told.allSatisfy { $0["about"] == .string("emergency") })
            #expect(told.allSatisfy { $0["contact"] == .string("Luca") && ($0["attempts"]?.integer ?? 0) > 0 })
            #expect(told.first { $0["channel"] == .string("sms") }?["hook"] == .string(sms.name))
            for one in told {
                let created = try #require(one["created_at"]?.text.flatMap { Timestamp($0) })
                let changed = try #require(one["changed_at"]?.text.flatMap { Timestamp($0) })
                #expect(created <= changed && changed - created < .seconds(60))
            }

            let page = String(
                decoding: try await dispatcher.call(.get, "\(path).html", account: account).collectedBody(),
                as: UTF8.self)
            let words = IncidentWords(.italian)
            for part in [
                words[.contactsTold], "<td>Luca</td><td>SMS</td>", words.state(.delivered), words.state(.answered),
            ] {
                #expect(page.contains(part), "\(part)")
            }
            #expect(!page.contains(words.state(.failed)), "no state that was not")
        }
    }
}
