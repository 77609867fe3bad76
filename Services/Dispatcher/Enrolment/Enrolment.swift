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
}

/// What a person is shown of the own enrolment.
struct EnrolmentView: Encodable {
    let isActive = true
    let rules: RuleSet
    let rulesVersion: Int
    let clausesVersion: String
    let enrolledAt: Timestamp
    let callbackPhone: PhoneNumber
    let contacts: [EmergencyContact]
    let conditions: [String]
    let medication: [String]
    let languages: [String]
    let addressNotes: String?
    /// Seconds.
    let abortWindowS: Int

    init(_ enrolment: Enrolment) {
        let details = enrolment.details
        rules = enrolment.rules
        rulesVersion = enrolment.rules.version
        clausesVersion = enrolment.clausesVersion
        enrolledAt = enrolment.enrolledAt
        callbackPhone = details.callbackPhone
        contacts = details.contacts
        conditions = details.conditions
        medication = details.medication
        languages = details.languages
        addressNotes = details.addressNotes
        abortWindowS = details.abortWindowSeconds
    }
}
