import Domain
import JSON
import Primitives

/// What an ambulance service is sent (SOS-06): one message of an incident, complete in itself; as JSON under 24 kB.
struct IncidentMessage: Sendable, Encodable {
    static let bytesMax = 24_000
    /// A position is current up to this age.
    static let positionCurrentMax = Duration.seconds(60)

    /// Of receiver-openapi.json; a new one only when a receiver of the one before would misunderstand the message.
    static let version = 1

    enum Kind: String, Sendable, Encodable {
        case alert, update, cancel, resolved
        /// A test call in place of `alert`: whoever does not know the word sends nobody.
        case exercise
    }

    var version = Self.version
    var incident: Summary
    var position: Position?
    var home: Home?
    var person: Person
    var vitals: [Vital]
    var contacts: [EmergencyContact]
    /// What a voice call says.
    var speech: [Speech]
    var reply: Reply

    struct Summary: Sendable, Encodable {
        var id: UUID
        var sequence: Int
        var message: Kind
        /// Why the hand-over is withdrawn, or the incident over.
        var reason: Incident.Message.Reason?
        /// The incident that has taken its place, when that is the reason.
        var supersededBy: UUID?
        /// The incident whose place it has taken.
        var supersedes: UUID?
        var mode: String
        var isExercise: Bool { mode == "exercise" }
        /// When the message was made.
        var sent: Timestamp
        var urgency = "immediate"
        /// What called: `vital-signs`, `manual` (the SOS button), or `exercise`.
        var trigger: IncidentTrigger
        /// When the wearer has pressed the SOS button last.
        var sosPressed: Timestamp?
        var rule: Rule?
        var causes: [Cause]
        var firstCritical: Timestamp?
        var confirmed: Timestamp?
        var isDelayed: Bool
    }

    struct Rule: Sendable, Encodable {
        var name: RuleSet
        var version: Int
    }

    struct Cause: Sendable, Encodable {
        var type: DataType
        var value: Double
        var unit: String
        var limit: String
        var firstCritical: Timestamp
        var confirmed: Timestamp
        var duringExercise: Bool
        var isProvisional: Bool

        init(_ finding: Finding) {
            type = finding.type
            value = finding.value
            unit = finding.type.unit.description
            limit = finding.limit
            firstCritical = finding.firstCriticalAt
            confirmed = finding.confirmedAt
            duringExercise = finding.wasExercising
            isProvisional = finding.isProvisional
        }
    }

    struct Fix: Sendable, Encodable {
        var latitude: Double
        var longitude: Double
        var altitudeM: Double?
        var accuracyM: Double?
        var time: Timestamp

        init(_ fix: StoredFix) {
            latitude = fix.coordinate.latitude
            longitude = fix.coordinate.longitude
            altitudeM = fix.altitude
            accuracyM = fix.accuracy
            time = fix.time
        }
    }

    /// The last known one when there is no current one (SOS-10).
    struct Position: Sendable, Encodable {
        var latitude: Double
        var longitude: Double
        var altitudeM: Double?
        var accuracyM: Double?
        var time: Timestamp
        var source = "device"
        var datum = "WGS84"
        var isCurrent: Bool
        /// Degrees clockwise from north and metres per second; absent when the last fixes do not tell.
        var directionDeg: Double?
        var speedMS: Double?
        var previous: [Fix]

        private enum CodingKeys: String, CodingKey {
            case latitude, longitude, altitudeM, accuracyM, time, source, datum, isCurrent, directionDeg, previous
            case speedMS = "speed_m_s"
        }

        /// `fixes`, newest first, as they stood at `sent`.
        init?(_ fixes: [StoredFix], sent: Timestamp) {
            guard let newest = fixes.first.map(Fix.init) else { return nil }
            latitude = newest.latitude
            longitude = newest.longitude
            altitudeM = newest.altitudeM
            accuracyM = newest.accuracyM
            time = newest.time
            isCurrent = sent - newest.time <= IncidentMessage.positionCurrentMax
            previous = fixes.dropFirst().map(Fix.init)
            if isCurrent, let movement = Movement(fixes) {
                (directionDeg, speedMS) = (movement.direction, movement.speed)
            }
        }
    }

