import Domain
import Primitives

/// All that is kept of an incident, for the person, the family and a court (SOS-14): every step, measurement, rule and time. All times
/// are UTC, by the clock of the dispatcher's database; those of measurements are the devices', brought to that clock.
struct IncidentFile: Encodable, Sendable {
    /// Changes when a member changes its meaning.
    static let version = 1

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

    /// What was known when the incident was opened or changed last, and told to the ambulance services.
    struct Told: Encodable, Sendable {
        let causes: [Cause]
        let sosPressed: Timestamp?
        let sosPressedOn: ManualCall.Caller?
        let measurements: [IncidentMessage.Vital]
        let positions: [IncidentMessage.Fix]
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
            measurements = (details.measured ?? details.vitals).map(IncidentMessage.Vital.init)
            positions = details.fixes.map(IncidentMessage.Fix.init)
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
