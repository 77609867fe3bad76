import Postgres
import Primitives
import Service

/// Destroys the keys that came back with a backup of the key store: of all whose accounts were erased (ACC-12).
struct RestoredKeyStore: Sendable {
    private static let pageMax = 500

    let restored: RestoredDatabase
    let keys: SubjectKeys
    /// The service's own schema, whose erasures are those of all shards.
    let database: Database

    /// Call before the service serves.
    func destroyAgain() async throws {
        try await restored.look()
        guard restored.behind != nil else { return }
        var last = UUID(high: 0, low: 0)
        while true {
            let erased = try await database.query(
                """
                select id, account from erasure where id > \(last) and kind = 'individual' and scope = 'account'
                order by id limit \(Self.pageMax)
                """, as: UUID.self, UUID.self)
            guard let next = erased.last?.0 else { break }
            for (_, account) in erased { try await keys.destroy(account) }
            last = next
        }
        try await restored.settle()
    }
}
