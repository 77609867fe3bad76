import Domain
import JSON
import Primitives

/// What an ambulance service is sent (SOS-06): one message of an incident, complete in itself; under 20 kB.
struct IncidentMessage: Sendable, Encodable {
    static let bytesMax = 20_000
    /// A position is current up to this age.
    static let positionCurrentMax = Duration.seconds(60)

    enum Kind: String, Sendable, Encodable { case alert, update, cancel }
    enum Reason: String, Sendable, Encodable {
        case falseAlarm = "false-alarm"
        case acceptedByAnother = "accepted-by-another"
        /// Nobody accepted it, and a newer incident of the person has taken its place.
        case superseded
    }

    var incident: Incident
    var position: Position?
    var person: Person
    var vitals: [Vital]
    var contacts: [EmergencyContact]
    var reply: Reply

    struct Incident: Sendable, Encodable {
        var id: UUID
        var sequence: Int
        var message: Kind
        /// Why it is withdrawn.
        var reason: Reason?
        /// The incident that has taken its place, when that is the reason.
        var supersededBy: UUID?
        var mode: String
        /// When the message was made.
        var sent: Timestamp
        var urgency = "immediate"
        var rule: Rule?
        var causes: [Cause]
        var firstCritical: Timestamp?
        var confirmed: Timestamp?
        var isDelayed: Bool

        enum CodingKeys: String, CodingKey {
            case id, sequence, message, reason, mode, sent, urgency, rule, causes, confirmed, firstCritical,
                supersededBy, isDelayed
        }
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
        var wasExercising: Bool

        enum CodingKeys: String, CodingKey {
            case type, value, unit, limit, confirmed, firstCritical
            case wasExercising = "during_exercise"
        }
    }

    struct Fix: Sendable, Encodable {
        var latitude: Double
        var longitude: Double
        var altitude: Double?
        var accuracy: Double?
        var time: Timestamp

        init(_ fix: StoredFix) {
            latitude = fix.coordinate.latitude
            longitude = fix.coordinate.longitude
            altitude = fix.altitude
            accuracy = fix.accuracy
            time = fix.time
        }

        enum CodingKeys: String, CodingKey {
            case latitude, longitude, time
            case altitude = "altitude_m"
            case accuracy = "accuracy_m"
        }
    }

    /// WGS 84. The last known one when there is no current one (SOS-10).
    struct Position: Sendable, Encodable {
        var fix: Fix
        var isCurrent: Bool
        var previous: [Fix]

        private enum CodingKeys: String, CodingKey { case source, datum, previous, isCurrent }

        func encode(to encoder: any Encoder) throws {
            try fix.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("device", forKey: .source)
            try container.encode("WGS84", forKey: .datum)
            try container.encode(isCurrent, forKey: .isCurrent)
            try container.encode(previous, forKey: .previous)
        }
    }

    /// Who it is, as far as it is known yet.
    struct Person: Sendable, Encodable {
        var identity: IncidentDetails.Person?
        var age: Int
        var enrolment: EnrolmentDetails

        private enum CodingKeys: String, CodingKey {
            case name, surname, sex, age, languages, conditions, medication, fiscalCode, birthDate, callbackPhone,
                addressNotes
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let identity {
                try container.encode(identity.name, forKey: .name)
                try container.encode(identity.surname, forKey: .surname)
                try container.encode(identity.fiscalCode, forKey: .fiscalCode)
                try container.encode(identity.sex, forKey: .sex)
            }
            try container.encode(enrolment.birthDate, forKey: .birthDate)
            try container.encode(age, forKey: .age)
            try container.encode(enrolment.callbackPhone, forKey: .callbackPhone)
            try container.encode(enrolment.languages, forKey: .languages)
            try container.encode(enrolment.conditions, forKey: .conditions)
            try container.encode(enrolment.medication, forKey: .medication)
            try container.encodeIfPresent(enrolment.addressNotes, forKey: .addressNotes)
        }
    }

    struct Vital: Sendable, Encodable {
        var type: DataType
        var loinc: String?
        var value: Double
        /// UCUM.
        var unit: String
        var time: Timestamp
    }

    /// Where and with what to accept or reject.
    struct Reply: Sendable, Encodable {
        var hook: String
        var token: String
        var acceptanceURL: String
        var rejectionURL: String
    }
}

extension IncidentMessage {
    /// The message numbered `sequence`, made at `sent`.
    init(_ record: IncidentRecord, sequence: Int, sent: Timestamp, reply: Reply) {
        let (details, state) = (record.details, record.state)
        let isCancellation = state.isCancellation(sequence)
        let first = details.findings.first
        let reason = isCancellation ? state.reason(sequence) : nil
        incident = Incident(
            id: record.id, sequence: sequence,
            message: isCancellation ? .cancel : sequence == 1 ? .alert : .update,
            reason: reason, supersededBy: reason == .superseded ? state.supersededBy : nil,
            mode: state.isExercise ? "exercise" : "actual", sent: sent,
            rule: first.map { Rule(name: $0.rules, version: $0.rulesVersion) },
            causes: details.findings.map { finding in
                Cause(
                    type: finding.type, value: finding.value, unit: finding.type.unit.description, limit: finding.limit,
                    firstCritical: finding.firstCriticalAt, confirmed: finding.confirmedAt,
                    wasExercising: finding.wasExercising)
            }, firstCritical: first?.firstCriticalAt, confirmed: first?.confirmedAt,
            isDelayed: first?.isDelayed ?? false)
        position = details.fixes.first.map { fix in
            Position(
                fix: Fix(fix), isCurrent: sent - fix.time <= Self.positionCurrentMax,
                previous: details.fixes.dropFirst().map(Fix.init))
        }
        person = Person(
            identity: details.person, age: sent.dateUTC.age(bornOn: details.enrolment.birthDate),
            enrolment: details.enrolment)
        vitals = details.vitals.map {
            Vital(type: $0.type, loinc: $0.type.loinc, value: $0.value, unit: $0.type.unit.description, time: $0.time)
        }
        contacts = details.enrolment.contacts
        self.reply = reply
    }

    func encoded() throws(JSONError) -> [UInt8] { try JSONEncoder().encode(self) }
}

extension HandOverState {
    /// Why the cancellation numbered `sequence` withdraws the incident.
    fileprivate func reason(_ sequence: Int) -> IncidentMessage.Reason {
        if sequence == loserSequence { return .acceptedByAnother }
        return outcome == .unanswered ? .superseded : .falseAlarm
    }
}
