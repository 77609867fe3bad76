import Contracts
import Domain
import Primitives
import Testing

@testable import Dispatcher

/// What the guide for CAP says stands in the messages, letter by letter (`Services/Dispatcher/Hooks/CAP/README.md`).
@Suite struct CAPDocumentTests {
    private static let root = #filePath.split(separator: "/").dropLast(5).map { "/\($0)" }.joined()
    private static let opened = Timestamp("2026-05-01T08:00:01Z")!
    private static let sender = CAPAlert.Sender(baseURL: "https://trackme.example.org")

    private func text(_ file: String) throws -> String {
        String(decoding: try SmallFile.read("\(Self.root)/\(file)", bytesMax: 1 << 20), as: UTF8.self)
    }

    private func time(_ ago: Int64) -> Timestamp { Self.opened - .seconds(ago) }

    private func enrolment() throws -> EnrolmentDetails {
        let contact = EmergencyContact(
            name: "Luca Prova", phone: try #require(PhoneNumber("+390200000001")),
            email: EmailAddress("luca@example.org"))
        return EnrolmentDetails(
            birthDate: try #require(CalendarDate(year: 1950, month: 3, day: 14)),
            callbackPhone: try #require(PhoneNumber("+390200000000")), contacts: [contact], conditions: ["diabete"],
            medication: ["insulina"], languages: ["it"], medicalReason: "una prova",
            address: HomeAddress(
                street: "Via della Prova 3", postalCode: "20121", city: "Milano", province: "MI", floor: "3",
                country: "IT"),
            addressNotes: "scala B", abortWindowSeconds: 0)
    }

    private func details() throws -> IncidentDetails {
        let finding = Finding(
            origin: .init(source: .random(), type: .heartRate, time: time(4)), rules: .age,
            rulesVersion: RuleSet.age.version, limit: "<= 40.0", value: 38, firstCriticalAt: time(4),
            confirmedAt: time(1), episodeFrom: time(4), receivedAt: time(1), isDelayed: false, wasExercising: false)
        func fix(_ latitude: Double, _ longitude: Double, _ ago: Int64) throws -> StoredFix {
            let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
            return StoredFix(PositionFix(time: time(ago), coordinate: place, altitude: 122, accuracy: 4))
        }
        var details = IncidentDetails(
            findings: [finding], fixes: [try fix(45.4642, 9.19, 2), try fix(45.464, 9.1898, 12)],
            vitals: [
                .init(type: .heartRate, value: 38, time: time(1)),
                .init(type: .oxygenSaturation, value: 93, time: time(3)),
            ], enrolment: try enrolment())
        details.person = .init(
            .init(
                name: "Rosa", surname: "Prova", fiscalCode: try #require(FiscalCode("PRVRSO50C54F205Y")),
                birthDate: details.enrolment.birthDate, sex: .female))
        details.manual = ManualCall(at: time(0), by: .person)
        details.supersedes = UUID("0d7f3c2a-91be-4d0f-b6a4-5e8e2a1c7f33")
        return details
    }

    private func record(_ details: IncidentDetails, isExercise: Bool = false) throws -> IncidentRecord {
        let id = try #require(UUID("8f14e45f-ceea-467f-a0e6-3f8f4c2f6b11"))
        var record = IncidentRecord(
            id: id, account: .random(), openedAt: Self.opened, incident: Incident(isExercise: isExercise),
            details: details)
        record.apply(.handOverBegun("north"), at: .zero)
        return record
    }

    /// What is due to the hook.
    private func message(_ record: IncidentRecord) throws -> (message: IncidentMessage, cap: String) {
        let handOver = try #require(record.incident.handOver(to: "north"))
        let due = try #require(handOver.dueNumber.flatMap { record.incident.message($0) })
        let base = "https://trackme.example.org/dispatcher/v1/handovers/\(record.id)"
        let made = IncidentMessage(
            due, of: record, try #require(record.details), to: handOver,
            reply: .init(
                hook: "north", token: "0MK2n4Zt3S1mYcTq7rZ0Jw", acceptanceURL: "\(base)/acceptance",
                rejectionURL: "\(base)/rejection", resolutionURL: "\(base)/resolution", statusURL: "\(base)/status"))
        let alert = CAPAlert(made, references: handOver.references(in: record), Self.sender)
        return (made, String(decoding: alert.encoded(), as: UTF8.self))
    }

    private func alert() throws -> IncidentRecord { try record(try details()) }

    private func cancellation() throws -> IncidentRecord {
        var record = try alert()
        record.apply(.received("north", number: 1), at: age(2))
        let successor = try #require(UUID("6c9d2f10-4b1e-4c55-8a5e-2f7c1f0e9a42"))
        record.apply(.superseded(by: successor, isTold: true), at: age(30))
        return record
    }

