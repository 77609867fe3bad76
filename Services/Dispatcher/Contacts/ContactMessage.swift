import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// One message to one contact by one channel, as it waits in the queue.
struct ContactMessage: Sendable {
    enum Channel: String, Sendable, Codable, CaseIterable, PostgresCodable {
        case sms, call, email

        /// The kind of hook that carries it; e-mail goes through accounts.
        var hooks: MessageHook.Kind? {
            switch self {
            case .sms: .sms
            case .call: .call
            case .email: nil
            }
        }
    }

    /// What it is about; the texts are in `ContactTexts`.
    enum Kind: String, Sendable, Codable, PostgresCodable {
        /// Whether somebody wants to be a contact.
        case question
        case emergency, accepted, unanswered, over
        case handedBack = "handed-back"
        /// A rule that concerns the contacts only.
        case rule
        /// A critical state that was read too late for a call.
        case late
        case sensorLost = "sensor-lost"

        /// Those of an emergency have lanes of their own.
        var isUrgent: Bool {
            switch self {
            case .question, .sensorLost: false
            case .emergency, .accepted, .unanswered, .over, .handedBack, .rule, .late: true
            }
        }

        var channels: [Channel] {
            switch self {
            case .emergency, .unanswered, .rule: [.sms, .call, .email]
            case .question, .accepted, .over, .handedBack, .late, .sensorLost: [.sms, .email]
            }
        }
    }

    enum State: String, Sendable, Codable, PostgresCodable {
        case waiting
        /// The hook, or accounts, has taken it.
        case handedOver = "handed-over"
        case delivered
        /// A call that somebody has taken.
        case answered
        case failed
        /// It was not handed over in time.
        case expired
        /// A newer message took its place.
        case superseded
    }

    /// What is sealed with the service's key: whom it goes to, and what the text is made of.
    struct Content: Sendable, Codable, Equatable {
        var contact: EmergencyContact
        var language: Language
        /// The person's name and surname; found out when it is sent, where it is not known yet.
        var person: String?
        var callbackPhone: PhoneNumber
        /// The contact has not confirmed: neither place nor measurements.
        var isBrief: Bool
        var happenedAt: Timestamp?
        /// A data type's or a rule's name.
        var cause: String?
        /// When somebody has pressed the SOS button.
        var sosPressed: Timestamp?
        var position: StoredFix?
        var home: HomeAddress?
        var service: String?
        var outcome: IncidentOutcome?
        /// Of the link.
        var token: String?
    }

    static let column = SealedColumn("contact_message", "content", location: location)
    private static let location = "dispatcher.contact_message.content"

    let id: UUID
    let account: UUID
    let contact: [UInt8]
    let incident: UUID?
    let channel: Channel
    let kind: Kind
    let content: Content

    /// The same for the same news, contact and channel, whoever makes it.
    static func id(_ news: String, of cause: UUID, to contact: [UInt8], by channel: Channel) -> UUID {
        .named(Array("\(news) \(channel.rawValue) ".utf8) + contact, in: cause)
    }

    static func seal(_ content: Content, of message: UUID, _ cipher: FieldCipher) throws(JSONError) -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(content), at: FieldLocation(location, row: message))
    }

    static func open(_ sealed: [UInt8], of message: UUID, _ cipher: FieldCipher) throws -> Content {
        try JSONDecoder().decode(
            Content.self, from: try cipher.open(sealed, at: FieldLocation(location, row: message)))
    }
}

/// Names contacts in the database by keyed hashes: numbers can be guessed by trying all of them, hence the key.
struct ContactKeys: Sendable {
    private let contacts: BlindIndex
    private let places: BlindIndex

    init(master: SecretKey) {
        contacts = BlindIndex(master: master, column: "dispatcher.contact.contact")
        places = BlindIndex(master: master, column: "dispatcher.contact_asking.place")
    }

    /// The same as long as number and address are; a name may change.
    func key(of contact: EmergencyContact, of account: UUID) -> [UInt8] {
        contacts.index([
            account.bytes, Array(contact.phone.description.utf8), [0], Array((contact.email?.normalized ?? "").utf8),
        ])
    }

    func place(_ phone: PhoneNumber) -> [UInt8] { places.index("phone \(phone)") }
    func place(_ email: EmailAddress) -> [UInt8] { places.index("email \(email.normalized)") }
    func place(_ account: UUID) -> [UInt8] { places.index("account \(account)") }
}
