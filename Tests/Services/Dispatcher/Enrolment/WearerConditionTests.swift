import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

@Suite struct WearerConditionTests {
    private static let path = "/dispatcher/v1/enrolment"
    private static let form =
        #"{"clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567"}"#

    /// The problem of a refused enrolment.
    private func refused(
        _ dispatcher: TestDispatcher, _ account: UUID = .random(), body: String = form
    ) async throws -> (status: HTTPStatus, code: String?, detail: String) {
        let answer = try await dispatcher.call(.put, Self.path, account: account, body: body)
        let problem = try await dispatcher.json(answer)
        let rows = try await dispatcher.database.queryOne("select count(*) from enrolment", as: Int.self)
        #expect(rows == 0, "nothing is stored of who is refused")
        return (answer.status, problem["code"]?.text, problem["detail"]?.text ?? "")
    }

    @Test("SOS-01a: who does not grant emergency calls is not enrolled, and is told what to send")
    func grant() async throws {
        try await TestDispatcher.with { dispatcher in
            for grant in ["", #""grants_emergency_calls": false,"#] {
                let body = #"{"clauses_version": "2026-01", \#(grant) "callback_phone": "+39 02 1234567"}"#
                let refusal = try await refused(dispatcher, body: body)
                #expect(refusal.status == .unprocessableContent && refusal.code == "emergency-calls-not-granted")
                #expect(refusal.detail.contains("send true"))
            }
        }
    }

    @Test("SOS-01a: the accepted clauses are kept with their version and time, which a change of other things leaves")
    func clauses() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let first = try await dispatcher.json(try await dispatcher.call(.get, Self.path, account: account))
            #expect(first["clauses_version"] == .string("2026-01") && first["clauses_in_force"] == .string("2026-01"))
            #expect(first["grants_emergency_calls"] == .bool(true))
            let again = try await dispatcher.call(.put, Self.path, account: account, body: Self.form)
            #expect(try await dispatcher.json(again)["clauses_accepted_at"] == first["clauses_accepted_at"])
            // Who has accepted an older version is watched all the same, and accepts the one in force with the next change.
            try await dispatcher.database.execute("update enrolment set clauses_version = '2020-01'")
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            let changed = try await dispatcher.json(
                try await dispatcher.call(.put, Self.path, account: account, body: Self.form))
            #expect(changed["clauses_version"] == .string("2026-01"))
            #expect(changed["clauses_accepted_at"] != first["clauses_accepted_at"])
        }
    }

    @Test(
        "SOS-01a: who has no device for a vital sign or the position, or lets neither be collected, is told what to do",
        arguments: [
            ([DataType](), true, true, "device-missing", "a vital sign, as the heart rate, or the position"),
            ([.position, .steps], true, true, "device-missing", "a vital sign"),
            ([.heartRate], true, true, "device-missing", "the position"),
            ([.heartRate, .position], false, true, "collection-off", "your health data"),
            ([.oxygenSaturation, .position], true, false, "collection-off", "your position"),
        ])
    func devices(
        _ types: [DataType], _ collectsHealth: Bool, _ collectsPosition: Bool, _ code: String, _ words: String
    ) async throws {
        try await TestDispatcher.with { dispatcher in
            dispatcher.accounts.state.withLock {
                $0.wearer = .init(
                    identity: TestDispatcher.identity, deviceTypes: types, collectsHealth: collectsHealth,
                    collectsPosition: collectsPosition)
            }
            let refusal = try await refused(dispatcher)
            #expect(refusal.status == .conflict && refusal.code == code)
            #expect(refusal.detail.contains(words) && refusal.detail.contains("enrol then"))
        }
    }

    @Test("SOS-01a: a change of the enrolment is taken while the device is being mended")
    func changeWithoutDevice() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            dispatcher.accounts.state.withLock { $0.wearer.deviceTypes = [] }
            #expect(try await dispatcher.call(.put, Self.path, account: account, body: Self.form).status == .ok)
            #expect(try await dispatcher.call(.delete, Self.path, account: account).status == .noContent)
            #expect(try await refused(dispatcher, body: Self.form, enrolled: account) == "device-missing")
        }
    }

    private func refused(_ dispatcher: TestDispatcher, body: String, enrolled: UUID) async throws -> String? {
        let answer = try await dispatcher.call(.put, Self.path, account: enrolled, body: body)
        return try await dispatcher.json(answer)["code"]?.text
    }

    @Test("SOS-01bc: from 65 at once, younger people too, with a medical reason or without")
    func anyAge() async throws {
        try await TestDispatcher.with { dispatcher in
            for (year, more) in [(1950, ""), (1999, ""), (1999, #", "medical_reason": "epilepsy""#)] {
                let birth = try #require(CalendarDate(year: year, month: 2, day: 28))
                dispatcher.accounts.state.withLock { $0.wearer.identity.birthDate = birth }
                try await dispatcher.enrol(.random(), more: more)
            }
        }
    }

    @Test("SOS-01d: a deployment takes people from an age on, and tells others from when they may enrol")
    func ageMin() async throws {
        try await TestDispatcher.with(setting: .init(ageMin: 65)) { dispatcher in
            let today = Timestamp.now().dateUTC
            let (year, _, _) = today.components
            let old = try #require(CalendarDate(year: year - 66, month: 1, day: 1))
            dispatcher.accounts.state.withLock { $0.wearer.identity.birthDate = old }
            let account = UUID.random()
            try await dispatcher.enrol(account)
            // Who is enrolled stays so, whatever the deployment's rule says later.
            let young = try #require(CalendarDate(year: year - 40, month: 6, day: 15))
            dispatcher.accounts.state.withLock { $0.wearer.identity.birthDate = young }
            #expect(try await dispatcher.call(.put, Self.path, account: account, body: Self.form).status == .ok)
            let answer = try await dispatcher.call(
                .put, Self.path, account: .random(),
                body: Self.form.replacing("}", with: #", "medical_reason": "epilepsy"}"#))
            let problem = try await dispatcher.json(answer)
            #expect(answer.status == .forbidden && problem["code"] == .string("too-young"))
            #expect(problem["detail"]?.text?.contains("\(year + 25)-06-15") == true)
        }
    }

    @Test(
        "SOS-01b: the day of the birthday counts, also of who was born on 29 February",
        arguments: [
            ("1961-11-20", "2026-11-20", true), ("1961-11-21", "2026-11-20", false),
            ("1960-02-29", "2025-02-28", false), ("1960-02-29", "2025-03-01", true),
        ])
    func birthday(_ birth: String, _ day: String, _ isTaken: Bool) throws {
        var wearer = Accounts.Wearer.Result(identity: TestDispatcher.identity, deviceTypes: [.heartRate, .position])
        wearer.identity.birthDate = try #require(CalendarDate(birth))
        let conditions = WearerConditions(ageMin: 65)
        let today = try #require(CalendarDate(day))
        if isTaken {
            try conditions.check(wearer, on: today)
        } else {
            let problem = #expect(throws: Problem.self) { try conditions.check(wearer, on: today) }
            #expect(problem?.code == "too-young")
        }
    }

    @Test("SOS-01d: the deployment's age is checked with its configuration")
    func settings() throws {
        for (age, isValid) in [(nil, true), (0, true), (65, true), (-1, false), (121, false)] as [(Int?, Bool)] {
            let settings = DispatcherSettings(keystore: try .given(schema: "x"), hooksFile: "x", enrolmentAgeMin: age)
            var failure: (any Error)?
            do { try settings.check() } catch { failure = error }
            #expect((failure == nil) == isValid, "\(String(describing: age))")
        }
    }
}
