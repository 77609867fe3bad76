import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import Synchronization
import ServiceTesting
import Testing

@testable import Dispatcher

/// From a feed event to an ambulance service on this machine, in process.
@Suite struct HandOverTests {
    @Test(
        "SOS-05a SOS-06ab SOS-03c: a lasting critical state reaches the ambulance service, signed, with who, where and what"
    )
    func handOver() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let hook = dispatcher.hooks[0]
            try await dispatcher.send(critical, of: account)
            let call = try #require(await hook.desk.firstCall())
            #expect(call.isSigned)
            #expect(call.id.hasSuffix(":1"))
            #expect(call.body.count < IncidentMessage.bytesMax)
            let message = try call.json
            let firstCritical = try #require(message["incident"]?["first_critical"]?.text.flatMap { Timestamp($0) })
            #expect(Timestamp.now() - firstCritical < .seconds(5))
            #expect(message["incident"]?["message"] == .string("alert"))
            #expect(message["incident"]?["mode"] == .string("actual"))
            #expect(message["incident"]?["rule"]?["name"] == .string("age"))
            #expect(message["incident"]?["causes"]?.items.first?["limit"] == .string("<= 40.0"))
            #expect(message["position"]?["latitude"] == .number(45.4642))
            #expect(message["position"]?["is_current"] == .bool(true))
            #expect(message["person"]?["name"] == .string("Rosa"))
            #expect(message["person"]?["fiscal_code"] == .string(TestDispatcher.fiscalCode.description))
            #expect(message["person"]?["callback_phone"] == .string("+39021234567"))
            let age = Timestamp.now().dateUTC.age(bornOn: TestDispatcher.birthDate)
            #expect(message["person"]?["age"] == .integer(Int64(age)))
            // The position is of the first reading, the second one was critical.
            let fixedAt = try #require(message["position"]?["time"]?.text.flatMap { Timestamp($0) })
            #expect(fixedAt == firstCritical - .seconds(1))
            #expect(message["position"]?["accuracy_m"]?.double == 8)
            #expect(message["vitals"]?.items.first?["loinc"] == .string("8867-4"))
            #expect(message["contacts"]?.items.count == 1)
        }
    }

    @Test("SOS-04d SOS-06e: a single wrong reading calls nobody")
    func singleReading() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 71, 20, 70, 72], of: account)
            try await dispatcher.send([70, 71, 70, 255, 72], of: account)
            #expect(try await dispatcher.incidents(of: account).isEmpty)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
        }
    }

    @Test("SOS-05d: nobody is called for a person who is not enrolled, or no longer")
    func notEnrolled() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.send(critical, of: account)
            try await dispatcher.enrol(account)
            #expect(
                try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account).status == .noContent)
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).isEmpty)
        }
    }

    @Test("SOS-07: one emergency is one open incident, whatever comes meanwhile; news are updates of it")
    func oneIncident() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account, ago: .seconds(8))
            try await dispatcher.send([38, 38, 38, 38], of: account, ago: .seconds(4))
            try await dispatcher.send([70, 70], of: account, ago: .seconds(2))
            #expect(try await dispatcher.incidents(of: account).count == 1)
            let calls = await dispatcher.hooks[0].desk.wait { !$0.isEmpty }
            #expect(Set(calls.map { $0.id.prefix(36) }).count == 1)
        }
    }

    @Test("SOS-06 SOS-07: a missing name delays nothing, and follows as an update")
    func lateName() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.forgetWhoIsEnrolled()
            dispatcher.accounts.state.withLock { $0.delay = .milliseconds(400) }
            try await dispatcher.send(critical, of: account)
            let calls = await dispatcher.hooks[0].desk.wait { $0.contains { $0.sequence > 1 } }
            let first = try #require(calls.first { $0.sequence == 1 }).json
            let second = try #require(calls.first { $0.sequence > 1 }).json
            #expect(first["person"]?["name"] == nil && first["person"]?["callback_phone"] != nil)
            #expect(second["person"]?["name"] == .string("Rosa"))
            #expect(second["incident"]?["message"] == .string("update"))
        }
    }

    @Test("SOS-06 SOS-07: an incident that is accepted before its name is known gets it all the same")
    func lateNameAfterAcceptance() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.forgetWhoIsEnrolled()
            dispatcher.accounts.state.withLock { $0.isAway = true }
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            #expect(try call.json["person"]?["name"] == nil)
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            let isReceived = try await dispatcher.wait(
                "select exists (select from incident_step where kind = 'received')")
            #expect(isReceived)
            dispatcher.accounts.state.withLock { $0.isAway = false }
            let calls = await hook.desk.wait { $0.contains { $0.sequence > 1 } }
            let update = try #require(calls.first { $0.sequence > 1 }).json
            #expect(update["person"]?["name"] == .string("Rosa"))
            #expect(update["incident"]?["message"] == .string("update"))
            #expect(try await dispatcher.wait(TestDispatcher.isSettled))
        }
    }

    @Test(
        "SOS-07b: a hook that fails or hangs is tried again, under the same id; a try does not wait for the one before")
    func tries() async throws {
        for behaviour in [FakeHook.Behaviour.fail, .hang] {
            try await TestDispatcher.with { dispatcher in
                let account = UUID.random()
                try await dispatcher.enrol(account)
                let desk = dispatcher.hooks[0].desk
                desk.behave(behaviour)
                try await dispatcher.send(critical, of: account)
                let calls = await desk.wait { $0.count >= 4 }
                #expect(Set(calls.map(\.id)).count == 1 && calls.allSatisfy(\.isSigned))
                let (first, fourth) = (try #require(calls.first), try #require(calls.dropFirst(3).first))
                // Three waits for the limit of 0.5 s would take longer.
                #expect(fourth.at.since(first.at) < .milliseconds(1400))
                desk.behave(.accept)
                let isReceived = try await dispatcher.wait(
                    "select exists (select from incident where state = 'handed-over')")
                #expect(isReceived)
            }
        }
    }

    @Test(
        "SOS-13b SOS-07c: without a receipt the next hook is called; who accepts first has it, the other is told and refused"
    )
    func escalation() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            north.desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            let call = try #require(await south.desk.firstCall())
            #expect(dispatcher.log.lines.contains { $0.contains("no-receipt") })
            north.desk.behave(.accept)
            #expect(try await dispatcher.reply("acceptance", to: call, from: south).status == .ok)
            #expect(try await dispatcher.reply("acceptance", to: call, from: south).status == .ok)
            let late = try await dispatcher.reply("acceptance", to: call, from: north)
            #expect(late.status == .conflict)
            let told = await north.desk.wait { $0.contains { $0.sequence > 1 } }
            let cancellation = try #require(told.last).json
            #expect(cancellation["incident"]?["message"] == .string("cancel"))
            #expect(cancellation["incident"]?["reason"] == .string("accepted-by-another"))
            let isSettled = try await dispatcher.wait(TestDispatcher.isSettled)
            #expect(isSettled)
            #expect(south.desk.calls.allSatisfy { $0.sequence == 1 })
            let shown = try #require(try await dispatcher.incidents(of: account).first)
            #expect(shown["state"] == .string("acknowledged") && shown["accepted_by"] == .string("south"))
        }
    }

    @Test("SOS-13a: a rejection calls the next one at once")
    func rejection() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            let said = Deadline.now()
            #expect(try await dispatcher.reply("rejection", to: call, from: dispatcher.hooks[0]).status == .ok)
            let next = try #require(await dispatcher.hooks[1].desk.firstCall())
            #expect(next.at.since(said) < .seconds(5))
        }
    }

    @Test("SOS-13: a call back that is not signed, or without the token of this hand-over, is refused")
    func unsigned() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            let plain = try await dispatcher.call(
                .post, "/dispatcher/v1/handovers/\(call.id.prefix(36))/acceptance",
                body: #"{"hook": "north", "token": "x", "decision": "accepted"}"#)
            #expect(plain.status == .unauthorized)
            let wrong = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0], token: "x")
            #expect(wrong.status == .unauthorized)
            // South knows its secret, and what north was sent, but was never called for this.
            let stolen = try call.json["reply"]?["token"]?.text
            let other = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[1], token: stolen)
            #expect(other.status == .unauthorized)
            let turned = try await dispatcher.reply(
                "acceptance", to: call, from: dispatcher.hooks[0], decision: "rejected")
            #expect(turned.status == .unprocessableContent)
            #expect(
                try await dispatcher.database.queryOne("select accepted_by is null from incident", as: Bool.self)
                    == true)
        }
    }

    @Test(
        "SOS-08abc SOS-14: a false alarm before the hand-over calls nobody, afterwards it cancels; the history has each step"
    )
    func falseAlarm() async throws {
        try await TestDispatcher.with { dispatcher in
            let (early, late) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(early, more: #", "abort_window_s": 30"#)
            try await dispatcher.enrol(late)
            let desk = dispatcher.hooks[0].desk
            try await dispatcher.send(critical, of: early)
            let first = try #require(try await dispatcher.incidents(of: early).first?["id"]?.text)
            let suppressed = try await dispatcher.json(
                try await dispatcher.call(.post, "/dispatcher/v1/incidents/\(first)/false-alarm", account: early))
            #expect(suppressed["outcome"] == .string("suppressed"))
            #expect(desk.calls.isEmpty)

            try await dispatcher.send(critical, of: late)
            let call = try #require(await desk.firstCall())
            let path = "/dispatcher/v1/incidents/\(call.id.prefix(36))"
            #expect(try await dispatcher.call(.post, "\(path)/false-alarm", account: early).status == .notFound)
            let response = try await dispatcher.call(.post, "\(path)/false-alarm", account: late)
            #expect(response.status == .ok)
            let calls = await desk.wait { $0.contains { $0.sequence > 1 } }
            let cancellation = try #require(calls.last).json
            #expect(cancellation["incident"]?["reason"] == .string("false-alarm"))
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .conflict)
            let hasAll = try await dispatcher.wait(
                "select exists (select from incident_step where kind = 'cancellation-received')")
            #expect(hasAll)
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: late))
            let kinds = shown["steps"]?.items.compactMap { $0["kind"]?.text } ?? []
            #expect(
                Set(kinds).isSuperset(of: [
                    "first-critical", "confirmed", "opened", "hand-over-begun", "received", "false-alarm", "closed",
                    "cancellation-received",
                ]))
        }
    }

    @Test("SOS-12b: a test call is marked as an exercise, and ends when it is received")
    func exercise() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            #expect(try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: account).status == .created)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(try call.json["incident"]?["mode"] == .string("exercise"))
            let isOver = try await dispatcher.wait("select exists (select from incident where outcome = 'exercised')")
            #expect(isOver)
        }
    }

    @Test(
        "SOS-11abc SOS-13e: the wearer is told of emergency, acceptance and lost sensors; what comes after is found"
    )
    func notices() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            func phase() async throws -> String? {
                try await dispatcher.json(try await dispatcher.call(.get, "/dispatcher/v1/monitor", account: account))[
                    "phase"]?.text
            }
            try await dispatcher.send([70, 0, 0, 0, 0, 0], of: account, ago: .seconds(7))
            #expect(try await phase() == "blind")
            try await dispatcher.send([70, 38, 38, 38, 38], of: account)
            #expect(try await phase() == "confirmed")
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            _ = try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0])
            let isSent = try await dispatcher.wait("select count(*) = 0 from notice")
            #expect(isSent)
            #expect(
                Set(dispatcher.accounts.notices.map(\.template))
                    == ["sos-enrolled", "sensor-lost", "incident-opened", "incident-accepted"])
        }
    }

    @Test("SOS-13a NFR-09: call backs count in the order in which they were sent, each once, whichever comes first")
    func callBackOrder() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            let now = Timestamp.now()
            func reply(_ answer: String, _ id: String, _ ago: Int64) async throws -> HTTPResponse {
                try await dispatcher.reply(answer, to: call, from: hook, id: id, at: now - .seconds(ago))
            }
            #expect(try await reply("rejection", "one", 30).status == .ok)
            #expect(try await reply("acceptance", "two", 20).status == .ok)
            #expect(try await reply("rejection", "one", 10).status == .ok)
            let old = try await reply("rejection", "zero", 25)
            #expect(old.status == .conflict)
            #expect(try await dispatcher.json(old)["code"] == .string("outdated-decision"))
            #expect(try await dispatcher.incidents(of: account).first?["state"] == .string("acknowledged"))
        }
    }

    @Test(
        "SOS-13a NFR-09: a rejection that failed to arrive and is signed anew hands nothing back that was accepted since, when it says when it was decided",
        arguments: [true, false])
    func rejectedBefore(saysWhen: Bool) async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            let now = Timestamp.now()
            func reply(_ answer: String, decided: Int64, signed: Int64) async throws -> HTTPResponse {
                let more = saysWhen ? #", "decided_at": "\#(now - .seconds(decided))""# : ""
                return try await dispatcher.reply(
                    answer, to: call, from: hook, more: more, at: now - .seconds(signed))
            }
            // The rejection of a minute ago did not arrive.
            #expect(try await reply("acceptance", decided: 30, signed: 30).status == .ok)
            let late = try await reply("rejection", decided: 60, signed: 0)
            guard saysWhen else {
                // Whoever does not say it has to send in order: the newest signature counts.
                #expect(late.status == .ok)
                #expect(try await dispatcher.incidents(of: account).first?["state"] != .string("acknowledged"))
                return
            }
            #expect(late.status == .conflict)
            #expect(try await dispatcher.json(late)["code"] == .string("outdated-decision"))
            // The acceptance again, signed anew; and a rejection that was decided after it.
            #expect(try await reply("acceptance", decided: 30, signed: 0).status == .ok)
            #expect(try await dispatcher.incidents(of: account).first?["state"] == .string("acknowledged"))
            #expect(try await reply("rejection", decided: 10, signed: 0).status == .ok)
            #expect(try await dispatcher.incidents(of: account).first?["state"] != .string("acknowledged"))
        }
    }

    @Test(
        "SOS-13a NFR-09: what was decided after its signature, or more than a day before it, is refused with a pointer")
    func decidedOutOfRange() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            // The signature's time is in whole seconds.
            let signed = Timestamp(microseconds: Timestamp.now().microseconds / 1_000_000 * 1_000_000)
            func reply(_ answer: String, _ decided: String, _ more: String = "") async throws -> HTTPResponse {
                try await dispatcher.reply(
                    answer, to: call, from: hook, more: #"\#(more), "decided_at": "\#(decided)""#, at: signed)
            }
            let day = Duration.seconds(86_400)
            for wrong in [signed + .seconds(1), signed - day - .milliseconds(1)] {
                for (answer, more) in [
                    ("acceptance", ""), ("rejection", ""), ("resolution", ""), ("status", #", "status": "received""#),
                ] {
                    let refused = try await reply(answer, wrong.description, more)
                    #expect(refused.status == .unprocessableContent)
                    let problem = try await dispatcher.json(refused)
                    #expect(problem["code"] == .string("decided-at-out-of-range"))
                    #expect(problem["errors"]?.items.first?["pointer"] == .string("/decided_at"))
                }
            }
            #expect(try await reply("acceptance", "yesterday").status == .unprocessableContent)
            #expect(try await dispatcher.incidents(of: account).first?["state"] != .string("acknowledged"))
            #expect(try await reply("rejection", (signed - day).description).status == .ok)
            #expect(try await reply("acceptance", (signed + .milliseconds(999)).description).status == .ok)
            // What is told of the way is ordered alike.
            func tell(_ minutes: Int64, decided: Duration) async throws -> HTTPResponse {
                let arrival = signed + .seconds(60 * minutes)
                return try await reply(
                    "status", (signed + decided).description,
                    #", "status": "arrival-expected", "arrival": "\#(arrival)""#)
            }
            #expect(try await tell(8, decided: .milliseconds(-20)).status == .ok)
            let old = try await tell(12, decided: .milliseconds(-40))
            #expect(try await dispatcher.json(old)["code"] == .string("outdated-status"))
        }
    }

    @Test("SOS-12b: a person makes so many test calls a day, and is told when the next one is allowed")
    func exerciseLimit() async throws {
        try await TestDispatcher.with { dispatcher in
            let (account, other) = (UUID.random(), UUID.random())
            for person in [account, other] { try await dispatcher.enrol(person) }
            func call(_ person: UUID) async throws -> HTTPResponse {
                try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: person)
            }
            for number in 1...IncidentStore.exercisesMax {
                #expect(try await call(account).status == .created)
                #expect(
                    try await dispatcher.wait(
                        "select count(*) = \(Int64(number)) from incident where outcome = 'exercised'"))
            }
            let refused = try await call(account)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.fields["Retry-After"].flatMap { Int($0) }.map { (86_300...86_401).contains($0) } == true)
            #expect(try await dispatcher.json(refused)["code"] == .string("too-many-requests"))
            #expect(try await call(other).status == .created)
            // Alarms are not limited.
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).first?["is_exercise"] == .bool(false))
            // A day after the first one; or the clock was set back by a week meanwhile.
            try await dispatcher.database.execute(
                "update incident set opened_at = opened_at - interval '1 day' where is_exercise and account = \(account)"
            )
            #expect(try await call(account).status == .created)
            #expect(try await dispatcher.wait("select bool_and(state = 'closed') from incident where is_exercise"))
            try await dispatcher.database.execute(
                "update incident set opened_at = opened_at + interval '8 days' where is_exercise and account = \(account)"
            )
            #expect(try await call(account).status == .created)
        }
    }

    @Test("SOS-14: an incident that cannot be read is shown without its causes, and hides no other")
    func unreadableView() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: account).status == .created)
            #expect(try await dispatcher.wait("select exists (select from incident where outcome = 'exercised')"))
            await dispatcher.stop()
            let id = try #require(
                try await dispatcher.database.queryOne("select id from incident where not is_exercise", as: UUID.self))
            try await dispatcher.database.batch([
                "update incident set details = 'x' where id = \(id)",
                "update incident_step set kind = 'of-tomorrow' where incident = \(id) and kind = 'opened'",
            ])
            let list = try await dispatcher.incidents(of: account)
            #expect(list.count == 2)
            #expect(list.map { $0["causes"] == nil } == list.map { $0["id"] == .string(id.description) })
            let one = try await dispatcher.call(.get, "/dispatcher/v1/incidents/\(id)", account: account)
            let kinds = try await dispatcher.json(one)["steps"]?.items.compactMap { $0["kind"]?.text } ?? []
            #expect(one.status == .ok && kinds.contains("confirmed") && !kinds.contains("of-tomorrow"))
            #expect(dispatcher.log.has("an incident's details cannot be read"))
        }
    }
}
