import Postgres
import Primitives
import Security

/// The keys of publications of rollups, in the key store, made and wrapped as people's keys are. A publication's values are
/// readable for as long as its key is kept; a consumer that comes later asks for the day again.
struct PublicationKeys: Sendable {
    /// How long a key is kept.
    static let daysKept: Int32 = 7

    let database: Database
    let cipher: FieldCipher

    /// Makes and stores the key of a new publication, before anything is sealed with it.
    func make(for publication: UUID) async throws -> SubjectKey {
        let key = SubjectKey.random()
        try await database.execute(
            """
            insert into publication_key (publication, wrapped)
            values (\(publication), \(key.wrapped(of: publication, with: cipher)))
            """)
        return key
    }

    /// The keys that are still kept, or for each that cannot be unwrapped the reason.
    func keys(of publications: Set<UUID>) async throws -> [UUID: Result<SubjectKey, SecurityError>] {
        guard !publications.isEmpty else { return [:] }
        let rows = try await database.query(
            "select publication, wrapped from publication_key where publication = any(\(publications.sorted()))",
            as: UUID.self, [UInt8].self)
        return Dictionary(
            uniqueKeysWithValues: rows.map { publication, wrapped in
                (
                    publication,
                    Result { () throws(SecurityError) in
                        try SubjectKey(unwrapping: wrapped, of: publication, with: cipher)
                    }
                )
            })
    }

    /// Destroys the keys that were made more than `daysKept` ago.
    func destroyOld() async throws {
        try await database.execute(
            "delete from publication_key where made_at < now() - \(Self.daysKept) * interval '1 day'")
    }
}
