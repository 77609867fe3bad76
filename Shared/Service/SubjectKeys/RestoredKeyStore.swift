public import Postgres
import Primitives

/// Destroys the keys that came back with a backup of the key store: of all whose accounts were erased (ACC-12), and those that a service
/// has destroyed by themselves.
public struct RestoredKeyStore: Sendable {
    public static let pageMax = 500

    private let restored: RestoredDatabase
    private let keys: SubjectKeys
    private let destroyed: [@Sendable (UUID) async throws -> [UUID]]

    /// Each of `destroyed` tells whose keys were destroyed, in the order of their ids: those after an id, `pageMax` at most.
    private init<Settings>(
        _ keys: SubjectKeys, _ context: ServiceContext<Settings>,
        destroyed: [@Sendable (_ after: UUID) async throws -> [UUID]]
    ) {
        self.keys = keys
        self.destroyed = destroyed
        restored = RestoredDatabase(keys.store.database, context.withholding, log: context.log)
    }

    /// Of keys that were destroyed by `destruction`.
    public init<Settings>(
        _ keys: SubjectKeys, _ context: ServiceContext<Settings>, destroyedBy destruction: KeyDestruction
    ) {
        self.init(keys, context, destroyed: [destruction.destroyed])
    }

    /// Of those whose account was erased, as a service's table `erasure` notes them; and of keys that were destroyed by `destruction`.
    public init<Settings>(
        _ keys: SubjectKeys, _ context: ServiceContext<Settings>, erasuresIn database: Database,
        and destruction: KeyDestruction? = nil
    ) {
        let erased: @Sendable (UUID) async throws -> [UUID] = { last in
            try await database.query(
                """
                select distinct account from erasure where account > \(last) and scope = 'account'
                order by account limit \(Self.pageMax)
                """, as: UUID.self)
        }
        self.init(keys, context, destroyed: [erased] + (destruction.map { [$0.destroyed] } ?? []))
    }

    /// Call before the service serves.
    public func destroyAgain() async throws {
        try await restored.look()
        guard restored.behind != nil else { return }
        for source in destroyed {
            var last = UUID(high: 0, low: 0)
            while true {
                let subjects = try await source(last)
                guard let next = subjects.last else { break }
                try await keys.destroy(subjects)
                last = next
            }
        }
        try await restored.settle()
    }
}
