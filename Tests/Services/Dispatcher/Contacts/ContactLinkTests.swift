import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// Who wants to be a contact, and what contacts see by their links.
@Suite struct ContactLinkTests {
    private typealias Told = ContactTests

    @Test("SOS-09: A contact is asked, says yes or no by the link, and the wearer sees it")
    func question() async throws {
        try await TestDispatcher.with(setting: Told.both) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let sms = dispatcher.messageHooks[0]
            let token = try await Told.token(sms, "question")
            #expect(try Told.text(sms.desk.calls[0]).contains("Rosa Bianchi"))
            let asked = try await dispatcher.json(try await Told.look(token, dispatcher))
            #expect(asked["kind"] == .string("question") && asked["answer"] == .string("asked"))
            #expect(asked["incident"] == nil)
            for _ in 0..<2 { #expect(try await Told.answer("confirmed", token, dispatcher).status == .ok) }
            let own = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/contacts", account: account))
            #expect(own["contacts"]?.items.first?["answer"] == .string("confirmed"))
            #expect(
                own["messages"]?.items.contains {
                    $0["about"] == .string("question") && $0["contact"] == .string("Luca")
                } == true)

            // No is final.
            #expect(try await Told.answer("declined", token, dispatcher).status == .ok)
            #expect(try await Told.answer("confirmed", token, dispatcher).status == .conflict)
            try await dispatcher.send(critical, of: account)
            _ = await dispatcher.hooks[0].desk.wait { !$0.isEmpty }
            #expect(
                try await dispatcher.wait(
                    "select exists (select from contact_telling where (told->>'is_told')::boolean)"))
            #expect(
                try await dispatcher.database.queryOne(
                    "select count(*) from contact_message where is_urgent", as: Int.self) == 0)
        }
    }

    @Test("SOS-09 NFR-05: In the database nobody reads a number, a name, or a token that is good")
    func sealed() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Told.both) { dispatcher in
            let account = UUID.random()
            for hook in dispatcher.messageHooks { hook.desk.behave(.fail) }
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let token = try await Told.token(dispatcher.messageHooks[0], "emergency")
            for table in [
                "contact", "contact_token", "contact_message", "contact_event", "contact_asking", "contact_telling",
            ] {
                let rows = try await dispatcher.database.query("select t::text from \(raw: table) t", as: String.self)
                for secret in [token, "3331234567", "luca@", "Luca", "Rosa"] {
                    #expect(!rows.contains { $0.contains(secret) }, "\(table)")
                }
            }
        }
    }

    @Test(
        "SOS-13e: By the link a contact follows the emergency until it ends; who has not confirmed sees neither place nor cause"
    )
    func follow() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Told.both) { dispatcher in
            let sms = dispatcher.messageHooks[0]
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let question = try await Told.token(sms, "question")
            try await dispatcher.send(critical, of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            let token = try await Told.token(sms, "emergency")
            #expect(
                try await dispatcher.wait(
                    "select bool_and(state = 'handed-over' and machine->>'identity' = 'known') from incident"))
            let brief = try await dispatcher.json(try await Told.look(token, dispatcher))
            #expect(brief["incident"]?["state"] == .string("handed-over"))
            #expect(brief["incident"]?["name"] == .string("Rosa Bianchi"))
            #expect(brief["incident"]?["position"] == nil && brief["incident"]?["causes"] == nil)

            #expect(try await Told.answer("confirmed", question, dispatcher).status == .ok)
            let full = try await dispatcher.json(try await Told.look(token, dispatcher))
            #expect(full["incident"]?["causes"]?.items == [.string("heart-rate")])
            #expect(full["incident"]?["position"]?["latitude"] == .number(45.4642))
            // Of an emergency nothing but that.
            let text = String(decoding: try JSONEncoder().encode(full), as: UTF8.self)
            #expect(!text.contains("diabetes") && !text.contains("fiscal") && !text.contains("luca@example.org"))

            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            let accepted = try await dispatcher.json(try await Told.look(token, dispatcher))
            #expect(accepted["incident"]?["state"] == .string("acknowledged"))
            #expect(accepted["incident"]?["accepted_by"] == .string("north"))
            #expect(accepted["incident"]?["help"] == nil)
            let arrival = Timestamp.now() + .seconds(480)
            let more = #", "status": "arrival-expected", "arrival": "\#(arrival)""#
            #expect(try await dispatcher.reply("status", to: call, from: dispatcher.hooks[0], more: more).status == .ok)
            let helped = try await dispatcher.json(try await Told.look(token, dispatcher))
            #expect(helped["incident"]?["help"]?["arrival_expected"]?.text == arrival.description)
            #expect(try await dispatcher.reply("resolution", to: call, from: dispatcher.hooks[0]).status == .ok)
            let over = try await Told.look(token, dispatcher)
            #expect(over.status == .gone)
            #expect(try await dispatcher.json(over)["code"] == .string("incident-over"))
            let schema = try #require(dispatcher.database.configuration.searchPath.first)
            let actions = try await AuditTables.lines(beside: schema, in: dispatcher.database).map(\.action)
            #expect(actions.count { $0 == "dispatcher.contact_view" } == 5)
            #expect(actions.contains("dispatcher.contact_told"))
        }
    }

    @Test("SOS-09a SOS-12a: Of the SOS button contacts are told that it was pressed, in the message and by the link")
    func pressed() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Told.both) { dispatcher in
            let (sms, voice) = (dispatcher.messageHooks[0], dispatcher.messageHooks[1])
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let question = try await Told.token(sms, "question")
            #expect(try await Told.answer("confirmed", question, dispatcher).status == .ok)
            let place = #""position": {"latitude": 45.07, "longitude": 7.69}"#
            let pressed = try await dispatcher.call(
                .post, "/dispatcher/v1/sos", account: account, body: #"{"id": "\#(UUID.random())", \#(place)}"#)
            #expect(pressed.status == .created)
            let told = await sms.desk.wait { $0.contains { Told.event($0) == "emergency" } }
            let text = try Told.text(try #require(told.first { Told.event($0) == "emergency" }))
            #expect(text.contains("Ha premuto il tasto SOS.") && text.contains("45.07000 7.69000"), "\(text)")
            let spoken = try Told.text(try #require(await voice.desk.firstCall()))
            #expect(spoken.contains("Ha premuto il tasto SOS.") && spoken.contains("nel messaggio"), "\(spoken)")
            let link = try await dispatcher.json(try await Told.look(Told.token(sms, "emergency"), dispatcher))
            #expect(link["incident"]?["sos_pressed"]?.text.flatMap { Timestamp($0) } != nil)
            #expect(link["incident"]?["causes"]?.items == [])
        }
    }

    @Test(
        "SOS-09 NFR-03: A token that is not good finds nothing; the answer's opens no emergency, and the emergency's answers nothing"
    )
    func wrong() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Told.both) { dispatcher in
            let sms = dispatcher.messageHooks[0]
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let token = try await Told.token(sms, "emergency")
            for wrong in [OneTimeToken.random().text, "", "x"] {
                #expect(try await Told.look(wrong, dispatcher).status == .notFound)
                #expect(try await Told.answer("confirmed", wrong, dispatcher).status == .notFound)
            }
            #expect(try await Told.answer("confirmed", token, dispatcher).status == .notFound)
            // A contact that is taken away sees nothing any more.
            try await dispatcher.database.execute("delete from contact")
            #expect(try await Told.look(token, dispatcher).status == .gone)
        }
    }

    @Test(
        "SOS-09: Whoever names a stranger again and again, or ends and begins anew, does not have them asked again and again"
    )
    func limits() async throws {
        try await TestDispatcher.with(setting: Told.both) { dispatcher in
            let sms = dispatcher.messageHooks[0]
            for _ in 0..<5 {
                let account = UUID.random()
                try await dispatcher.enrol(account)
                for _ in 0..<2 {
                    let body = #"{"clauses_version": "2026-01", "callback_phone": "+39 02 1234567", "contacts": []}"#
                    _ = try await dispatcher.call(.put, "/dispatcher/v1/enrolment", account: account, body: body)
                    _ = try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account)
                    try await dispatcher.enrol(account)
                }
            }
            #expect(try await dispatcher.wait("select not exists (select from contact_event)"))
            #expect(
                try await dispatcher.wait("select not exists (select from contact_message where state = 'waiting')"))
            #expect(sms.desk.calls.count == dispatcher.setting.contactTimes.askedMax)
        }
    }

    @Test(
        "SOS-09: After many emergencies in a day, contacts who have not confirmed are told no more; those who have always are"
    )
    func frequent() async throws {
        var setting = Told.both
        setting.contactTimes.unconfirmedIncidentsMax = 1
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: setting) { dispatcher in
            let (shy, sure) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(shy)
            try await dispatcher.enrol(sure)
            let state = "update contact set state = 'confirmed', answered_at = clock_timestamp() where account = "
            try await dispatcher.database.execute(SQL(raw: state) + "\(sure)")
            for round in 1...2 {
                for account in [shy, sure] { try await dispatcher.send(critical, of: account) }
                #expect(try await dispatcher.wait("select count(*) = \(Int64(2 * round)) from incident"))
                for account in round == 1 ? [shy, sure] : [sure] {
                    #expect(
                        try await dispatcher.wait(
                            """
                            select count(*) = \(Int64(round)) from contact_message
                            where account = \(account) and kind = 'emergency' and channel = 'sms'
                            """))
                }
                for account in [shy, sure] {
                    let incident = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
                    _ = try await dispatcher.call(
                        .post, "/dispatcher/v1/incidents/\(incident)/false-alarm", account: account)
                }
                #expect(try await dispatcher.wait("select bool_and(ended_at is not null) from contact_telling"))
                // Calm for so long that the next one is another emergency.
                try await dispatcher.database.batch([
                    try await dispatcher.monitor(of: shy, begunAt: .now()),
                    try await dispatcher.monitor(of: sure, begunAt: .now()),
                ])
            }
            let told = try await dispatcher.database.query(
                "select distinct account, incident from contact_message where incident is not null", as: UUID.self,
                UUID.self)
            #expect(told.count { $0.0 == sure } == 2)
            #expect(told.count { $0.0 == shy } == 1)
        }
    }

    @Test(
        "ACC-12b ACC-12e: Who is erased during an emergency leaves no contact, message or link, and nobody is told any more"
    )
    func erasure() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Told.both) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            let token = try await Told.token(dispatcher.messageHooks[0], "emergency")
            _ = try await dispatcher.capabilities.erasures.erase(account, at: .now(), in: dispatcher.database)
            for table in ["contact", "contact_message", "contact_token", "contact_event"] {
                let count = try await dispatcher.database.queryOne(
                    "select count(*) from \(raw: table) where account = \(account)", as: Int.self)
                #expect(count == 0, "\(table)")
            }
            #expect(try await Told.look(token, dispatcher).status == .notFound)
            let before = dispatcher.messageHooks[0].desk.calls.count
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            try await dispatcher.capabilities.contacts.desk.round()
            #expect(try await dispatcher.database.queryOne("select count(*) from contact_message", as: Int.self) == 0)
            #expect(dispatcher.messageHooks[0].desk.calls.count == before)
        }
    }
}
