import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Dispatcher

@Suite struct ManualCallTests {
    /// Of the person's own device.
    private func device(
        _ method: HTTPMethod, _ path: String, of account: UUID, scopes: [String] = ["upload", "sos"], body: String = "",
        _ dispatcher: TestDispatcher
    ) async throws -> HTTPResponse {
        let token = try dispatcher.tokens.token(
            .device, account: account, scopes: scopes, client: UUID.random().description)
        return try await dispatcher.call(
            method, "/dispatcher/v1/device/\(path)", fields: ["Authorization": "Bearer \(token)"], body: body)
    }

    private func press(
        _ id: UUID = .random(), of account: UUID, place: String = "", _ dispatcher: TestDispatcher
    ) async throws -> HTTPResponse {
        try await device(.post, "sos", of: account, body: #"{"id": "\#(id)"\#(place)}"#, dispatcher)
    }

    private func incident(_ answer: HTTPResponse, _ dispatcher: TestDispatcher) async throws -> String? {
        try await dispatcher.json(answer)["incident"]?.text
    }

    private let place = #", "position": {"latitude": 45.07, "longitude": 7.69, "accuracy_m": 9}, "battery": 3"#

    @Test(
        "SOS-12a: a device raises an SOS by its own token: an ambulance service is called at once, told where, and that it is by hand"
    )
    func device() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: #", "abort_window_s": 60"#)
            try await dispatcher.send([70, 71], of: account)
            let id = UUID.random()
            let answer = try await press(id, of: account, place: place, dispatcher)
            #expect(answer.status == .created)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            let (told, position) = (try call.json["incident"], try call.json["position"])
            #expect(told?["trigger"] == .string("manual") && told?["mode"] == .string("actual"))
            #expect(told?["causes"]?.items.isEmpty == true && told?["sos_pressed"] != nil)
            #expect(position?["latitude"]?.double == 45.07 && position?["is_current"] == .bool(true))
            #expect(try call.json["vitals"]?.items.isEmpty == false)
            // The answer may have been lost on the way: one press is one emergency.
            let again = try await press(id, of: account, dispatcher)
            #expect(try await incident(again, dispatcher) == incident(answer, dispatcher))
            #expect(try await dispatcher.incidents(of: account).count == 1)
            let shown = try #require(try await dispatcher.incidents(of: account).first)
            #expect(shown["trigger"] == .string("manual"))
            let isTold = try await dispatcher.wait {
                dispatcher.accounts.notices.contains { $0.template == "incident-manual" }
            }
            #expect(isTold)
        }
    }

    @Test("SOS-12a: the person does the same, also while watching is paused")
    func person() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let path = "/dispatcher/v1/sos"
            let body = #"{"id": "\#(UUID.random())"}"#
            let stranger = try await dispatcher.call(.post, path, account: account, body: body)
            #expect(stranger.status == .notFound)
            #expect(try await dispatcher.json(stranger)["detail"]?.text?.contains("112") == true)
            try await dispatcher.enrol(account)
            let paused = try await dispatcher.call(
                .put, "/dispatcher/v1/enrolment/pause", account: account, body: #"{"minutes": 5}"#)
            #expect(paused.status == .ok)
            #expect(try await dispatcher.call(.post, path, account: account, body: body).status == .created)
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
        }
    }

    @Test(
        "SOS-12a: a position that cannot be is left out, and help is called all the same",
        arguments: [#"{"latitude": 91, "longitude": 9}"#, #"{"latitude": 45, "longitude": 9, "accuracy_m": -1}"#])
    func strangePlace(_ place: String) async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let answer = try await press(of: account, place: #", "position": \#(place)"#, dispatcher)
            #expect(answer.status == .created)
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
        }
    }

    @Test("SOS-12a NFR-05: a device without the scope, and anybody else's, neither raises nor calls off")
    func scopes() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, stranger) = (UUID.random(), UUID.random())
            for one in [account, stranger] { try await dispatcher.enrol(one) }
            let id = try #require(try await incident(try await press(of: account, dispatcher), dispatcher))
            let path = "incidents/\(id)/false-alarm"
            let scoped = try await device(.post, path, of: account, scopes: ["upload"], dispatcher)
            #expect(scoped.status == .forbidden)
            #expect(try await dispatcher.json(scoped)["code"] == .string("insufficient-scope"))
            #expect(try await device(.post, path, of: stranger, dispatcher).status == .notFound)
            #expect(try await device(.get, "state", of: account, scopes: ["upload"], dispatcher).status == .forbidden)
            #expect(try await dispatcher.incidents(of: account).first?["state"] != .string("closed"))
        }
    }

    @Test(
        "SOS-08abc: a device calls off before the hand-over, and afterwards with a cancellation; it sees how its wearer stands"
    )
    func callOff() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (early, late) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(early, more: #", "abort_window_s": 60"#)
            try await dispatcher.enrol(late)
            try await dispatcher.send(critical, of: early)
            let state = try await dispatcher.json(try await device(.get, "state", of: early, dispatcher))
            #expect(state["state"] == .string("countdown"))
            #expect((1...60_000).contains(state["call_in_ms"]?.integer ?? 0) && state["calls_at"] != nil)
            let first = try #require(state["incident"]?.text)
            let off = try await device(.post, "incidents/\(first)/false-alarm", of: early, dispatcher)
            #expect(off.status == .ok)
            #expect(try await dispatcher.incidents(of: early).first?["outcome"] == .string("suppressed"))
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)

            try await dispatcher.send(critical, of: late)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            let path = "incidents/\(call.id.prefix(36))/false-alarm"
            for _ in 0..<2 { #expect(try await device(.post, path, of: late, dispatcher).status == .ok) }
            let calls = await dispatcher.hooks[0].desk.wait { $0.contains { $0.sequence > 1 } }
            #expect(try calls.last?.json["incident"]?["reason"] == .string("false-alarm"))
            let history = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/incidents/\(call.id.prefix(36))", account: late))
            let step = history["steps"]?.items.first { $0["kind"] == .string("false-alarm") }
            #expect(step?["detail"] == .string("device"))
        }
    }

    @Test("SOS-12a SOS-08d: a press during the abort window ends it; further ones are no other emergency")
    func duringCountdown() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: #", "abort_window_s": 60"#)
            try await dispatcher.send(critical, of: account)
            let open = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
            for _ in 0..<3 {
                #expect(try await incident(try await press(of: account, dispatcher), dispatcher) == open)
            }
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(try call.json["incident"]?["trigger"] == .string("vital-signs"))
            #expect(try call.json["incident"]?["sos_pressed"] != nil)
            let updates = try await dispatcher.database.queryOne(
                "select count(*) from incident_step where kind = 'updated' and detail = 'manual'", as: Int.self)
            #expect(updates == 1)
        }
    }

    @Test("SOS-12a SOS-08b: a press of an emergency that has been called off is no other one when it is sent again")
    func sentAgain() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, id) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let open = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
            #expect(try await incident(try await press(id, of: account, dispatcher), dispatcher) == open)
            let off = try await device(.post, "incidents/\(open)/false-alarm", of: account, dispatcher)
            #expect(off.status == .ok)
            #expect(try await incident(try await press(id, of: account, dispatcher), dispatcher) == open)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            // Another one is.
            #expect(try await incident(try await press(of: account, dispatcher), dispatcher) != open)
        }
    }

    private let enrolment = EnrolmentDetails(
        birthDate: CalendarDate(year: 1950, month: 3, day: 14)!, callbackPhone: PhoneNumber("+39021234567")!,
        contacts: [], conditions: [], medication: [], languages: ["it"], abortWindowSeconds: 0)

    @Test(
        "SOS-12a SOS-08b: a press that the database takes late counts from when the button was pressed: who said since that all is well has said so of it"
    )
    func takenLate() {
        let details = IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: enrolment)
        for (second, verdict) in [(5.0, IncidentVerdict.outdated), (10, .done)] {
            var record = IncidentRecord(
                id: .random(), account: .random(), openedAt: start, incident: Incident(), details: details,
                revision: 1, fence: 1, age: age(20))
            let press = IncidentStore.Press(
                make: { _, _, _ in throw IncidentFault.unreadable },
                update: { time, _, details in details.manual = ManualCall(at: time, by: .device) },
                time: { now in now - .seconds(12) }, isWanted: { true })
            #expect(press.tell(&record, as: .random(), hooks: [], HandOverTimes(), at: time(20)) == true)
            #expect(record.details?.manual?.at == time(8))
            #expect(record.apply(.calledOff, at: age(second)) == verdict)
        }
    }

    @Test("SOS-12a SOS-06: where a press is not told anew, neither is a place noted as told")
    func quietPress() {
        func fix(_ latitude: Double) -> StoredFix {
            StoredFix(
                PositionFix(time: start, coordinate: Coordinate(latitude: latitude, longitude: 9)!, accuracy: nil))
        }
        let told = IncidentDetails(findings: [], fixes: [fix(45)], vitals: [], enrolment: enrolment)
        for isNews in [true, false] {
            var details = told
            details.press(isNews: isNews) {
                $0.manual = ManualCall(at: start, by: .device)
                $0.fixes = [fix(46)]
            }
            #expect(details.manual != nil && details.fixes == [fix(isNews ? 46 : 45)])
        }
    }

    @Test("SOS-07c: presses at the same moment, and an emergency that is found then, are one incident")
    func together() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await incident(try await press(of: account, dispatcher), dispatcher) }
                }
                group.addTask {
                    try await dispatcher.send(critical, of: account)
                    return nil
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            let incidents = try await dispatcher.incidents(of: account)
            #expect(incidents.count == 1)
            #expect(Set(answers.compactMap(\.self)) == [incidents.first?["id"]?.text])
        }
    }

    @Test("SOS-12a: no number of presses is refused; the operator is told of somebody who presses again and again")
    func often() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            for _ in 0..<IncidentStore.callsNotableMin {
                let id = try #require(try await incident(try await press(of: account, dispatcher), dispatcher))
                let off = try await device(.post, "incidents/\(id)/false-alarm", of: account, dispatcher)
                #expect(off.status == .ok)
            }
            #expect(dispatcher.log.has("somebody calls for help again and again"))
            #expect(try await press(of: account, dispatcher).status == .created)
        }
    }
}