    /// The first example of each parameter, by its name.
    private func examples() throws -> [(name: String, value: String)] {
        var nowhere = try details()
        nowhere.fixes = []
        var all: [(name: String, value: String)] = []
        for record in [try alert(), try cancellation(), try record(nowhere)] {
            all += CAPParameters(try message(record).message).list
        }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }
    }

    @Test(
        "SOS-06a NFR-09: the guide for CAP names every parameter, with the member, a format, and an example as it is written"
    )
    func table() throws {
        let guide = try text("Services/Dispatcher/Hooks/CAP/README.md")
        let part = try #require(guide.split(separator: "## Parameters").last?.split(separator: "\n## ").first)
        let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { cell in
                cell.split(separator: " ").joined(separator: " ").replacing("`", with: "")
            }
        }
        let examples = try examples()
        #expect(Set(rows.compactMap(\.first)) == Set(examples.map(\.name)))
        #expect(rows.count == examples.count)
        for example in examples {
            let row = rows.first { $0.first == example.name }
            #expect(row?.count == 4 && row?.last == example.value, "\(example.name): \(example.value)")
        }
    }

    @Test("SOS-06a NFR-09: the guide for CAP shows an alert and a cancellation as they come")
    func shown() throws {
        let guide = try text("Services/Dispatcher/Hooks/CAP/README.md")
        let blocks = guide.split(separator: "```xml\n").dropFirst().compactMap { $0.split(separator: "\n```").first }
        let shown = blocks.map { block in
            block.split(separator: "\n").map { $0.trimmingPrefix(while: { $0 == " " }) }.joined()
        }
        let made = [try message(try alert()).cap, try message(try cancellation()).cap]
        for (shown, made) in zip(shown, made) { #expect(made.replacing("\n", with: "") == shown) }
        #expect(shown.count == 2)
    }

    @Test("SOS-12b: a test call says in every word of CAP that it is none, also its cancellation")
    func exercise() throws {
        var record = try record(try details(), isExercise: true)
        var documents = [try message(record).cap]
        record.apply(.calledOff, at: age(30))
        documents.append(try message(record).cap)
        for document in documents {
            for words in [
                "<status>Exercise</status>", "<event>Exercise: no emergency</event>",
                "<event>Esercitazione: nessuna emergenza</event>", "<responseType>None</responseType>",
                "<severity>Minor</severity>", "<certainty>Unknown</certainty>", "<headline>Exercise: ",
                "<headline>Esercitazione: ", "<description>Exercise: ",
            ] { #expect(document.contains(words), "\(words)") }
            for words in [">Execute<", ">Immediate<", ">Extreme<", ">Observed<", ">Actual<"] {
                #expect(!document.contains(words), "\(words)")
            }
        }
        #expect(documents[0].contains("<urgency>Unknown<") && documents[1].contains("<urgency>Past<"))
        #expect(documents[0].contains("<msgType>Alert<") && documents[1].contains("<msgType>Cancel<"))
        #expect(try message(try alert()).cap.contains(">Execute<"))
    }

    @Test("SOS-06a: the largest message, with texts that have to be escaped, is no larger than the guide says")
    func largest() throws {
        func filled(_ limits: TextLimits) -> String { String(repeating: "&", count: limits.charactersMax) }
        var details = try details()
        details.findings = Array(repeating: details.findings[0], count: IncidentDetails.findingsMax)
        details.fixes = Array(repeating: details.fixes[0], count: Monitor.fixesMax)
        let entries = Array(repeating: filled(EnrolmentDetails.entryLimits), count: EnrolmentDetails.entriesMax)
        details.enrolment.conditions = entries
        details.enrolment.medication = entries
        details.enrolment.medicalReason = filled(EnrolmentDetails.reasonLimits)
        details.enrolment.addressNotes = filled(EnrolmentDetails.notesLimits)
        let contact = EmergencyContact(
            name: filled(EnrolmentDetails.nameLimits), phone: details.enrolment.callbackPhone,
            email: details.enrolment.contacts[0].email)
        details.enrolment.contacts = Array(repeating: contact, count: EnrolmentDetails.contactsMax)
        let made = try message(try record(details))
        #expect((30_000...CAPAlert.bytesMax).contains(made.cap.utf8.count), "\(made.cap.utf8.count)")
        #expect(try made.message.encoded().count <= CAPAlert.bytesMax)
        let guide = try text("Services/Dispatcher/Hooks/README.md")
        #expect(guide.contains("131,072 bytes") && CAPAlert.bytesMax == 131_072)
    }
}