    /// Who the person is, as far as it is known yet.
    struct Person: Sendable, Encodable {
        var name: String?
        var surname: String?
        var fiscalCode: FiscalCode?
        var sex: Sex?
        var birthDate: CalendarDate
        var age: Int
        var callbackPhone: PhoneNumber
        var languages: [String]
        var conditions: [String]
        var medication: [String]
        /// Why somebody younger than 65 is watched.
        var medicalReason: String?

        init(_ details: IncidentDetails, on day: CalendarDate) {
            let enrolment = details.enrolment
            name = details.person?.name
            surname = details.person?.surname
            fiscalCode = details.person?.fiscalCode
            sex = details.person?.sex
            birthDate = enrolment.birthDate
            age = day.age(bornOn: enrolment.birthDate)
            callbackPhone = enrolment.callbackPhone
            languages = enrolment.languages
            conditions = enrolment.conditions
            medication = enrolment.medication
            medicalReason = enrolment.medicalReason
        }
    }

    struct Vital: Sendable, Encodable {
        var type: DataType
        var loinc: String?
        var value: Double
        /// UCUM.
        var unit: String
        var time: Timestamp

        init(_ vital: Monitor.LastVital) {
            type = vital.type
            loinc = vital.type.loinc
            value = vital.value
            unit = vital.type.unit.description
            time = vital.time
        }
    }

    /// Addresses and token for accepting, rejecting, and saying that the emergency is over.
    struct Reply: Sendable, Encodable {
        var hook: String
        var token: String
        var acceptanceURL: String
        var rejectionURL: String
        var resolutionURL: String
        var statusURL: String
    }
}

extension IncidentMessage {
    /// The message for the hook of `handOver`: its first message is an alert, whatever others were sent before.
    init(
        _ message: Incident.Message, of record: IncidentRecord, _ details: IncidentDetails,
        to handOver: Incident.HandOver, reply: Reply
    ) {
        let sent = record.time(at: message.madeAt)
        let first = details.findings.first
        incident = Summary(
            id: record.id, sequence: message.number,
            message: handOver.kind(of: message, isExercise: record.incident.isExercise), reason: message.reason,
            supersededBy: message.successor, supersedes: details.supersedes,
            mode: record.incident.isExercise ? "exercise" : "actual", sent: sent,
            trigger: IncidentTrigger(details, isExercise: record.incident.isExercise),
            sosPressed: details.manual?.at,
            rule: first.map { Rule(name: $0.rules, version: $0.rulesVersion) },
            causes: details.findings.map(Cause.init),
            firstCritical: first?.firstCriticalAt, confirmed: first?.confirmedAt,
            isDelayed: details.findings.last?.isDelayed ?? false)
        position = Position(details.fixes, sent: sent)
        person = Person(details, on: sent.dateUTC)
        vitals = details.vitals.map(Vital.init)
        contacts = details.enrolment.contacts
        self.reply = reply
        home = Home(details.enrolment, isFallback: position?.isCurrent != true)
        speech = []
        speech = Language.allCases.map { Speech(self, in: $0) }
    }

    func encoded() throws(JSONError) -> [UInt8] { try JSONEncoder().encode(self) }
}

extension Incident.HandOver {
    /// Its first message is an alert, whatever others were sent before.
    fileprivate func kind(of message: Incident.Message, isExercise: Bool) -> IncidentMessage.Kind {
        switch message.kind {
        case .report where isExercise: .exercise
        case .report: receivedNumber < firstNumber ? .alert : .update
        case .cancel: .cancel
        case .resolved: .resolved
        }
    }
}
