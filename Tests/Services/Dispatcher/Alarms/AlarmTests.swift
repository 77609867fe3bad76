import Contracts
import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// What leaves the process when something needs the operator.
@Suite struct AlarmTests {
    private static func setting(
        _ change: (inout TestDispatcher.Setting) -> Void = { _ in }
    ) throws -> TestDispatcher.Setting {
        var setting = TestDispatcher.Setting(messageHooks: [(.alarm, "duty"), (.escalation, "boss")])
        setting.alarms = AlarmSettings(
            mail: [try EmailAddress(validating: "duty@example.org")],
            escalationMail: [try EmailAddress(validating: "boss@example.org")], language: .english)
        change(&setting)
        return setting
    }

    private static func kinds(_ call: FakeHook.Call) -> [String] {
        ((try? call.json["alarms"]?.items) ?? []).compactMap { $0["kind"]?.text }
    }

    private static func open(_ call: FakeHook.Call) -> Int {
        ((try? call.json["open"]?.integer) ?? nil).map { Int($0) } ?? -1
    }

    private static func acknowledge(
        _ alarms: String, as hook: FakeHook, secret: WebhookSecret? = nil, _ dispatcher: TestDispatcher
    ) async throws -> HTTPResponse {
        let body = #"{"hook": "\#(hook.name)", "by": "Anna"\#(alarms)}"#
        let now = Timestamp.now()
        return try await dispatcher.call(
            .post, "/dispatcher/v1/operator-alarms/acknowledgement",
            fields: [
                "webhook-id": "x", "webhook-timestamp": WebhookSignature.timestamp(now),
                "webhook-signature": WebhookSignature.sign(
                    id: "x", at: now, body: Array(body.utf8), secrets: [secret ?? hook.secret]),
            ], body: body)
    }

    @Test("SOS-13b: An emergency that nobody receives is told by hook and mail, again until it is acknowledged")
    func repeated() async throws {
        let setting = try Self.setting { $0.alarmTimes.again = .milliseconds(500) }
        try await TestDispatcher.with(setting: setting) { dispatcher in
            let duty = dispatcher.messageHooks[0]
            dispatcher.hooks[0].desk.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let told = await duty.desk.wait { $0.count >= 3 }
            #expect(told.count >= 3 && told.allSatisfy(\.isSigned))
            #expect(Set(told.map(\.id)).count == told.count)
            #expect(Self.kinds(try #require(told.last)).contains("exhausted"))
            let isMailed = try await dispatcher.wait {
                dispatcher.accounts.mails.contains {
                    $0.address.description == "duty@example.org" && $0.values["list"]?.contains("exhausted") == true
                }
            }
            #expect(isMailed)
            // Nothing personal is in it.
            #expect(!told.contains { String(decoding: $0.body, as: UTF8.self).contains("Rosa") })

            #expect(try await Self.acknowledge("", as: duty, secret: .random(), dispatcher).status == .unauthorized)
            let answer = try await dispatcher.json(try await Self.acknowledge("", as: duty, dispatcher))
            #expect((answer["acknowledged"]?.integer ?? 0) >= 1)
            #expect(try await dispatcher.wait("select bool_and(next_at is null) from operator_alarm"))
            #expect(try await dispatcher.wait("select bool_and(is_sent) from operator_message"))
            let count = duty.desk.calls.count
            try await dispatcher.capabilities.alarms.desk.gather()
            try await dispatcher.capabilities.alarms.desk.send()
            #expect(duty.desk.calls.count == count)
            #expect(dispatcher.messageHooks[1].desk.calls.isEmpty, "nobody was late")
            let row = try await dispatcher.database.queryOne(
                "select acknowledged_by from operator_alarm limit 1", as: String?.self)
            #expect(row == "Anna")
        }
    }

