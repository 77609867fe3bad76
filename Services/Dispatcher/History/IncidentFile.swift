import Domain
import Primitives

/// All that is kept of an incident, for the person, the family and a court (SOS-14): every step, measurement, rule and time. All times
/// are UTC, by the clock of the dispatcher's database; those of measurements are the devices', brought to that clock.
struct IncidentFile: Encodable, Sendable {
    /// Changes when a member changes its meaning.
    static let version = 1

    struct Measurement: Encodable, Sendable {
        let type: DataType
        let loinc: String?
        let value: Double
        let unit: String
        let time: Timestamp

        init(_ vital: Monitor.LastVital) {
            type = vital.type
            loinc = vital.type.loinc
            value = vital.value
            unit = vital.type.unit.description
            time = vital.time
        }
    }

    /// A critical state that lasted, and the rule by which it was one.
    struct Cause: Encodable, Sendable {
        let cause: IncidentView.Cause
        /// When the sample that decided was received.
        let received: Timestamp
        let isDelayed: Bool
        let duringExercise: Bool

        init(_ finding: Finding) {
            cause = .init(finding)
            received = finding.receivedAt
            isDelayed = finding.isDelayed
            duringExercise = finding.wasExercising
        }
    }

    struct Position: Encodable, Sendable {
        let latitude: Double
        let longitude: Double
        let altitudeM: Double?
        let accuracyM: Double?
        let time: Timestamp

        init(_ fix: StoredFix) {
            latitude = fix.coordinate.latitude
            longitude = fix.coordinate.longitude
            altitudeM = fix.altitude
            accuracyM = fix.accuracy
            time = fix.time
        }
    }

    /// What was known when the incident was opened or changed last, and told to the ambulance services.
    struct Told: Encodable, Sendable {
        let causes: [Cause]
        let sosPressed: Timestamp?
        let sosPressedOn: ManualCall.Caller?
        let measurements: [Measurement]
        let positions: [Position]
        let person: IncidentMessage.Person
        let address: HomeAddress?
        let addressNotes: String?
        let contacts: [EmergencyContact]
        let abortWindowS: Int
        let supersedes: UUID?

        init(_ details: IncidentDetails, openedAt: Timestamp) {
            causes = details.findings.map(Cause.init)
            sosPressed = details.manual?.at
            sosPressedOn = details.manual?.by
            measurements = (details.measured ?? details.vitals).map(Measurement.init)
            positions = details.fixes.map(Position.init)
            person = IncidentMessage.Person(details, on: openedAt.dateUTC)
            address = details.enrolment.address
            addressNotes = details.enrolment.addressNotes
            contacts = details.enrolment.contacts
            abortWindowS = details.enrolment.abortWindowSeconds
            supersedes = details.supersedes
        }
    }

    let format = "trackme-incident-file"
    let version = Self.version
    let madeAt: Timestamp
    let incident: IncidentView
    /// Since when it is kept without contacts, address and medical reason: the person is erased.
    let restrictedAt: Timestamp?
    /// Absent when it cannot be read.
    let told: Told?
    /// What contacts were told of it, first to last; none when the person is erased.
    let contactsTold: [ContactTold]

    init(
        _ incident: IncidentView, _ details: IncidentDetails?, contactsTold: [ContactTold] = [],
        restrictedAt: Timestamp? = nil, at now: Timestamp
    ) {
        madeAt = now
        self.restrictedAt = restrictedAt
        self.contactsTold = contactsTold
        self.incident = incident
        told = details.map { Told($0, openedAt: incident.openedAt) }
    }
}
