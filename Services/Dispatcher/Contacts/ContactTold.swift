import Domain
import Postgres
import Primitives

/// One message to a contact about an incident, and what became of it, for the incident's file (SOS-14).
struct ContactTold: Encodable, Sendable {
    /// The name; absent when the incident's contacts cannot be read.
    let contact: String?
    let channel: ContactMessage.Channel
    let about: ContactMessage.Kind
    let state: ContactMessage.State
    /// Who was given it last; absent for e-mail, and before anybody was.
    let hook: String?
    let attempts: Int
    /// Why the last attempt failed: a word of the program.
    let fault: String?
    /// When it was put into the queue.
    let createdAt: Timestamp
    /// When it came into its state.
    let changedAt: Timestamp
}

extension OwnContacts {
    /// Messages about an incident in its file. Five contacts by three channels have about a hundred, unless services come and go.
    static let toldMax: Int64 = 500

    /// What was told of an incident, first to last. `contacts` are those who stand in it.
    func told(of incident: UUID, to contacts: [EmergencyContact]) async throws(PostgresError) -> [ContactTold] {
        let rows = try await database.rows(
            """
            select account, contact, channel, kind, state, hook, attempts, fault, created_at, changed_at
            from contact_message where incident = \(incident) order by created_at, id limit \(Self.toldMax)
            """)
        guard let first = rows.first else { return [] }
        let account: UUID = try first["account"]
        let names = Dictionary(
            contacts.map { (keys.key(of: $0, of: account), $0.name) }, uniquingKeysWith: { first, _ in first })
        var told: [ContactTold] = []
        for row in rows {
            let (contact, attempts): ([UInt8], Int32) = (try row["contact"], try row["attempts"])
            told.append(
                ContactTold(
                    contact: names[contact], channel: try row["channel"], about: try row["kind"],
                    state: try row["state"], hook: try row["hook"], attempts: Int(attempts), fault: try row["fault"],
                    createdAt: try row["created_at"], changedAt: try row["changed_at"]))
        }
        return told
    }
}
