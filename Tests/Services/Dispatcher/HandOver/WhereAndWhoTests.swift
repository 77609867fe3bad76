import Contracts
import Domain
import HTTP
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import Dispatcher

/// Which ambulance service is told of a place, and what leaves before somebody has to come.
@Suite struct WhereAndWhoTests {
    private static let home = #", "address": {"street": "Via Roma 1", "postal_code": "10121", "city": "Torino"}"#

    /// Ten kilometres around a place.
    private static func around(_ latitude: Double, _ longitude: Double) throws -> ServiceArea {
        let text = """
            {"circle": {"center": {"latitude": \(latitude), "longitude": \(longitude)}, "radius_m": 10000}}
            """
        return .shape(try JSONDecoder().decode(Area.self, from: Array(text.utf8)))
    }

    private static func hook(_ hook: FakeHook, in area: ServiceArea?) -> Hook {
        let known = hook.hook
        return Hook(
            name: known.name, url: known.url, secrets: known.secrets, area: area, allowsPrivate: known.allowsPrivate)
    }

    /// An upload of heart rates alone, the last just now.
    private static func sendWithoutPosition(
        _ values: [Double], of account: UUID, to dispatcher: TestDispatcher
    ) async throws {
        var live = TestDispatcher.live(values, of: account)
        live.series.removeAll { $0.type == .position }
        try await dispatcher.apply([try TestDispatcher.record(live, of: account)])
    }

    @Test("SOS-06cd: the services of the area of the position are called, in the order configured, with words to speak")
    func area() async throws {
        try await TestDispatcher.with(hooks: ["turin", "milan", "milan-too", "rome"]) { dispatcher in
            let all = dispatcher.hooks
            let (turin, milan) = (try Self.around(45.07, 7.69), try Self.around(45.46, 9.19))
            dispatcher.capabilities.people.hooks.replace([
                Self.hook(all[0], in: turin), Self.hook(all[1], in: milan), Self.hook(all[2], in: milan),
                Self.hook(all[3], in: try Self.around(41.9, 12.5)),
            ])
            all[1].desk.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let second = try #require(await all[2].desk.wait { !$0.isEmpty }.first)
            let first = try #require(all[1].desk.calls.first)
            #expect(first.at < second.at)
            #expect(all[0].desk.calls.isEmpty && all[3].desk.calls.isEmpty)
            // What a hook that places calls reads out.
            let words = try first.json["speech"]?.items ?? []
            #expect(words.map { $0["language"]?.text } == ["it", "en"])
            #expect(words.allSatisfy { $0["text"]?.text?.contains("latitud") == true })
        }
    }

    @Test(
        "SOS-10: without a current position the last known one is sent, marked so, with its time; the home is named first"
    )
    func lastPosition() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: Self.home)
            try await dispatcher.send([70, 71, 70], of: account, ago: .seconds(90))
            try await Self.sendWithoutPosition(critical, of: account, to: dispatcher)
            let call = try #require(await dispatcher.hooks[0].desk.wait { !$0.isEmpty }.first)
            let message = try call.json
            #expect(message["position"]?["is_current"] == .bool(false))
            #expect(message["position"]?["latitude"] == .number(45.4642))
            let fixed = try #require(message["position"]?["time"]?.text.flatMap { Timestamp($0) })
            #expect(Timestamp.now() - fixed > IncidentMessage.positionCurrentMax)
            #expect(message["home"]?["is_fallback"] == .bool(true))
        }
    }

    @Test("SOS-10: without any position the emergency is handed over all the same, with where the person lives")
    func noPosition() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: Self.home)
            try await Self.sendWithoutPosition(critical, of: account, to: dispatcher)
            let message = try #require(await dispatcher.hooks[0].desk.wait { !$0.isEmpty }.first).json
            #expect(message["position"] == nil)
            #expect(message["home"]?["is_fallback"] == .bool(true))
            #expect(message["person"]?["callback_phone"] == .string("+39021234567"))
        }
    }

    @Test("SOS-06e: neither who nor where leaves while somebody is watched, alerted, or may still call it off")
    func nothingBefore() async throws {
        let setting = TestDispatcher.Setting(messageHooks: [(.sms, "sms")])
        try await TestDispatcher.with(setting: setting) { dispatcher in
            let (account, other) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(account, more: #", "abort_window_s": 60"#)
            try await dispatcher.send([70, 71, 38], of: account, ago: .seconds(8))
            try await dispatcher.send(critical, of: account)
            let incident = try #require(try await dispatcher.incidents(of: account).first)
            #expect(incident["state"] == .string("confirmed"))
            await dispatcher.capabilities.probes.round()
            let id = try #require(incident["id"]?.text)
            let calledOff = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(id)/false-alarm", account: account)
            #expect(calledOff.status == .ok)

            // Somebody else's emergency shows that what is due is sent.
            try await dispatcher.enrol(other)
            try await dispatcher.send(critical, of: other)
            let desk = dispatcher.hooks[0].desk
            #expect(await desk.wait { !$0.isEmpty }.allSatisfy { !$0.id.hasPrefix(id) })
            let question = await dispatcher.messageHooks[0].desk.wait { !$0.isEmpty }
            #expect(!question.isEmpty)
            let person = [TestDispatcher.fiscalCode.description, "+39021234567", "Bianchi"]
            for probe in desk.probes {
                let text = String(decoding: probe.body, as: UTF8.self)
                #expect(!person.contains { text.contains($0) } && !text.contains("45.46"))
            }
            // The contact was asked, which is no emergency: neither a place nor a measurement.
            for asked in question where ContactTests.event(asked) == "question" {
                let text = String(decoding: asked.body, as: UTF8.self)
                #expect(!text.contains("45.46") && !text.contains("45,46") && !text.contains(person[0]))
            }
        }
    }
}
