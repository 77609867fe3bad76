import Contracts
import Domain
import Primitives

/// A person whom AutomatedSOS watches.
struct Enrolment: Sendable {
    var account: UUID
    var version: Int64
    var rules: RuleSet
    var clausesVersion: String
    var details: EnrolmentDetails
    var enrolledAt: Timestamp
    /// When this version of the clauses was accepted.
    var clausesAcceptedAt: Timestamp
    /// Nobody watches until then.
    var pausedUntil: Timestamp?
}

/// What a person is shown of the own enrolment.
struct EnrolmentView: Encodable {
    let isActive = true
    let rules: RuleSet
    let rulesVersion: Int
    let clausesVersion: String
    let clausesAcceptedAt: Timestamp
    /// The version in force: who has accepted another one is watched all the same, and is asked anew.
    let clausesInForce = Dispatcher.clausesVersion
    let grantsEmergencyCalls = true
    let enrolledAt: Timestamp
    let pausedUntil: Timestamp?
    let callbackPhone: PhoneNumber
    let contacts: [EmergencyContact]
    let conditions: [String]
    let medication: [String]
    let languages: [String]
    let medicalReason: String?
    let address: HomeAddress?
    let addressNotes: String?
    /// Seconds.
    let abortWindowS: Int
    /// What is watched, and what is not for lack of readings; only where the monitor is at hand.
    let watches: [WatchedSign]?

    init(_ enrolment: Enrolment, watches: [WatchedSign]? = nil) {
        self.watches = watches
        let details = enrolment.details
        rules = enrolment.rules
        rulesVersion = enrolment.rules.version
        clausesVersion = enrolment.clausesVersion
        clausesAcceptedAt = enrolment.clausesAcceptedAt
        enrolledAt = enrolment.enrolledAt
        pausedUntil = enrolment.pausedUntil
        callbackPhone = details.callbackPhone
        contacts = details.contacts
        conditions = details.conditions
        medication = details.medication
        languages = details.languages
        medicalReason = details.medicalReason
        address = details.address
        addressNotes = details.addressNotes
        abortWindowS = details.abortWindowSeconds
    }
}
