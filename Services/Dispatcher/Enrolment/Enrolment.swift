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
    let enrolment: Enrolment

    private enum CodingKeys: String, CodingKey {
        case rules, contacts, conditions, medication, languages, isActive, rulesVersion, clausesVersion, enrolledAt,
            callbackPhone, addressNotes
        case abortWindowSeconds = "abort_window_s"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .isActive)
        try container.encode(enrolment.rules, forKey: .rules)
        try container.encode(enrolment.rules.version, forKey: .rulesVersion)
        try container.encode(enrolment.clausesVersion, forKey: .clausesVersion)
        try container.encode(enrolment.enrolledAt, forKey: .enrolledAt)
        let details = enrolment.details
        try container.encode(details.callbackPhone, forKey: .callbackPhone)
        try container.encode(details.contacts, forKey: .contacts)
        try container.encode(details.conditions, forKey: .conditions)
        try container.encode(details.medication, forKey: .medication)
        try container.encode(details.languages, forKey: .languages)
        try container.encodeIfPresent(details.addressNotes, forKey: .addressNotes)
        try container.encode(details.abortWindowSeconds, forKey: .abortWindowSeconds)
    }
}
