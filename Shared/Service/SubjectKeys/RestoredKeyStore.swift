public import Postgres
public import Primitives

/// Destroys the keys that came back with a backup of the key store: of all whose accounts were erased (ACC-12).
public struct RestoredKeyStore: Sendable {
    public static let pageMax = 500

    private let restored: RestoredDatabase
    private let keys: SubjectKeys
    private let erased: @Sendable (UUID) async throws -> [UUID]

    /// `erased` tells whose keys were destroyed, in the order of their ids: those after an id, `pageMax` at most.
    public init<Settings>(
        _ keys: SubjectKeys, _ context: ServiceContext<Settings>,
        erased: @escaping @Sendable (_ after: UUID) async throws -> [UUID]
    ) {
        self.keys = keys
        self.erased = erased
        restored = RestoredDatabase(keys.store.database, context.withholding, log: context.log)
    }

    /// The same for those whose account was erased, as a service's table `erasure` notes them.
    public init<Settings>(
        _ keys: SubjectKeys, _ context: ServiceContext<Settings>, erasuresIn database: Database
    ) {
        self.init(keys, context) { last in
            try await database.query(
                """
                select distinct account from erasure where account > \(last) and scope = 'account'
                order by account limit \(Self.pageMax)
                """, as: UUID.self)
        }
    }

    /// Call before the service serves.
    public func destroyAgain() async throws {
        try await restored.look()
        guard restored.behind != nil else { return }
        var last = UUID(high: 0, low: 0)
        while true {
            let accounts = try await erased(last)
            guard let next = accounts.last else { break }
            try await keys.destroy(accounts)
            last = next
        }
        try await restored.settle()
    }
}
