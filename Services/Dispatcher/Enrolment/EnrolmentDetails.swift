import Domain
import Primitives

/// Somebody to be told of an emergency (SOS-09).
struct EmergencyContact: Sendable, Equatable, Codable {
    var name: String
    var phone: PhoneNumber
    var email: EmailAddress?
}

/// What is kept of an enrolled person, sealed.
struct EnrolmentDetails: Sendable, Equatable, Codable {
    static let contactsMax = 5
    // All texts together fit into a message to an ambulance service (`IncidentMessage.bytesMax`).
    static let nameLimits = TextLimits(charactersMax: 120, bytesMax: 240)
    static let entriesMax = 20
    static let entryLimits = TextLimits(charactersMax: 120, bytesMax: 240)
    static let reasonLimits = TextLimits(charactersMax: 300, bytesMax: 600)
    static let notesLimits = TextLimits(charactersMax: 1000, bytesMax: 2000, lines: .many)
    static let languagesMax = 8
    /// Seconds that the wearer may be given to say that it is a false alarm (SOS-08).
    static let abortWindowSecondsMax = 60

    var birthDate: CalendarDate
    var callbackPhone: PhoneNumber
    var contacts: [EmergencyContact]
    var conditions: [String]
    var medication: [String]
    /// BCP 47 language tags.
    var languages: [String]
    /// Why somebody younger wants to be watched (SOS-01c).
    var medicalReason: String?
    var address: HomeAddress?
    /// How to get in; only with an address.
    var addressNotes: String?
    var abortWindowSeconds: Int

    enum CodingKeys: String, CodingKey {
        case contacts, conditions, medication, languages, birthDate, callbackPhone, medicalReason, address, addressNotes
        case abortWindowSeconds = "abort_window_s"
    }
}
