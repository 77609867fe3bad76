import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service
import SuiteClient
import Synchronization
import Testing

@testable import Dispatcher

/// The conformance kit against receivers that are right, and against each that is wrong in one way.
@Suite struct ConformanceTests {
    private typealias Mistake = WrongReceiver.Mistake

    private static func settings(_ url: HTTPURL?, _ secrets: [WebhookSecret]) -> ConformanceSettings {
        var settings = ConformanceSettings(url: url, secrets: secrets)
        settings.times.answerMax = .seconds(2)
        settings.times.acceptanceMax = .seconds(20)
        settings.times.repeatMax = .seconds(20)
        settings.times.quiet = .milliseconds(300)
        settings.times.slowBody = .milliseconds(200)
        return settings
    }

    private final class Lines: Sendable {
        let all = Mutex<[JSONObject]>([])
        func add(_ line: JSONObject) { all.withLock { $0.append(line) } }
        func count(_ event: String) -> Int { all.withLock { $0.count { $0["event"] == .string(event) } } }
    }

    @Test(
        "SOS-06 SOS-07b SOS-13a: the reference receiver does all that the conformance kit asks, in both forms",
        arguments: [Hook.Form.json, .cap])
    func reference(form: Hook.Form) async throws {
        let secret = WebhookSecret.random()
        try await EventLoopGroup.withLoops(2) { loops in
            let lines = Lines()
            var own = ReferenceReceiver.Settings(secrets: [secret])
            own.tellsProgress = true
            own.pauses = [.milliseconds(50)]
            let receiver = try await ReferenceReceiver.start(
                at: Endpoint(host: "127.0.0.1", port: 0), own, loops: loops
            ) { lines.add($0) }
            var settings = Self.settings(HTTPURL("http://127.0.0.1:\(receiver.port)/incidents"), [secret])
            settings.form = form
            let said = Mutex<[String]>([])
            let report = try await ConformanceKit.run(settings, on: loops) { line in said.withLock { $0.append(line) } }
            await receiver.stop()
            #expect(report.failures.isEmpty, "\(said.withLock { $0 })")
            #expect(report.skipped.map(\.tried) == (form == .cap ? [.words] : []))
            #expect(report.passed.count + report.skipped.count == ConformanceCase.allCases.count)
            let mayCome: Set<ConformanceAnswer> = [.acceptance, .received, .dispatched, .arrivalExpected]
            #expect(report.seen == mayCome, "\(report.answers)")
            #expect(
                report.answers == [
                    "Answers that came: acceptance, status received, status dispatched, status arrival-expected.",
                    "Answers that did not come, and were not tried: rejection with a reason, resolution, status on-scene.",
                ])
            // Another service has it: that somebody has seen it is no reason for a 409.
            #expect(lines.count("received-refused") == 0 && lines.count("accepted-refused") > 0)
            #expect(lines.count("accepted") > 0 && lines.count("arrival-expected") > 0 && lines.count("cancel") > 0)
        }
    }

    @Test("SOS-13a: the reference receiver rejects with a reason, waits, and answers what waits when it is told")
    func answers() async throws {
        let secret = WebhookSecret.random()
        try await EventLoopGroup.withLoops(2) { loops in
            let lines = Lines()
            var own = ReferenceReceiver.Settings(secrets: [secret])
            own.answer = .wait
            own.closesAfter = .milliseconds(20)
            let receiver = try await ReferenceReceiver.start(
                at: Endpoint(host: "127.0.0.1", port: 0), own, loops: loops
            ) { lines.add($0) }
            var settings = Self.settings(HTTPURL("http://127.0.0.1:\(receiver.port)/incidents"), [secret])
            settings.cases = [.alert]
            let listener = ConformanceListener(hook: settings.hook, secrets: [secret])
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: listener.router, loops: loops)
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: loops.loops[0], configuration: configuration)
            let target = ConformanceTarget(
                url: settings.url!, secrets: [secret], contentType: "application/json", answerMax: .seconds(5),
                client: client, tls: nil)
            let first = ConformanceIncident(settings, baseURL: "http://127.0.0.1:\(server.port)")
            let second = ConformanceIncident(settings, baseURL: "http://127.0.0.1:\(server.port)")
            for incident in [first, second] { listener.expect(incident) }
            #expect(await target.send(target.call(first.webhookID(1), try first.body())).isReceived)
            #expect(listener.calls.isEmpty)
            receiver.answerAll(.accept)
            let kinds: @Sendable (ConformanceIncident) -> [String] = { one in
                listener.calls(about: one.id).filter(\.faults.isEmpty).map(\.kind)
            }
            #expect(await listener.wait(.seconds(20)) { _ in kinds(first) == ["acceptance", "resolution"] })
            #expect(await target.send(target.call(second.webhookID(1), try second.body())).isReceived)
            receiver.answerAll(.reject(reason: "no-vehicle"))
            #expect(await listener.wait(.seconds(20)) { _ in kinds(second) == ["rejection"] })
            let body = String(decoding: listener.calls(about: second.id)[0].body, as: UTF8.self)
            #expect(body.contains(#""reason":"no-vehicle""#))
            await receiver.stop()
            client.close()
            await server.shutdown(grace: .zero)
        }
    }

    @Test("SOS-13a: an answer came when nothing is wrong with it; a rejection, when its reason is known")
    func seen() {
        func answer(_ kind: String, _ body: String, _ faults: [String] = []) -> ConformanceAnswer? {
            ConformanceAnswer(
                ConformanceListener.Call(
                    incident: .random(), kind: kind, id: "msg_1", body: Array(body.utf8), faults: faults, answer: 200))
        }
        #expect(answer("acceptance", "{}") == .acceptance && answer("acceptance", "{}", ["It is wrong."]) == nil)
        #expect(answer("rejection", #"{"reason": "no-vehicle"}"#) == .rejection)
        #expect(answer("rejection", "{}") == nil && answer("rejection", #"{"reason": "of-tomorrow"}"#) == nil)
        #expect(answer("resolution", "{}") == .resolution && answer("dance", "{}") == nil)
        for (word, status) in [
            ("received", ConformanceAnswer.received), ("dispatched", .dispatched), ("on-scene", .onScene),
            ("arrival-expected", .arrivalExpected),
        ] { #expect(answer("status", #"{"status": "\#(word)"}"#) == status) }
        #expect(answer("status", "{}") == nil)
    }

    /// The case that has to find each mistake.
    private static let found: [(Mistake, ConformanceCase)] = [
        (.refusesProbes, .probe), (.answersLate, .alert), (.answersErrors, .alert), (.refusesRepeats, .alert),
        (.refusesUnknownIncidents, .unknown), (.refusesCancellations, .cancel), (.refusesResolved, .resolved),
        (.refusesExercises, .exercise), (.needsPosition, .sparse), (.refusesNewMembers, .words),
        (.refusesNewWords, .words), (.refusesLarge, .large), (.takesOneSignature, .secrets),
        (.looksAtNoSignature, .signature), (.looksAtNoBody, .body), (.looksAtNoTime, .age), (.takesUnsigned, .unsigned),
        (.takesGarbage, .garbage), (.takesOneAtATime, .slow), (.takesFew, .many), (.acceptsNothing, .acceptance),
        (.acceptsTwice, .twice), (.sendsOnce, .again), (.sendsUnderNewIDs, .again), (.insists, .refused),
        (.signsWrongly, .callbacks), (.signsForLongAgo, .callbacks), (.forgetsToken, .callbacks),
        (.namesOtherHook, .callbacks), (.saysOtherDecision, .callbacks), (.decidesLater, .callbacks),
        (.decidesAnew, .again), (.decidesSometimes, .callbacks), (.dispatchesFirst, .callbacks),
        (.rejectsOddly, .callbacks), (.sendsText, .callbacks), (.givesUpUnauthorized, .unauthorized),
        (.refusesHomes, .whole), (.needsCurrentPosition, .stale), (.refusesReasons, .reasons),
        (.needsVersionOne, .words), (.dropsUpdates, .lost), (.actsOnOldAlerts, .over), (.acceptsCancellations, .over),
        (.acceptsEnds, .over), (.isCancelledForEver, .neededAgain),
    ]

    /// How long is waited for what never comes.
    private static let never = Duration.milliseconds(500)

    @Test("SOS-06 SOS-07b SOS-13a: each mistake of a receiver is found, in words, by the case that is for it")
    func mistakes() async throws {
        #expect(Set(Self.found.map(\.0)) == Set(Mistake.allCases))
        let secret = WebhookSecret.random()
        for (mistake, tried) in Self.found {
            try await EventLoopGroup.withLoops(2) { loops in
                try await WrongReceiver.with(mistake, secret: secret, on: loops) { url in
                    var settings = Self.settings(url, [secret])
                    settings.times.answerMax = mistake == .answersLate ? .milliseconds(300) : .seconds(5)
                    let isSilent = [.acceptsNothing, .dropsUpdates, .isCancelledForEver].contains(mistake)
                    settings.times.acceptanceMax = isSilent ? Self.never : .seconds(20)
                    let givesUp = mistake == .sendsOnce || mistake == .givesUpUnauthorized
                    settings.times.repeatMax = givesUp ? Self.never : .seconds(20)
                    // Ends as soon as what is waited for comes.
                    if tried == .over || tried == .neededAgain { settings.times.quiet = .seconds(20) }
                    settings.cases = [tried]
                    if tried == .twice || tried == .callbacks { settings.cases.insert(.acceptance, at: 0) }
                    let report = try await ConformanceKit.run(settings, on: loops) { _ in }
                    let faults = report.faults(of: tried)
                    #expect(!faults.isEmpty, "\(mistake) was not found")
                    #expect(faults.allSatisfy { $0.utf8.count > 40 }, "\(faults)")
                }
            }
        }
    }

    @Test("SOS-06: a receiver that is not there is told, and nothing else is said of it")
    func away() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            var settings = Self.settings(HTTPURL("http://127.0.0.1:1/"), [.random()])
            settings.times.acceptanceMax = .zero
            let said = Mutex<[String]>([])
            let report = try await ConformanceKit.run(settings, on: loops) { line in said.withLock { $0.append(line) } }
            #expect(report.faults(of: .probe).first?.contains("could not be reached") == true)
            #expect(report.skipped.map(\.tried) == ConformanceCase.allCases.filter { $0 != .probe })
            #expect(said.withLock { $0.count } == 2 && report.closing.isEmpty)
        }
    }

    @Test(
        "SOS-13a: what cannot be tried, since the call backs are wrong, is said to be so, and not blamed on something else"
    )
    func notTried() async throws {
        let secret = WebhookSecret.random()
        try await EventLoopGroup.withLoops(2) { loops in
            try await WrongReceiver.with(.saysOtherDecision, secret: secret, on: loops) { url in
                var settings = Self.settings(url, [secret])
                settings.cases = [.again, .unauthorized, .refused, .callbacks]
                let report = try await ConformanceKit.run(settings, on: loops) { _ in }
                #expect(report.failures.map(\.tried) == [.callbacks])
                #expect(report.skipped.map(\.tried) == [.again, .unauthorized, .refused])
                #expect(report.skipped.allSatisfy { $0.reason.hasPrefix("the call backs are wrong: A call back") })
                settings.cases = [.again]
                let alone = try await ConformanceKit.run(settings, on: loops) { _ in }
                #expect(alone.failures.map(\.tried) == [.again])
            }
        }
    }

    @Test("SOS-06: what is told twice is told in short; the last lines say what no program can see")
    func lines() {
        var report = ConformanceReport()
        let first = report.add(.alert, ["An alert was answered 500.", "An alert was answered 500.", "Another."])
        #expect(
            first.split(separator: "\n").dropFirst().map { $0.trimmingPrefix(while: \.isWhitespace) } == [
                "An alert was answered 500. (2 times)", "Another.",
            ])
        let second = report.add(.update, ["An alert was answered 500."])
        #expect(second.hasSuffix("\n        The same as in alert."))
        #expect(report.faults(of: .update) == ["An alert was answered 500."])
        #expect(report.closing.joined().contains("outlives a restart") && report.closing.count == 4)
        let answers: [ConformanceTarget.Answer] = [.status(500), .none("was not answered within 3 s")]
        #expect(
            answers.map { "A probe \($0.words)." } == [
                "A probe was answered 500.", "A probe was not answered within 3 s.",
            ])
    }

    @Test(
        "SOS-12b SOS-10: messages of the kit say all that there may be, and each that it is an exercise, first of all")
    func contents() throws {
        let settings = ConformanceSettings(url: nil, secrets: [.random()])
        func message(_ content: ConformanceIncident.Content) throws -> JSONValue {
            let incident = ConformanceIncident(settings, baseURL: "https://trackme.example.org", content)
            return try JSONDecoder().decode(JSONValue.self, from: try incident.body())
        }
        let whole = try message(.whole)
        #expect(whole["person"]?["name"] == "Rosa" && whole["person"]?["fiscal_code"] == "PRVRSO50C54F205Y")
        #expect(whole["home"]?["address"]?["city"] == "Milano" && whole["incident"]?["sos_pressed"] != nil)
        #expect(whole["incident"]?["trigger"] == "manual" && whole["incident"]?["supersedes"] != nil)
        #expect(try message(.stale)["position"]?["is_current"] == .bool(false))
        #expect(try message(.stale)["home"]?["is_fallback"] == .bool(true))
        for content in [ConformanceIncident.Content.usual, .sparse, .large, .whole, .stale] {
            let texts = try message(content)["speech"]?.elements.compactMap { $0["text"]?.text } ?? []
            #expect(texts.count == 2)
            #expect(texts.first?.hasPrefix("Esercitazione: emergenza sanitaria. ") == true)
            #expect(texts.last?.hasPrefix("Exercise: medical emergency. ") == true)
        }
    }

    @Test(
        "SOS-06: what is wrong with the command line is said, and what to write",
        arguments: [
            [], ["--url", "https://example.org/"], ["--url", "example.org", "--secret-file", "/nonexistent"],
            ["--url", "https://example.org/", "--secret-file", "/nonexistent"], ["--dance"], ["--url"],
        ])
    func commandLine(_ arguments: [String]) {
        #expect(throws: UsageMistake.self) { try ConformanceCommand(arguments) }
    }
}
