import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// From an emergency to contacts on this machine, in process.
@Suite struct ContactTests {
    static let both = TestDispatcher.Setting(messageHooks: [(.sms, "sms"), (.call, "voice")])

    static func event(_ call: FakeHook.Call) -> String { (try? call.json["message"]?["event"]?.text) ?? "" }
    static func text(_ call: FakeHook.Call) throws -> String {
        try #require(try call.json["message"]?["text"]?.text)
    }

    /// What stands behind # in the newest message about that.
    static func token(_ hook: FakeHook, _ event: String) async throws -> String {
        let calls = await hook.desk.wait { $0.contains { Self.event($0) == event } }
        let call = try #require(calls.last { Self.event($0) == event })
        return String(try #require(try text(call).split(separator: "#").last))
    }

    static func look(_ token: String, _ dispatcher: TestDispatcher) async throws -> HTTPResponse {
        try await dispatcher.call(.post, "/dispatcher/v1/contact-links", body: #"{"token": "\#(token)"}"#)
    }

    static func answer(_ answer: String, _ token: String, _ dispatcher: TestDispatcher) async throws -> HTTPResponse {
        try await dispatcher.call(
            .post, "/dispatcher/v1/contact-links/answer", body: #"{"token": "\#(token)", "answer": "\#(answer)"}"#)
    }

    /// As `TestDispatcher.reply`, of who sends messages.
    static func report(
        _ state: String, of call: FakeHook.Call, from hook: FakeHook, attempt: Int? = nil, token: String? = nil,
        secret: WebhookSecret? = nil, _ dispatcher: TestDispatcher
    ) async throws -> HTTPStatus {
        let json = try call.json
        let id = try #require(json["message"]?["id"]?.text)
        let own = try #require(json["reply"]?["token"]?.text)
        let sent = try #require(json["message"]?["attempt"]?.integer)
        let body =
            #"{"hook": "\#(hook.name)", "token": "\#(token ?? own)", "attempt": \#(attempt ?? Int(sent)), "state": "\#(state)"}"#
        let now = Timestamp.now()
        return try await dispatcher.call(
            .post, "/dispatcher/v1/contact-messages/\(id)/status",
            fields: [
                "webhook-id": "x", "webhook-timestamp": WebhookSignature.timestamp(now),
                "webhook-signature": WebhookSignature.sign(
                    id: "x", at: now, body: Array(body.utf8), secrets: [secret ?? hook.secret]),
            ], body: body
        ).status
    }

    // MARK: Telling

    @Test("SOS-09a: Contacts are told by text message, call and e-mail within seconds, signed, each once")
    func emergency() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Self.both) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (sms, voice) = (dispatcher.messageHooks[0], dispatcher.messageHooks[1])
            #expect(try await Self.answer("confirmed", try await Self.token(sms, "question"), dispatcher).status == .ok)
            let began = Deadline.now()
            try await dispatcher.send(critical, of: account)
            let called = try #require(await dispatcher.hooks[0].desk.firstCall())
            let calls = await sms.desk.wait { $0.contains { Self.event($0) == "emergency" } }
            let told = try #require(calls.first { Self.event($0) == "emergency" })
            #expect(told.isSigned && told.at.since(began) < .seconds(5) && told.at.since(called.at) > .zero)
            let message = try told.json
            #expect(message["message"]?["to"] == .string("+393331234567"))
            let text = try Self.text(told)
            for part in ["Rosa Bianchi", "Frequenza cardiaca", "45.46420 9.19000", "+39021234567", "/sos/contact#"] {
                #expect(text.contains(part), "\(part)")
            }
            let spoken = try #require(await voice.desk.firstCall())
            #expect(try Self.text(spoken).contains("EMERGENZA di Rosa Bianchi"))
            let isMailed = try await dispatcher.wait {
                dispatcher.accounts.mails.contains { $0.values["text"] == text }
            }
            #expect(isMailed)
            let mailed = dispatcher.accounts.mails.filter { $0.values["subject"] == "AutomatedSOS: emergenza" }
            #expect(mailed.count == 1 && mailed[0].address.description == "luca@example.org")

            // The same emergency, seen again, is no news for them; who comes is.
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.reply("acceptance", to: called, from: dispatcher.hooks[0]).status == .ok)
            _ = await sms.desk.wait { $0.contains { Self.event($0) == "accepted" } }
            #expect(try await dispatcher.reply("resolution", to: called, from: dispatcher.hooks[0]).status == .ok)
            let events = await sms.desk.wait { $0.contains { Self.event($0) == "over" } }.map(Self.event)
            #expect(events == ["question", "emergency", "accepted", "over"])
            #expect(voice.desk.calls.count == 1)
        }
    }

    @Test("SOS-09b: While those who send messages hang, ambulance services are called as ever, also many at once")
    func hanging() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Self.both) { dispatcher in
            for hook in dispatcher.messageHooks { hook.desk.behave(.hang) }
            dispatcher.accounts.state.withLock { $0.takesNotices = false }
            let accounts = (0..<20).map { _ in UUID.random() }
            for account in accounts { try await dispatcher.enrol(account) }
            let began = Deadline.now()
            for account in accounts { try await dispatcher.send(critical, of: account) }
            let calls = await dispatcher.hooks[0].desk.wait { Set($0.map { $0.id.prefix(36) }).count == 20 }
            #expect(Set(calls.map { $0.id.prefix(36) }).count == 20)
            #expect(calls.map { $0.at.since(began) }.max() ?? .zero < .seconds(5))
            // Contacts are told when it works again.
            for hook in dispatcher.messageHooks { hook.desk.behave(.accept) }
            dispatcher.accounts.state.withLock { $0.takesNotices = true }
            #expect(
                try await dispatcher.wait(
                    "select count(*) = 60 from contact_message where kind = 'emergency' and state = 'handed-over'",
                    seconds: 30))
        }
    }

    @Test(
        "SOS-09a: What one hook does not take the next one is given; the same message keeps its id until it is said not to have arrived"
    )
    func nextHook() async throws {
        let setting = TestDispatcher.Setting(messageHooks: [(.sms, "first"), (.sms, "second")])
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: setting) { dispatcher in
            let (first, second) = (dispatcher.messageHooks[0], dispatcher.messageHooks[1])
            first.desk.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let failed = try #require(await first.desk.firstCall())
            let taken = try #require(await second.desk.firstCall())
            #expect(failed.id == taken.id && taken.id.hasSuffix(":1"))
            #expect(
                try await dispatcher.wait(
                    "select bool_and(state = 'handed-over') from contact_message where channel = 'sms'"))

            // Who never had it, or does not sign, says nothing; an earlier attempt does not count.
            #expect(
                try await Self.report("failed", of: taken, from: second, secret: .random(), dispatcher) == .unauthorized
            )
            #expect(try await Self.report("failed", of: taken, from: second, token: "x", dispatcher) == .unauthorized)
            #expect(try await Self.report("failed", of: taken, from: second, attempt: 1, dispatcher) == .noContent)
            first.desk.behave(.accept)
            let before = first.desk.calls.count
            #expect(try await Self.report("failed", of: taken, from: second, dispatcher) == .noContent)
            let againCalls = await first.desk.wait { $0.count > before }
            let again = try #require(againCalls.last)
            #expect(again.id == taken.id.replacing(":1", with: ":2"))
            #expect(
                try await dispatcher.wait(
                    "select bool_and(state = 'handed-over') from contact_message where channel = 'sms'"))
            // It is said twice, and counts once.
            #expect(try await Self.report("failed", of: taken, from: second, dispatcher) == .notFound)
            for _ in 0..<2 {
                #expect(try await Self.report("delivered", of: again, from: first, dispatcher) == .noContent)
            }
            let row = try await dispatcher.database.queryOne(
                "select state, content is null from contact_message where channel = 'sms'", as: String.self, Bool.self)
            #expect(row?.0 == "delivered" && row?.1 == true)
        }
    }

    @Test("SOS-09a: Two replicas tell each contact once, and what one leaves the other sends")
    func replicas() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Self.both) { dispatcher in
            let other = try await dispatcher.another(times: TestDispatcher.patientTimes)
            for _ in 0..<5 {
                let account = UUID.random()
                try await dispatcher.enrol(account)
                try await other.send(critical, of: account)
            }
            let sms = dispatcher.messageHooks[0]
            _ = await sms.desk.wait { $0.count { Self.event($0) == "emergency" } >= 5 }
            await other.stop()
            // What the other one had claimed is this one's after `ContactTimes.claim`.
            #expect(
                try await dispatcher.wait(
                    "select bool_and(state <> 'waiting') from contact_message where is_urgent", seconds: 45))
            // What was under way when the other one stopped is sent again, under its id.
            #expect(Set(sms.desk.calls.filter { Self.event($0) == "emergency" }.map(\.id)).count == 5)
            #expect(Set(dispatcher.messageHooks[1].desk.calls.map(\.id)).count == 5)
        }
    }

    @Test("SOS-09b: Messages that the database does not take do not keep an incident from it")
    func withoutTables() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: Self.both) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.database.execute("alter table contact_message rename to broken")
            try await dispatcher.send(critical, of: account)
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            try await dispatcher.database.execute("alter table broken rename to contact_message")
            let told = await dispatcher.messageHooks[0].desk.wait(seconds: 30) {
                $0.contains { Self.event($0) == "emergency" }
            }
            #expect(told.count { Self.event($0) == "emergency" } == 1)
        }
    }

    // MARK: Events

    @Test("SOS-09c: A rule that concerns the contacts only tells them, and calls no ambulance")
    func rule() async throws {
        try await TestDispatcher.with(setting: Self.both) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let finding = Finding(
                origin: .init(source: watch, type: .heartRate, time: start), rules: .age, rulesVersion: 1, limit: "",
                value: 1, firstCriticalAt: start, confirmedAt: start, episodeFrom: start, receivedAt: start,
                isDelayed: false, wasExercising: false)
            let cipher = FieldCipher(dispatcher.context.keys.fields)
            // Seen twice, it is told once.
            for _ in 0..<2 {
                try await dispatcher.database.execute(
                    try ContactEvent.insert([.rule(finding, of: account, at: nil)], cipher))
            }
            dispatcher.capabilities.contacts.desk.wake()
            let told = await dispatcher.messageHooks[0].desk.wait { $0.contains { Self.event($0) == "rule" } }
            let message = try #require(told.first { Self.event($0) == "rule" })
            #expect(try Self.text(message).contains("NON sono stati avvisati"))
            #expect(await dispatcher.messageHooks[1].desk.firstCall() != nil)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
            #expect(try await dispatcher.incidents(of: account).isEmpty)
        }
    }

    @Test("SOS-11a: Of a lost sensor contacts who have confirmed are told, once, if it stays lost")
    func sensorLost() async throws {
        try await TestDispatcher.with(setting: Self.both) { dispatcher in
            let sms = dispatcher.messageHooks[0]
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let token = try await Self.token(sms, "question")
            let cipher = FieldCipher(dispatcher.context.keys.fields)
            func lose(_ phase: String, _ since: Timestamp) async throws {
                try await dispatcher.database.execute("update monitor set phase = \(phase) where account = \(account)")
                let event = ContactEvent.sensorLost(since: since, of: account, dispatcher.setting.contactTimes)
                try await dispatcher.database.execute(try ContactEvent.insert([event], cipher))
                dispatcher.capabilities.contacts.desk.wake()
                #expect(try await dispatcher.wait("select not exists (select from contact_event)"))
            }
            // Nobody has confirmed; then it is back before anybody is told.
            try await lose("blind", start)
            #expect(try await Self.answer("confirmed", token, dispatcher).status == .ok)
            try await lose("normal", start + .seconds(1))
            try await lose("blind", start + .seconds(2))
            let told = await sms.desk.wait { $0.contains { Self.event($0) == "sensor-lost" } }
            #expect(told.count { Self.event($0) == "sensor-lost" } == 1)
            try await lose("blind", start + .seconds(3))
            let count = try await dispatcher.database.queryOne(
                "select count(*) from contact_message where kind = 'sensor-lost'", as: Int.self)
            #expect(count == 2, "a text message and a mail, once in six hours")
        }
    }

    @Test("SOS-11a: A monitor that becomes blind makes an event for the contacts, in the same commit")
    func blind() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            // Zeros without contact.
            try await dispatcher.send([70, 0, 0, 0, 0, 0], of: account, ago: .seconds(7))
            let isBlind = try await dispatcher.database.queryOne(
                "select exists (select from monitor where account = \(account) and phase = 'blind')", as: Bool.self)
            let events = try await dispatcher.database.queryOne(
                "select count(*) from contact_event where account = \(account) and kind = 'sensor-lost'", as: Int.self)
            #expect(isBlind == true && events == 1)
        }
    }

    @Test("SOS-09: A critical state that came too late is told to contacts who have confirmed, and to the operator")
    func late() async throws {
        try await TestDispatcher.with(setting: Self.both) { dispatcher in
            let sms = dispatcher.messageHooks[0]
            let account = UUID.random()
            try await dispatcher.enrol(account)
            #expect(try await Self.answer("confirmed", try await Self.token(sms, "question"), dispatcher).status == .ok)
            try await dispatcher.send(critical, of: account, held: .seconds(7200))
            let watch = BacklogWatch(
                people: dispatcher.capabilities.people, gaps: GapStore(database: dispatcher.database)
            ) { FeedProgress(appliedUntil: .now(), age: .zero) }
            _ = try await watch.look()
            let told = await sms.desk.wait { $0.contains { Self.event($0) == "late" } }
            #expect(told.contains { Self.event($0) == "late" })
            #expect(try await dispatcher.wait("select exists (select from operator_alarm where kind = 'late-alarm')"))
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
        }
    }
}
