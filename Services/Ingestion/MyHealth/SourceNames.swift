import Postgres
import Primitives
import Security
import Service

/// What the sources of a person's samples are called in the person's own tables: a file's source as the file called it, and others
/// so that they stay apart from each other when a table is imported again.
struct SourceNames: Sendable {
    private var names: [Int16: String] = [0: "manual", ArrivalGroup.furtherImports: "further imports"]

    /// A source that is not known yet has no name.
    func name(of source: Int16) -> String { names[source] ?? "" }

    /// Errors: the database's and the key store's, and `SecurityError`.
    init(of account: UUID, in database: Database, _ keys: SubjectKeys) async throws {
        let rows = try await database.query(
            """
            select s.number, case when s.kind = 'device' then s.identity end, s.name from source s
            where s.person = (select number from person where account_id = \(account))
            """, as: Int16.self, UUID?.self, [UInt8]?.self)
        guard !rows.isEmpty, let key = try await keys.existingKeys(of: [account])[account] else { return }
        for (number, device, name) in rows {
            if let device { names[number] = "device \(device)" }
            if let name {
                names[number] = String(
                    decoding: try key.open(name, at: SealedLocation.sourceName(of: account)), as: UTF8.self)
            }
        }
    }
}
