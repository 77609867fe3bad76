import Contracts
import Domain
import JSON
import Primitives
import Security

/// An incident of a person who does not exist, with the messages that the real state machine makes of it.
struct ConformanceIncident {
    let id = UUID.random()
    let settings: ConformanceSettings
    /// Of the hand-over: the receiver has to send it back.
    let token: String
    private let baseURL: String
    private var record: IncidentRecord

    enum Content {
        case usual, sparse, large
        /// With all that there may be: name, home, the SOS button, an earlier incident.
        case whole
        /// With the last known position in place of a current one.
        case stale
    }

    /// Another ambulance service.
    private static let another = "another"

    init(_ settings: ConformanceSettings, baseURL: String, _ content: Content = .usual, isExercise: Bool = false) {
        self.settings = settings
        self.baseURL = baseURL
        token = Base64.url.encode(randomBytes(16))
        let now = Timestamp.now()
        record = IncidentRecord(
            id: id, account: .random(), openedAt: now, incident: Incident(isExercise: isExercise),
            details: Self.details(content, at: now, isExercise: isExercise))
        record.apply(.handOverBegun(settings.hook))
    }

    /// `ID:NUMBER`.
    func webhookID(_ number: Int) -> String { "\(id):\(number)" }

    // MARK: What happens to it

    /// The hook has answered 2xx to the newest report.
    mutating func received() { record.apply(.received(settings.hook, number: record.incident.reportNumber)) }
    mutating func moved() { record.apply(.seen("position")) }
    mutating func accepted() { record.apply(.accepted(settings.hook)) }
    mutating func resolved() { record.apply(.resolved(settings.hook)) }
    mutating func calledOff() { record.apply(.calledOff) }
    mutating func superseded() { record.apply(.superseded(by: .random(), isTold: true)) }
    mutating func timeIsUp() { record.apply(.timeIsUp) }
    mutating func acceptedByAnother() { record.apply(.accepted(Self.another)) }

    /// So that the hook is needed again.
    mutating func handedBackByAnother() {
        record.apply(.rejected(Self.another))
        record.apply(.handOverBegun(settings.hook))
    }

    /// The number of the message that is due now, or was last.
    var number: Int { record.incident.handOver(to: settings.hook)?.dueNumber ?? record.incident.reportNumber }

    // MARK: Messages

    /// The message that is due now, as it is sent. Errors: those of writing JSON, which a message does not have.
    func body() throws(JSONError) -> [UInt8] {
        guard let details = record.details, let handOver = record.incident.handOver(to: settings.hook),
            let message = record.incident.message(number)
        else { return [] }
        var made = IncidentMessage(message, of: record, details, to: handOver, reply: reply)
        if !settings.isActual {
            made.incident.mode = "exercise"
            made.speech = Language.allCases.map { .init(made, in: $0) }
        }
        switch settings.form {
        case .json: return try made.encoded()
        case .cap: return CAPAlert(made, references: handOver.references(in: record), .init(baseURL: baseURL)).encoded()
        }
    }

    private var reply: IncidentMessage.Reply {
        let base = "\(baseURL)/handovers/\(id)"
        return .init(
            hook: settings.hook, token: token, acceptanceURL: "\(base)/acceptance", rejectionURL: "\(base)/rejection",
            resolutionURL: "\(base)/resolution", statusURL: "\(base)/status")
    }

    // MARK: Details

    private static func details(_ content: Content, at now: Timestamp, isExercise: Bool) -> IncidentDetails {
        let birth = CalendarDate(year: 1950, month: 3, day: 14) ?? now.dateUTC
        let enrolment = enrolment(content, bornOn: birth)
        guard content != .sparse, !isExercise else {
            return IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: enrolment)
        }
        let origin = Finding.Origin(source: .random(), type: .heartRate, time: now - .seconds(4))
        let finding = Finding(
            origin: origin, rules: .standard, rulesVersion: RuleSet.standard.version, limit: "<= 40.0", value: 38,
            firstCriticalAt: now - .seconds(4), confirmedAt: now - .seconds(1), episodeFrom: now - .seconds(4),
            receivedAt: now, isDelayed: false, wasExercising: false)
        let age = Duration.seconds(content == .stale ? 600 : 0)
        let fixes = [(45.4642, 9.19, 2), (45.4640, 9.1898, 12)].compactMap { latitude, longitude, ago in
            Coordinate(latitude: latitude, longitude: longitude).map {
                StoredFix(
                    PositionFix(time: now - age - .seconds(Int64(ago)), coordinate: $0, altitude: 122, accuracy: 4))
            }
        }
        var details = IncidentDetails(
            findings: Array(repeating: finding, count: content == .large ? IncidentDetails.findingsMax : 1),
            fixes: fixes,
            vitals: [
                Monitor.LastVital(type: .heartRate, value: 38, time: now - .seconds(1)),
                Monitor.LastVital(type: .oxygenSaturation, value: 93, time: now - .seconds(3)),
            ], enrolment: enrolment)
        guard content == .whole else { return details }
        details.person = FiscalCode("PRVRSO50C54F205Y").map { code in
            .init(.init(name: "Rosa", surname: "Prova", fiscalCode: code, birthDate: birth, sex: .female))
        }
        details.manual = ManualCall(at: now - .seconds(2), by: .person)
        details.supersedes = .random()
        return details
    }

    private static func enrolment(_ content: Content, bornOn birth: CalendarDate) -> EnrolmentDetails {
        let isLarge = content == .large
        // Ordinary letters, emoji beyond the basic plane, right to left, and what XML and JSON escape.
        let strange = "Ōsaka „è“ <&> \\ 'a' 🚑 מילה 心"
        let long = String(repeating: "è", count: 90) + strange
        let phone = PhoneNumber("+390200000000")
        let contacts = phone.map { phone in
            (0..<(isLarge ? EnrolmentDetails.contactsMax : 1)).map { _ in
                EmergencyContact(
                    name: isLarge ? long : "Luca (prova)", phone: phone, email: EmailAddress("prova@example.org"))
            }
        }
        let entries = isLarge ? Array(repeating: long, count: EnrolmentDetails.entriesMax) : ["diabete"]
        guard let phone else { preconditionFailure("the number of the example is one") }
        let isWhole = content == .whole
        return EnrolmentDetails(
            birthDate: birth, callbackPhone: phone, contacts: content == .sparse ? [] : contacts ?? [],
            conditions: content == .sparse ? [] : entries, medication: isLarge || isWhole ? entries : [],
            languages: ["it"], medicalReason: isWhole ? "prova" : nil,
            address: isWhole
                ? HomeAddress(
                    street: "Via della Prova 3", postalCode: "20121", city: "Milano", province: "MI", floor: "3",
                    country: "IT") : nil,
            addressNotes: content == .sparse
                ? nil : isLarge ? String(repeating: "ù", count: 900) + "\n" + strange : "PROVA, scala B",
            abortWindowSeconds: 0)
    }
}
