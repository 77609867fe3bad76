import JSON
import Postgres
import Primitives
import Security
import Service

/// What is known of an incident, as it rests (NFR-05, ACC-12e): while somebody has to look after it, sealed with the service's key,
/// so that no alarm waits for the key store; afterwards with a key of its own, which is destroyed with the incident.
struct IncidentSealing: Sendable {
    /// Of those that somebody has to look after.
    static let openColumn = SealedColumn("incident", "details", location: "dispatcher.incident.details")
    private static let (details, record) = ("dispatcher.incident.details", "dispatcher.incident.record")

    /// An incident's columns.
    struct Stored: Sendable, Equatable {
        /// With the service's key …
        let details: [UInt8]?
        /// … or with its own.
        let record: [UInt8]?
        /// Its own key, in the key store.
        let key: UUID?

        init(_ row: PostgresRow) throws(PostgresError) {
            details = try row["details"]
            record = try row["record"]
            key = try row["record_key"]
        }
    }

    let keys: SubjectKeys
    private var cipher: FieldCipher { keys.cipher }

    func seal(_ known: IncidentDetails, of incident: UUID) throws(JSONError) -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(known), at: FieldLocation(Self.details, row: incident))
    }

    func open(_ sealed: [UInt8], of incident: UUID) throws -> IncidentDetails {
        try JSONDecoder().decode(
            IncidentDetails.self, from: try cipher.open(sealed, at: FieldLocation(Self.details, row: incident)))
    }

    func seal(_ known: IncidentDetails, of incident: UUID, with key: SubjectKey) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(known), at: FieldLocation(Self.record, row: incident))
    }

    /// `held` are the keys of such incidents. Errors: `KeyMissing`, that of a key that cannot be had now, `SecurityError`.
    func open(_ stored: Stored, of incident: UUID, with held: SubjectKeySet) throws -> IncidentDetails {
        if let details = stored.details { return try open(details, of: incident) }
        guard let record = stored.record, let key = stored.key else { throw KeyMissing() }
        let place = FieldLocation(Self.record, row: incident)
        return try JSONDecoder().decode(IncidentDetails.self, from: try held.key(of: key).open(record, at: place))
    }
}