    @Test(
        "SOS-13c SOS-13d: hooks are probed all the time, and the operator is told of one that does not answer before anybody needs it"
    )
    func deadHook() async throws {
        var times = TestDispatcher.shortTimes
        (times.probes.interval, times.probes.silenceMax) = (.milliseconds(50), .milliseconds(200))
        try await TestDispatcher.with(hooks: ["north", "south"], times: times, setting: try Self.setting()) {
            dispatcher in
            let (north, south, duty) = (dispatcher.hooks[0], dispatcher.hooks[1], dispatcher.messageHooks[0])
            let rounds = 4 * dispatcher.capabilities.caller.loops.count
            #expect(try await dispatcher.wait { south.desk.probes.count >= rounds })
            #expect(duty.desk.calls.isEmpty)
            north.desk.behave(.fail)
            let call = try #require(await duty.desk.firstCall())
            let alarms = try #require(try call.json["alarms"]?.items)
            #expect(alarms.map { $0["kind"]?.text } == ["hook-dead"])
            #expect(alarms.first?["subject"] == .string("north"))
            north.desk.behave(.accept)
            let told = await duty.desk.wait { $0.contains { Self.open($0) == 0 } }
            #expect(told.contains { Self.open($0) == 0 })
            #expect(dispatcher.hooks.allSatisfy { $0.desk.calls.isEmpty })
        }
    }

