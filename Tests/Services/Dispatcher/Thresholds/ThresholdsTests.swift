import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// Limits of one's own: who may set which, what they change, and what is left of them.
@Suite struct ThresholdsTests {
    private let path = "/dispatcher/v1/me/thresholds"
    private let athlete = #"{"heart_rate": {"low": 34}, "doctor": {"name": "Dr. Anna Verdi", "register": "MI 12345"}}"#

    private func put(_ body: String, of account: UUID, _ dispatcher: TestDispatcher) async throws -> HTTPResponse {
        try await dispatcher.call(.put, path, account: account, body: body)
    }

    @Test("SOS-03b: limits that are set with a doctor are watched from then on, until they are removed")
    func life() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            #expect(try await put(athlete, of: account, dispatcher).status == .notFound)
            try await dispatcher.enrol(account)
            #expect(try await put(athlete, of: account, dispatcher).status == .ok)
            try await dispatcher.send([70, 36, 35, 36, 35], of: account, ago: .seconds(9))
            #expect(try await dispatcher.incidents(of: account).isEmpty)
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            #expect(shown["own"]?["doctor"]?["name"] == .string("Dr. Anna Verdi"))
            let inForce = shown["in_force"]?.items.first { $0["type"] == .string("heart-rate") }
            #expect(inForce?["set_by"] == .string("doctor") && inForce?["concerns"] == .string("ambulance"))
            #expect(try await dispatcher.call(.delete, path, account: account).status == .noContent)
            try await dispatcher.send([70, 36, 35, 36, 35], of: account)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            let told = try await dispatcher.wait {
                let templates = dispatcher.accounts.notices.map(\.template)
                return templates.contains("sos-thresholds-set") && templates.contains("sos-thresholds-removed")
            }
            #expect(told, "the person is told of each change")
        }
    }

    @Test("SOS-03c: an incident shows the limits that held, also after they were changed")
    func incident() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let body = #"{"heart_rate": {"low": 48}, "doctor": {"name": "Dr. Anna Verdi"}}"#
            #expect(try await put(body, of: account, dispatcher).status == .ok)
            try await dispatcher.send([70, 46, 45, 46, 45], of: account)
            _ = try await dispatcher.call(.delete, path, account: account)
            let cause = try #require(try await dispatcher.incidents(of: account).first?["causes"]?.items.first)
            #expect(cause["thresholds"]?["set_by"] == .string("doctor"))
            #expect(cause["thresholds"]?["doctor"] == .string("Dr. Anna Verdi"))
            #expect(cause["limit"] == .string("<= 48.0"))
        }
    }

    @Test(
        "SOS-03b: what is not safe, or has no doctor, is refused with a pointer",
        arguments: [
            (#"{"heart_rate": {"low": 34}}"#, "/doctor"),
            (#"{"heart_rate": {"low": 20}, "doctor": {"name": "V"}}"#, "/heart_rate/low"),
            (#"{"heart_rate": {"high": 250}, "doctor": {"name": "V"}}"#, "/heart_rate/high"),
            (#"{"glucose": {"low": 40}, "doctor": {"name": "V"}}"#, "/glucose/low"),
            (#"{"oxygen_saturation": {"low": 60}, "doctor": {"name": "V"}}"#, "/oxygen_saturation/low"),
            (#"{"oxygen_saturation": {"high": 99}, "doctor": {"name": "V"}}"#, "/oxygen_saturation/high"),
            (#"{"saturation_scale": 2}"#, "/doctor"),
            (#"{"saturation_scale": 3, "doctor": {"name": "V"}}"#, "/saturation_scale"),
            (
                #"{"saturation_scale": 2, "oxygen_saturation": {"low": 88}, "doctor": {"name": "V"}}"#,
                "/oxygen_saturation"
            ),
            (#"{"on_oxygen": true, "doctor": {"name": "V"}}"#, "/on_oxygen"),
            (#"{"doctor": {"name": ""}}"#, "/doctor/name"),
            (#"{"take_proposal": true, "glucose": {"low": 60}}"#, "/take_proposal"),
        ])
    func refused(_ body: String, _ pointer: String) async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let response = try await put(body, of: account, dispatcher)
            #expect(response.status == .unprocessableContent)
            let problem = try await dispatcher.json(response)
            #expect(problem["errors"]?.items.first?["pointer"] == .string(pointer))
        }
    }

    @Test("SOS-03b NFR-05d: limits and doctors are sealed, and gone with the enrolment")
    func sealed() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            _ = try await put(athlete, of: account, dispatcher)
            let rows = try await dispatcher.database.query(
                "select encode(own, 'escape') from thresholds", as: String.self)
            #expect(rows.count == 1 && !rows[0].contains("Verdi"))
            _ = try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account)
            let count = try await dispatcher.database.queryOne("select count(*) from thresholds", as: Int.self)
            #expect(count == 0)
            try await dispatcher.enrol(account)
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            #expect(shown["own"] == nil)
        }
    }

    @Test(
        "SOS-03b SOS-05: limits that cannot be read watch nobody less: those of the rule set hold, and the operator hears of it"
    )
    func unreadable() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            _ = try await put(athlete, of: account, dispatcher)
            try await dispatcher.database.execute("update thresholds set own = own || '\\x00'::bytea")
            try await dispatcher.send([70, 38, 38, 38, 38], of: account)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            #expect(dispatcher.log.lines.contains { $0.contains("personal thresholds cannot be read") })
        }
    }

    // MARK: Proposals

    /// A fortnight of readings each minute, in the windows that are asked for.
    private func ingestion(days: Int) -> LocalCaller {
        var router = RPCRouter()
        router.register(Ingestion.ReadGap.self, allow: ["dispatcher"]) { params, _ in
            let age = Timestamp.now() - params.receivedTo
            guard age < .seconds(86_400 * Int64(days)) else {
                return .init(uploads: [], next: .beginning, hasMore: false)
            }
            let minutes = Int((params.receivedTo - params.receivedFrom).seconds / 60)
            let offsets = (0..<minutes).map { Int64($0) * 60_000 }
            let values = (0..<minutes).map { Double(52 + $0 % 30) }
            let samples = Ingestion.LiveSamples(
                accountID: params.accountID, deviceID: watch, receivedAt: params.receivedTo, sentAt: params.receivedTo,
                series: [
                    SampleSeries(type: .heartRate, start: params.receivedFrom, offsets: offsets, values: values),
                    SampleSeries(
                        type: .oxygenSaturation, start: params.receivedFrom, offsets: offsets,
                        values: values.map { _ in 97 }),
                ])
            return .init(
                uploads: [.init(samples: samples, ageMilliseconds: age.milliseconds)], next: .beginning, hasMore: false)
        }
        return LocalCaller(router: router, as: "dispatcher")
    }

    @Test(
        "SOS-03b: a fortnight's history proposes limits beyond what was usual, inside of what is safe without a doctor")
    func proposal() async throws {
        let history = try #require(
            try await HistoryReader(ingestion: ingestion(days: 15)).read(.random(), at: .now()))
        let proposal = try #require(history.proposal())
        #expect(proposal.days >= ReadingHistory.daysMin)
        let heart = try #require(proposal.thresholds.heartRate)
        // 52 to 81, less and more twice the margin of 3; the upper end is not below what is safe.
        #expect(heart == .init(low: 46, high: 110))
        #expect(proposal.thresholds.oxygenSaturation == .init(low: 93))
        #expect(proposal.thresholds.respirationRate == nil && proposal.thresholds.origin == .proposal)
        #expect(proposal.basis.first?.median == 66)
        #expect(proposal.thresholds.doctor == nil)
    }

    @Test("SOS-03b: three days are too little for a proposal, and exercise is no rest")
    func tooLittle() async throws {
        let short = try #require(try await HistoryReader(ingestion: ingestion(days: 3)).read(.random(), at: .now()))
        #expect(short.proposal() == nil)
        var history = ReadingHistory()
        for day in 0..<14 {
            let begin = Double(day) * 86_400
            var seen = upload(
                beats(60, from: begin, through: begin + 600) + beats(150, from: begin + 700, through: begin + 900))
            seen.exercise = [time(begin + 690), time(begin + 800), time(begin + 900)]
            history.add(seen)
        }
        #expect(history.proposal()?.basis.first?.high == 60)
    }

    @Test("SOS-03b: a proposal is taken as it is, without a doctor, and only when there is one")
    func taking() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let none = try await put(#"{"take_proposal": true}"#, of: account, dispatcher)
            #expect(none.status == .conflict)
            // The neighbour is away: nothing of alarms depends on it.
            let away = try await dispatcher.call(.post, path + "/proposal", account: account)
            #expect(away.status == .serviceUnavailable)
            let proposal = ThresholdsProposal(
                thresholds: PersonalThresholds(heartRate: .init(low: 37, high: 120)), days: 14, basis: [])
            let store = dispatcher.capabilities.thresholdsRoutes.store
            #expect(try await store.propose(proposal, of: account, at: .now()))
            // It is given again for an hour, whoever is away.
            #expect(try await dispatcher.call(.post, path + "/proposal", account: account).status == .ok)
            let taken = try await put(#"{"take_proposal": true}"#, of: account, dispatcher)
            #expect(taken.status == .ok)
            let shown = try await dispatcher.json(taken)
            #expect(shown["own"]?["heart_rate"]?["low"] == .number(37) && shown["own"]?["doctor"] == nil)
            try await dispatcher.send([70, 38, 39, 38, 39], of: account)
            #expect(try await dispatcher.incidents(of: account).isEmpty)
        }
    }

    @Test("ACC-13 SOS-03b: own limits and the proposal are in the export")
    func export() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            _ = try await put(athlete, of: account, dispatcher)
            let caller = LocalCaller(router: dispatcher.assembled.rpc, as: "accounts")
            let counts = try await ExportPages.all { after in
                try await caller.call(
                    Dispatcher.Export.self, .init(accountID: account, kind: .individual, after: after))
            }
            #expect(counts.keys.contains("sos/thresholds.json"))
        }
    }

    // MARK: Enrolment

    @Test(
        "SOS-01 SOS-02d: the enrolment's answer says which signs are watched, and that shaking cannot be without a device that tells it"
    )
    func watches() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            func signs() async throws -> [String: JSONValue] {
                let shown = try await dispatcher.json(
                    try await dispatcher.call(.get, "/dispatcher/v1/enrolment", account: account))
                return Dictionary(
                    uniqueKeysWithValues: (shown["watches"]?.items ?? []).compactMap { sign in
                        sign["sign"]?.text.map { ($0, sign) }
                    })
            }
            let before = try await signs()
            #expect(before["shaking"]?["is_available"] == .bool(false))
            #expect(before["shaking"]?["missing"]?.text?.contains("25 Hz") == true)
            #expect(before["shaking"]?["concerns"] == .string("contacts"))
            #expect(before["heart-rate"]?["is_available"] == .bool(false))
            try await dispatcher.send([70, 71, 70], of: account)
            let now = Timestamp.now()
            let shaking = Ingestion.LiveSamples(
                accountID: account, deviceID: watch, receivedAt: now, sentAt: now,
                series: [
                    SampleSeries(type: .shakingFrequency, start: now, offsets: [0], values: [0.5]),
                    SampleSeries(type: .shakingAmplitude, start: now, offsets: [0], values: [0.02]),
                ])
            try await dispatcher.apply([try TestDispatcher.record(shaking, of: account)])
            let after = try await signs()
            #expect(after["shaking"]?["is_available"] == .bool(true) && after["shaking"]?["missing"] == nil)
            #expect(after["heart-rate"]?["is_available"] == .bool(true))
            #expect(after["glucose"]?["is_available"] == .bool(false))
        }
    }

    @Test("SOS-09c SOS-02d: what concerns the contacts alone opens no incident; they and the wearer are told")
    func contactsAlone() async throws {
        let setting = TestDispatcher.Setting(messageHooks: [(.sms, "sms")])
        try await TestDispatcher.with(setting: setting) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let now = Timestamp.now()
            let offsets = (0..<45).map { Int64($0 - 44) * 1000 }
            let shaking = Ingestion.LiveSamples(
                accountID: account, deviceID: watch, receivedAt: now, sentAt: now,
                series: [
                    SampleSeries(
                        type: .shakingFrequency, start: now, offsets: offsets,
                        values: (0..<45).map { 5.5 - Double($0) / 15 }),
                    SampleSeries(
                        type: .shakingAmplitude, start: now, offsets: offsets, values: offsets.map { _ in 0.8 }),
                ])
            try await dispatcher.apply([try TestDispatcher.record(shaking, of: account)])
            #expect(try await dispatcher.incidents(of: account).isEmpty)
            let told = try await dispatcher.wait {
                dispatcher.accounts.notices.contains { $0.template == "contacts-told" }
            }
            #expect(told)
            let messages = await dispatcher.messageHooks[0].desk.wait { messages in
                messages.contains { (try? $0.json["message"]?["event"]?.text) == "rule" }
            }
            #expect(try messages.contains { try $0.json["message"]?["event"] == .string("rule") })
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
        }
    }
}
