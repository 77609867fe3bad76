import Contracts
import Domain
import HTTP
import Primitives
import Service

/// What a person sends to enrol or to change the enrolment (SOS-01).
struct EnrolmentForm: Sendable, Decodable {
    static let clausesVersion = Dispatcher.clausesVersion

    var clausesVersion: String
    /// That in an emergency an ambulance service is called, and told who and where the person is and what was measured.
    var grantsEmergencyCalls: Bool
    var callbackPhone: PhoneNumber
    var contacts: [EmergencyContact]
    var conditions: [String]
    var medication: [String]
    var languages: [String]
    var medicalReason: String?
    var address: HomeAddress?
    var addressNotes: String?
    var abortWindowSeconds: Int
    var rules: RuleSet
    /// What 30 days cost, where they cost something (PAY-01).
    var acceptsPrice: Price?

    enum CodingKeys: String, CodingKey {
        case contacts, conditions, medication, languages, rules, clausesVersion, grantsEmergencyCalls, callbackPhone
        case medicalReason, address, addressNotes, acceptsPrice
        case abortWindowSeconds = "abort_window_s"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        clausesVersion = try container.decode(String.self, forKey: .clausesVersion)
        grantsEmergencyCalls = try container.decodeIfPresent(Bool.self, forKey: .grantsEmergencyCalls) ?? false
        callbackPhone = try container.decode(PhoneNumber.self, forKey: .callbackPhone)
        contacts = try container.decodeIfPresent([EmergencyContact].self, forKey: .contacts) ?? []
        conditions = try Self.texts(container, .conditions)
        medication = try Self.texts(container, .medication)
        languages = try Self.texts(container, .languages)
        medicalReason = try container.decodeIfPresent(String.self, forKey: .medicalReason)
        address = try container.decodeIfPresent(HomeAddress.self, forKey: .address)
        addressNotes = try container.decodeIfPresent(String.self, forKey: .addressNotes)
        abortWindowSeconds = try container.decodeIfPresent(Int.self, forKey: .abortWindowSeconds) ?? 0
        rules = try container.decodeIfPresent(RuleSet.self, forKey: .rules) ?? .standard
        acceptsPrice = try container.decodeIfPresent(Price.self, forKey: .acceptsPrice)
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

    /// Throws 422 with every fault of the form.
    func check() throws(Problem) {
        guard clausesVersion == Self.clausesVersion else {
            throw Problem(
                .unprocessableContent, code: "clauses-not-accepted",
                detail: "the clauses in force are version \(Self.clausesVersion)",
                errors: [.init(pointer: "/clauses_version", detail: "must be \(Self.clausesVersion)")])
        }
        guard grantsEmergencyCalls else {
            let detail = "grant that an ambulance service is called for you and told what it needs: send true"
            throw Problem(
                .unprocessableContent, code: "emergency-calls-not-granted", detail: detail,
                errors: [.init(pointer: "/grants_emergency_calls", detail: "must be true")])
        }
        let faults = faults
        guard faults.isEmpty else {
            throw Problem(
                .unprocessableContent, code: "invalid-request", detail: "some members cannot be as they are",
                errors: faults)
        }
    }

    private var faults: [Problem.FieldError] {
        var faults: [Problem.FieldError] = []
        if contacts.count > EnrolmentDetails.contactsMax {
            faults.append(.init(pointer: "/contacts", detail: "at most \(EnrolmentDetails.contactsMax) contacts"))
        }
        for (index, contact) in contacts.enumerated() {
            faults += Self.faults(in: contact.name, EnrolmentDetails.nameLimits, "/contacts/\(index)/name")
        }
        faults += Self.faults(in: conditions, "/conditions") + Self.faults(in: medication, "/medication")
        if languages.count > EnrolmentDetails.languagesMax || !languages.allSatisfy(Self.isLanguageTag) {
            faults.append(
                .init(
                    pointer: "/languages",
                    detail: "at most \(EnrolmentDetails.languagesMax) language tags such as \"it\""))
        }
        if let medicalReason {
            faults += Self.faults(in: medicalReason, EnrolmentDetails.reasonLimits, "/medical_reason")
        }
        if let address { faults += address.faults(below: "/address") }
        if let addressNotes {
            if address == nil {
                faults.append(
                    .init(
                        pointer: "/address/street",
                        detail: "notes alone are no address: send street, postal code and city"))
            }
            faults += Self.faults(in: addressNotes, EnrolmentDetails.notesLimits, "/address_notes")
        }
        if !(0...EnrolmentDetails.abortWindowSecondsMax).contains(abortWindowSeconds) {
            faults.append(
                .init(pointer: "/abort_window_s", detail: "0 to \(EnrolmentDetails.abortWindowSecondsMax) seconds"))
        }
        return faults
    }

    func details(bornOn birthDate: CalendarDate) -> EnrolmentDetails {
        EnrolmentDetails(
            birthDate: birthDate, callbackPhone: callbackPhone, contacts: contacts, conditions: conditions,
            medication: medication, languages: languages, medicalReason: medicalReason, address: address,
            addressNotes: addressNotes,
            abortWindowSeconds: abortWindowSeconds)
    }

    private static func faults(in texts: [String], _ pointer: String) -> [Problem.FieldError] {
        guard texts.count <= EnrolmentDetails.entriesMax else {
            return [.init(pointer: pointer, detail: "at most \(EnrolmentDetails.entriesMax) entries")]
        }
        return texts.enumerated().flatMap { index, text in
            faults(in: text, EnrolmentDetails.entryLimits, "\(pointer)/\(index)")
        }
    }

    private static func faults(in text: String, _ limits: TextLimits, _ pointer: String) -> [Problem.FieldError] {
        limits.fault(in: text).map { [.init(pointer: pointer, detail: $0.description)] } ?? []
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
}