    @Test(
        "SOS-13b: the operator is told when the first service does not receive an emergency, though the next one does"
    )
    func notReceived() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], setting: try Self.setting()) { dispatcher in
            dispatcher.hooks[0].desk.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let duty = dispatcher.messageHooks[0].desk
            let told = await duty.wait { $0.contains { Self.kinds($0).contains("no-receipt") } }
            #expect(told.contains { Self.kinds($0).contains("no-receipt") })
            #expect(await dispatcher.hooks[1].desk.firstCall() != nil)
        }
    }

    @Test("SOS-13b: Accounts reads the alarms for operators' pages and acknowledges them; no other service may")
    func atPages() async throws {
        try await TestDispatcher.with(setting: try Self.setting()) { dispatcher in
            dispatcher.capabilities.alarms.bell.ring(OperatorAlarm(.hookDead, about: "north", detail: "timed-out"))
            #expect(try await dispatcher.wait("select exists (select from operator_alarm)"))
            let accounts = LocalCaller(router: dispatcher.assembled.rpc, as: "accounts")
            let seen = try await accounts.call(Dispatcher.OperatorAlarms.self, .init()).alarms
            let alarm = try #require(seen.first)
            #expect(seen.count == 1 && alarm.kind == "hook-dead" && alarm.subject == "north" && alarm.overAt == nil)
            for _ in 0..<2 {
                _ = try await accounts.call(Dispatcher.AcknowledgeAlarms.self, .init(alarms: [alarm.id], by: "rosa"))
            }
            let after = try await accounts.call(Dispatcher.OperatorAlarms.self, .init()).alarms
            #expect(after.map(\.acknowledgedBy) == ["rosa"])
            let lines = try await AuditTables.lines(
                beside: try #require(dispatcher.database.configuration.searchPath.first), in: dispatcher.database)
            let noted = lines.filter { $0.action == "dispatcher.acknowledge_alarms" }
            #expect(noted.map(\.actor) == ["accounts", "accounts"] && noted.first?.purpose == "1 by rosa")
            for (alarms, name) in [([], "rosa"), ([alarm.id], ""), ([alarm.id], "a\u{7}")] as [([UUID], String)] {
                await #expect(throws: RPCError.self) {
                    _ = try await accounts.call(Dispatcher.AcknowledgeAlarms.self, .init(alarms: alarms, by: name))
                }
            }
            for other in ["ingestion", "query", "operator"] {
                let caller = LocalCaller(router: dispatcher.assembled.rpc, as: other)
                await #expect(throws: RPCError.self, "\(other)") {
                    _ = try await caller.call(Dispatcher.OperatorAlarms.self, .init())
                }
            }
        }
    }

    @Test("SOS-13b: What nobody acknowledges is told to the second address as well")
    func escalated() async throws {
        let setting = try Self.setting {
            $0.alarmTimes.again = .milliseconds(400)
            $0.alarmTimes.escalation = .milliseconds(600)
        }
        try await TestDispatcher.with(setting: setting) { dispatcher in
            dispatcher.capabilities.alarms.bell.ring(OperatorAlarm(.hookDead, about: "north"))
            let boss = dispatcher.messageHooks[1]
            let told = try #require(await boss.desk.firstCall())
            #expect(try told.json["level"]?.integer == 2 && Self.kinds(told) == ["hook-dead"])
            #expect(try dispatcher.messageHooks[0].desk.calls.first?.json["level"]?.integer == 1)
            let isMailed = try await dispatcher.wait {
                dispatcher.accounts.mails.contains { $0.address.description == "boss@example.org" }
            }
            #expect(isMailed)
            // When the hook answers again it is over, and told so once.
            dispatcher.capabilities.alarms.bell.end(.hookDead, about: "north")
            let ended = await dispatcher.messageHooks[0].desk.wait { $0.contains { Self.open($0) == 0 } }
            #expect(ended.count { Self.open($0) == 0 } == 1)
        }
    }

    @Test(
        "SOS-13b: A hook of the operator that is away is called again; mail that accounts does not take is tried again")
    func retried() async throws {
        try await TestDispatcher.with(setting: try Self.setting()) { dispatcher in
            let duty = dispatcher.messageHooks[0]
            duty.desk.behave(.fail)
            dispatcher.accounts.state.withLock { $0.takesNotices = false }
            dispatcher.capabilities.alarms.bell.ring(OperatorAlarm(.silence, detail: "7 people"))
            let tries = await duty.desk.wait { $0.count >= 3 }
            #expect(tries.count >= 3 && Set(tries.map(\.id)).count == 1)
            duty.desk.behave(.accept)
            dispatcher.accounts.state.withLock { $0.takesNotices = true }
            let isMailed = try await dispatcher.wait { dispatcher.accounts.mails.count == 1 }
            #expect(isMailed)
            #expect(try await dispatcher.wait("select bool_and(is_sent) from operator_message"))
        }
    }

    @Test("SOS-13b: Alarms that come together are told together, each kind and subject once, however often it rings")
    func gathered() async throws {
        try await TestDispatcher.with(setting: try Self.setting { $0.alarmTimes.gather = .seconds(2) }) { dispatcher in
            let (bell, duty) = (dispatcher.capabilities.alarms.bell, dispatcher.messageHooks[0])
            bell.ring(OperatorAlarm(.test))
            _ = await duty.desk.wait { !$0.isEmpty }
            for number in 0..<300 { bell.ring(OperatorAlarm(.hookDead, about: "hook-\(number % 100)")) }
            let told = await duty.desk.wait { $0.contains { Self.open($0) == 101 } }
            #expect(told.map(Self.open) == [1, 101])
            #expect(try told.last?.json["alarms"]?.items.count == AlarmStore.namedMax)
            let rung = try await dispatcher.database.queryOne(
                "select sum(occurrences)::bigint from operator_alarm where kind = 'hook-dead'", as: Int64.self)
            #expect(rung == 300)
        }
    }

    @Test(
        "SOS-13b: While the database is away alarms leave the process all the same, and are written down when it is back"
    )
    func withoutDatabase() async throws {
        try await TestDispatcher.with(setting: try Self.setting()) { dispatcher in
            try await dispatcher.database.execute("alter table operator_alarm rename to away")
            dispatcher.capabilities.alarms.bell.ring(OperatorAlarm(.overloaded, about: "couriers"))
            let told = try #require(await dispatcher.messageHooks[0].desk.firstCall())
            #expect(Self.kinds(told) == ["overloaded"] && told.isSigned)
            try await dispatcher.database.execute("alter table away rename to operator_alarm")
            #expect(try await dispatcher.wait("select exists (select from operator_alarm where kind = 'overloaded')"))
        }
    }

    @Test(
        "SOS-13b: An alarm of an incident that a process took with it when it died is rung by who looks after the rest")
    func forgotten() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: try Self.setting()) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.wait("select bool_and(state = 'handed-over') from incident"))
            try await dispatcher.database.execute(
                """
                insert into incident_step (incident, at, kind, hook, detail)
                select id, clock_timestamp() - interval '1 minute', 'operator-alarmed', 'north', 'exhausted' from incident
                """)
            let told = await dispatcher.messageHooks[0].desk.wait { $0.contains { Self.kinds($0) == ["exhausted"] } }
            #expect(told.contains { Self.kinds($0) == ["exhausted"] })
            // Accepted, it is over.
            let call = try #require(dispatcher.hooks[0].desk.calls.first)
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            #expect(try await dispatcher.wait("select bool_and(over_at is not null) from operator_alarm"))
        }
    }

    @Test(
        "SOS-07a SOS-13b: Of many emergencies in one area within a minute all are handed over, and the operator hears of one"
    )
    func massEvent() async throws {
        let setting = try Self.setting { $0.alarmTimes.massMin = 10 }
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: setting) { dispatcher in
            let accounts = (0..<40).map { _ in UUID.random() }
            for account in accounts { try await dispatcher.enrol(account) }
            for (index, account) in accounts.enumerated() {
                try await dispatcher.send(critical, of: account, latitude: 45.46 + Double(index) * 0.001)
            }
            let calls = await dispatcher.hooks[0].desk.wait { Set($0.map { $0.id.prefix(36) }).count == 40 }
            #expect(Set(calls.map { $0.id.prefix(36) }).count == 40)
            #expect(try await dispatcher.wait("select count(*) = 40 from mass_event_incident"))
            // What goes wrong with them is told with it.
            let one = try #require(
                try await dispatcher.database.queryOne("select id from incident limit 1", as: UUID.self))
            dispatcher.capabilities.alarms.bell.ring(OperatorAlarm(.noAcceptance, of: one, hook: "north"))
            #expect(try await dispatcher.wait("select exists (select from operator_alarm where member_of is not null)"))
            let kinds = try await dispatcher.database.query(
                "select kind from operator_alarm where member_of is null", as: String.self)
            #expect(kinds == ["mass-event"])
            let told = await dispatcher.messageHooks[0].desk.wait { !$0.isEmpty }
            #expect(told.allSatisfy { Self.kinds($0) == ["mass-event"] && Self.open($0) == 1 })
        }
    }

    // MARK: Dead man's switch

    private static func deadMan(_ dispatcher: TestDispatcher, isFeedRead: Bool = true) -> DeadManSwitch {
        let capabilities = dispatcher.capabilities
        var deadMan = DeadManSwitch(
            incidents: capabilities.store, hooks: capabilities.callbackRoutes.hooks, notices: capabilities.notices,
            desk: capabilities.desk, bell: capabilities.alarms.bell, log: dispatcher.context.log, metrics: Metrics(),
            interval: .seconds(300)
        ) { isFeedRead }
        deadMan.receiptMax = .seconds(5)
        return deadMan
    }

    @Test(
        "SOS-12b SOS-13d: A synthetic emergency goes the whole way to a test receiver, as an exercise, and leaves nothing behind"
    )
    func deadManReceived() async throws {
        var setting = try Self.setting()
        setting.exercises = ["tester": .only]
        try await TestDispatcher.with(hooks: ["north", "tester"], setting: setting) { dispatcher in
            let outcome = try await Self.deadMan(dispatcher).round()
            #expect(outcome == .received)
            let call = try #require(dispatcher.hooks[1].desk.calls.first)
            #expect(call.isSigned)
            #expect(try call.json["incident"]?["mode"] == .string("exercise"))
            #expect(try call.json["incident"]?["causes"]?.items.count == 1)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
            #expect(try await dispatcher.database.queryOne("select count(*) from incident", as: Int.self) == 0)
            // A test receiver is not called in an emergency.
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            _ = await dispatcher.hooks[0].desk.wait { !$0.isEmpty }
            #expect(dispatcher.hooks[1].desk.calls.count == 1)
        }
    }

    @Test(
        "SOS-13d: Without the receipt, or while the feed is not read, the operator is alarmed with the step that failed; a success ends it"
    )
    func deadManFails() async throws {
        var setting = try Self.setting()
        setting.exercises = ["north": .too]
        try await TestDispatcher.with(times: TestDispatcher.patientTimes, setting: setting) { dispatcher in
            let blind = try await Self.deadMan(dispatcher, isFeedRead: false).round()
            #expect(blind == .failed(.feed))
            dispatcher.hooks[0].desk.behave(.fail)
            var deadMan = Self.deadMan(dispatcher)
            deadMan.receiptMax = .milliseconds(500)
            let unheard = try await deadMan.round()
            #expect(unheard == .failed(.receipt))
            let told = await dispatcher.messageHooks[0].desk.wait { !$0.isEmpty }
            #expect(told.allSatisfy { Self.kinds($0) == ["dead-man"] })
            let isNoted = try await dispatcher.wait(
                "select exists (select from operator_alarm where detail = 'receipt' and occurrences = 2)")
            #expect(isNoted)
            // The old one is received late, and a new one is made.
            dispatcher.hooks[0].desk.behave(.accept)
            let isClosed = try await dispatcher.wait("select bool_and(state = 'closed') from incident")
            #expect(isClosed)
            let heard = try await Self.deadMan(dispatcher).round()
            #expect(heard == .received)
            let isOver = try await dispatcher.wait("select bool_and(over_at is not null) from operator_alarm")
            #expect(isOver)
        }
    }

    @Test("SOS-13d: Where no hook takes exercises there are none")
    func deadManOff() async throws {
        try await TestDispatcher.with { dispatcher in
            let outcome = try await Self.deadMan(dispatcher).round()
            #expect(outcome == .off)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
        }
    }

    // MARK: By command

    @Test("SOS-13b: Operators list, try and acknowledge alarms by command")
    func command() async throws {
        try await TestDispatcher.with(setting: try Self.setting()) { dispatcher in
            let command = AlarmCommand(dispatcher.context)
            #expect(try await command.run(["show"]) == "No alarms.")
            _ = try await command.run(["test"])
            #expect(try await command.run(["show"]).contains("test: by hand"))
            let told = await dispatcher.messageHooks[0].desk.wait { !$0.isEmpty }
            #expect(Self.kinds(try #require(told.first)) == ["test"])
            let id = try #require(
                try await dispatcher.database.queryOne("select id from operator_alarm", as: UUID.self))
            #expect(try await command.run(["acknowledge", "Anna", id.description]) == "1 alarms acknowledged.")
            #expect(try await command.run(["show"]).contains("acknowledged by Anna"))
            #expect(try await command.run(["acknowledge", "Anna", "all"]) == "0 alarms acknowledged.")
            for wrong in [[], ["acknowledge"], ["acknowledge", "Anna"], ["acknowledge", "Anna", "x"], ["show", "x"]] {
                await #expect(throws: CommandMistake.self) { try await command.run(wrong) }
            }
        }
    }

    @Test("SOS-13b: Settings that cannot be are refused")
    func settings() throws {
        #expect(throws: ConfigurationError.self) { try AlarmSettings(repeatS: 1).check() }
        #expect(throws: ConfigurationError.self) { try AlarmSettings(escalateAfterS: 100_000).check() }
        let address = try EmailAddress(validating: "a@example.org")
        #expect(throws: ConfigurationError.self) {
            try AlarmSettings(mail: Array(repeating: address, count: 11)).check()
        }
        try AlarmSettings(mail: [address], repeatS: 60, escalateAfterS: 120).check()
    }
}
