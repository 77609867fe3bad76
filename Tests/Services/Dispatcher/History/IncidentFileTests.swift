import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct IncidentFileTests {
    /// An emergency that was accepted and resolved.
    private func incident(_ dispatcher: TestDispatcher, of account: UUID) async throws -> String {
        try await dispatcher.enrol(
            account,
            more: #", "medication": ["<script>alert(1)</script> & \"salts\""], "medical_reason": "epilepsy""#)
        try await dispatcher.send(critical, of: account)
        let hook = dispatcher.hooks[0]
        let call = try #require(await hook.desk.firstCall())
        #expect(try await dispatcher.wait("select exists (select from incident_step where kind = 'received')"))
        #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
        #expect(try await dispatcher.reply("resolution", to: call, from: hook).status == .ok)
        return String(call.id.prefix(36))
    }

    @Test(
        "SOS-14 SOS-03c: an incident's file has every step with its time, what was measured, the rule and its version")
    func json() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let id = try await incident(dispatcher, of: account)
            let path = "/dispatcher/v1/incidents/\(id)/file"
            let answer = try await dispatcher.call(.get, path, account: account)
            #expect(answer.status == .ok)
            #expect(answer.fields["Content-Disposition"] == "attachment; filename=\"trackme-incident-\(id).json\"")
            let file = try await dispatcher.json(answer)
            let steps = file["incident"]?["steps"]?.items ?? []
            let kinds = steps.compactMap { $0["kind"]?.text }
            let order = [
                "first-critical", "confirmed", "opened", "hand-over-begun", "received", "accepted", "resolved",
                "closed",
            ]
            #expect(Set(kinds).isSuperset(of: order))
            let times = order.compactMap { kind in
                steps.first { $0["kind"]?.text == kind }?["at"]?.text.flatMap { Timestamp($0) }
            }
            #expect(times.count == 8 && times == times.sorted() && Set(times).count >= 5)
            #expect(times.count > 1 && times[1] - times[0] >= .seconds(3) && times[1] - times[0] < .seconds(5))
            #expect(steps.allSatisfy { $0["at"]?.text.flatMap { Timestamp($0) } != nil })
            let cause = file["told"]?["causes"]?.items.first
            #expect(cause?["cause"]?["rules"] == .string("age") && cause?["cause"]?["rules_version"] == .integer(2))
            #expect(cause?["cause"]?["limit"] == .string("<= 40.0") && cause?["received"] != nil)
            let measured = file["told"]?["measurements"]?.items ?? []
            #expect(measured.contains { $0["type"] == .string("heart-rate") && $0["value"]?.double == 38 })
            #expect(file["told"]?["positions"]?.items.first?["latitude"]?.double == 45.4642)
            #expect(file["told"]?["person"]?["medical_reason"] == .string("epilepsy"))
            #expect(try await dispatcher.call(.get, path, account: .random()).status == .notFound)
        }
    }

    @Test(
        "SOS-14 NFR-08b: the page to print is whole by itself, in two languages, and nothing that was typed becomes HTML"
    )
    func page() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let id = try await incident(dispatcher, of: account)
            for (language, words) in [("it", "falso allarme"), ("en-GB", "false alarm")] {
                let token = try dispatcher.tokens.token(.individual, account: account)
                let answer = try await dispatcher.call(
                    .get, "/dispatcher/v1/incidents/\(id)/file.html",
                    fields: ["Authorization": "Bearer \(token)", "Accept-Language": language])
                #expect(answer.status == .ok && answer.contentType == .html)
                #expect(answer.fields["Content-Disposition"]?.hasPrefix("attachment") == true)
                let page = String(decoding: try await answer.collectedBody(), as: UTF8.self)
                #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;salts&quot;"))
                #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("http"))
                #expect(page.contains(IncidentWords(language == "it" ? .italian : .english).step(.accepted)))
                #expect(!page.contains(words), "no step that was not")
                #expect(page.contains("age/\(RuleSet.age.version)") && page.contains("&lt;= 40"))
            }
        }
    }

    @Test("SOS-14 SOS-03c: the page to print names the doctor whose limit held, and says what is not stored yet")
    func notes() throws {
        var finding = Finding(
            origin: .init(source: watch, type: .heartRate, time: start), rules: .age, rulesVersion: 2, limit: "<= 48.0",
            value: 45, firstCriticalAt: start, confirmedAt: start, episodeFrom: start, receivedAt: start,
            isDelayed: false, wasExercising: false)
        func page(_ language: Language) throws -> String {
            let details = IncidentDetails(
                findings: [finding], fixes: [], vitals: [],
                enrolment: EnrolmentDetails(
                    birthDate: TestDispatcher.birthDate, callbackPhone: try #require(PhoneNumber("+39021234567")),
                    contacts: [], conditions: [], medication: [], languages: [], abortWindowSeconds: 0))
            let view = IncidentView(id: .random(), state: .confirmed, isExercise: false, openedAt: start)
            return IncidentPage(IncidentFile(view, details, at: start), in: language).text
        }
        for language in Language.allCases {
            let words = IncidentWords(language)
            let before = try page(language)
            #expect(!before.contains(words[.doctor]) && !before.contains(words[.provisional]))
        }
        finding.isProvisional = true
        finding.thresholds = .init(low: 48, high: nil, setBy: .doctor, doctor: "Dr. Anna <Verdi>")
        for language in Language.allCases {
            let words = IncidentWords(language)
            let noted = try page(language)
            #expect(noted.contains("\(words[.provisional]), \(words[.doctor]): Dr. Anna &lt;Verdi&gt;"), "\(noted)")
        }
    }

    @Test("SOS-14: measurements are kept to a limit, the first ones and the last ones")
    func bounded() throws {
        var monitor = Monitor(begunAt: start)
        var details = IncidentDetails(
            findings: [], fixes: [], vitals: [],
            enrolment: EnrolmentDetails(
                birthDate: TestDispatcher.birthDate, callbackPhone: try #require(PhoneNumber("+39021234567")),
                contacts: [], conditions: [], medication: [], languages: [], abortWindowSeconds: 0))
        for second in 0..<1000 {
            _ = monitor.observe(upload([(Double(second), 60 + Double(second % 20))]), of: .aged(70))
            details.follow(monitor)
        }
        let measured = try #require(details.measured)
        #expect(measured.count == IncidentDetails.measuredMax)
        // Times are brought to the database's clock, which is 0.1 s ahead here.
        let from = measured.map { ($0.time - start).milliseconds / 1000 }
        #expect(Array(from.prefix(60)) == Array(0..<60) && from.last == 999 && from == from.sorted())
    }

    @Test("SOS-14 NFR-08b: each word of the file is there in both languages")
    func words() {
        for key in IncidentWords.Key.allCases {
            #expect(!IncidentWords(.italian)[key].isEmpty && !IncidentWords(.english)[key].isEmpty)
        }
        for language in Language.allCases {
            let words = IncidentWords(language)
            #expect(Set(ContactMessage.Channel.allCases.map(words.channel)).count == 3)
        }
    }
}
