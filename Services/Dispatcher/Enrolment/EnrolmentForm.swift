import Domain
import HTTP
import Primitives

/// What a person sends to enrol or to change the enrolment (SOS-01).
struct EnrolmentForm: Sendable, Decodable {
    static let clausesVersion = "2026-01"

    var clausesVersion: String
    var callbackPhone: PhoneNumber
    var contacts: [EmergencyContact]
    var conditions: [String]
    var medication: [String]
    var languages: [String]
    var addressNotes: String?
    var abortWindowSeconds: Int
    var rules: RuleSet

    enum CodingKeys: String, CodingKey {
        case contacts, conditions, medication, languages, rules, clausesVersion, callbackPhone, addressNotes
        case abortWindowSeconds = "abort_window_s"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        clausesVersion = try container.decode(String.self, forKey: .clausesVersion)
        callbackPhone = try container.decode(PhoneNumber.self, forKey: .callbackPhone)
        contacts = try container.decodeIfPresent([EmergencyContact].self, forKey: .contacts) ?? []
        conditions = try Self.texts(container, .conditions)
        medication = try Self.texts(container, .medication)
        languages = try Self.texts(container, .languages)
        addressNotes = try container.decodeIfPresent(String.self, forKey: .addressNotes)
        abortWindowSeconds = try container.decodeIfPresent(Int.self, forKey: .abortWindowSeconds) ?? 0
        rules = try container.decodeIfPresent(RuleSet.self, forKey: .rules) ?? .standard
    }

    /// One text or several.
    private static func texts(
        _ container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) throws -> [String] {
        if (try? container.nestedUnkeyedContainer(forKey: key)) != nil {
            return try container.decode([String].self, forKey: key)
        }
        let text = try container.decodeIfPresent(String.self, forKey: key) ?? ""
        return text.isEmpty ? [] : [text]
    }

    /// Throws 422 for the first thing that cannot be.
    func check() throws(Problem) {
        guard clausesVersion == Self.clausesVersion else {
            throw Problem(
                .unprocessableContent, code: "clauses-not-accepted",
                detail: "the clauses in force are version \(Self.clausesVersion)",
                errors: [.init(pointer: "/clauses_version", detail: "must be \(Self.clausesVersion)")])
        }
        guard contacts.count <= EnrolmentDetails.contactsMax else {
            throw Self.invalid("/contacts", "at most \(EnrolmentDetails.contactsMax) contacts")
        }
        for (index, contact) in contacts.enumerated() {
            try Self.check(contact.name, "/contacts/\(index)/name", bytesMax: EnrolmentDetails.nameBytesMax)
        }
        try Self.check(conditions, "/conditions")
        try Self.check(medication, "/medication")
        guard languages.count <= EnrolmentDetails.languagesMax, languages.allSatisfy(Self.isLanguageTag) else {
            throw Self.invalid("/languages", "at most \(EnrolmentDetails.languagesMax) language tags such as \"it\"")
        }
        if let addressNotes {
            try Self.check(addressNotes, "/address_notes", bytesMax: EnrolmentDetails.notesBytesMax)
        }
        guard (0...EnrolmentDetails.abortWindowSecondsMax).contains(abortWindowSeconds) else {
            throw Self.invalid("/abort_window_s", "0 to \(EnrolmentDetails.abortWindowSecondsMax) seconds")
        }
    }

    func details(bornOn birthDate: CalendarDate) -> EnrolmentDetails {
        EnrolmentDetails(
            birthDate: birthDate, callbackPhone: callbackPhone, contacts: contacts, conditions: conditions,
            medication: medication, languages: languages, addressNotes: addressNotes,
            abortWindowSeconds: abortWindowSeconds)
    }

    private static func check(_ texts: [String], _ pointer: String) throws(Problem) {
        guard texts.count <= EnrolmentDetails.entriesMax else {
            throw invalid(pointer, "at most \(EnrolmentDetails.entriesMax) entries")
        }
        for (index, text) in texts.enumerated() {
            try check(text, "\(pointer)/\(index)", bytesMax: EnrolmentDetails.entryBytesMax)
        }
    }

    private static func check(_ text: String, _ pointer: String, bytesMax: Int) throws(Problem) {
        guard (1...bytesMax).contains(text.utf8.count) else {
            throw invalid(pointer, "1 to \(bytesMax) bytes of UTF-8")
        }
        // What people read on a dispatcher's screen, and never six bytes for one in JSON.
        guard text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw invalid(pointer, "no control characters")
        }
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func invalid(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: "invalid-enrolment", detail: "\(pointer): \(detail)",
            errors: [.init(pointer: pointer, detail: detail)])
    }
}
