import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// What a wearer sees of the own contacts: whether they have confirmed, and what became of the messages to them (SOS-09, SOS-13e).
struct OwnContactRoutes: Sendable {
    static let messagesMax = 100

    let enrolments: EnrolmentStore
    let contacts: OwnContacts

    func add(to routes: inout ServiceRoutes) {
        routes.on(.get, "/dispatcher/v1/contacts", access: .account(.individual)) { _, caller in
            guard let enrolment = try await enrolments.find(caller.account) else { throw EnrolmentRoutes.notEnrolled }
            return try .json(try await contacts.view(enrolment.details, of: caller.account))
        }
    }
}

/// Contacts and messages as their person sees them, and downloads them (ACC-13).
struct OwnContacts: Sendable {
    struct View: Encodable, Sendable {
        let contacts: [Contact]
        /// Newest first.
        let messages: [Message]
    }

    struct Contact: Encodable, Sendable {
        let name: String
        let phone: PhoneNumber
        let email: EmailAddress?
        let answer: ContactStore.State
        let askedAt: Timestamp?
        let answeredAt: Timestamp?
    }

    struct Message: Encodable, Sendable {
        /// Absent for a contact who is no longer one.
        let contact: String?
        let channel: ContactMessage.Channel
        let about: ContactMessage.Kind
        let incident: UUID?
        let state: ContactMessage.State
        let createdAt: Timestamp
        let changedAt: Timestamp
    }

    let database: Database
    let keys: ContactKeys

    func view(_ details: EnrolmentDetails, of account: UUID) async throws -> View {
        let results = try await database.runBatch([
            "select contact, state, asked_at, answered_at from contact where account = \(account)",
            """
            select contact, channel, kind, incident, state, created_at, changed_at from contact_message
            where account = \(account) order by created_at desc limit \(OwnContactRoutes.messagesMax)
            """,
        ])
        let known = Dictionary(
            try results[0].decode(
                as: [UInt8].self, ContactStore.State.self, Timestamp?.self, Timestamp?.self
            ).map { ($0.0, $0) }, uniquingKeysWith: { first, _ in first })
        var names: [[UInt8]: String] = [:]
        let contacts = details.contacts.map { contact in
            let key = keys.key(of: contact, of: account)
            names[key] = contact.name
            let row = known[key]
            return Contact(
                name: contact.name, phone: contact.phone, email: contact.email, answer: row?.1 ?? .asked,
                askedAt: row?.2, answeredAt: row?.3)
        }
        let messages = try results[1].decode(
            as: [UInt8].self, ContactMessage.Channel.self, ContactMessage.Kind.self, UUID?.self,
            ContactMessage.State.self, Timestamp.self, Timestamp.self
        ).map {
            Message(
                contact: names[$0.0], channel: $0.1, about: $0.2, incident: $0.3, state: $0.4, createdAt: $0.5,
                changedAt: $0.6)
        }
        return View(contacts: contacts, messages: messages)
    }
}
