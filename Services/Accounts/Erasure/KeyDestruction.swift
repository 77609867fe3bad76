import Postgres
import Primitives
import Service

/// Destroys the keys of accounts that are gone (ACC-12). Whose they are stands in the transaction that deletes the account: so neither
/// a crash nor a key store that is away leaves a key, and it is tried until it is done.
struct KeyDestruction: Sendable {
    static let interval = Duration.seconds(5)
    /// For how long it is remembered whose keys were destroyed: longer than backups of the key store are kept, which bring them
    /// back.
    private static let memory = Duration.seconds(40 * 86_400)
    private static let batchMax = 500

    let store: Store

    /// The keys of these accounts are to be destroyed once the transaction is committed.
    static func add(_ accounts: [UUID], at now: Timestamp, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            insert into key_destruction (account, added_at) select a, \(now) from unnest(\(accounts.sorted())) a
            on conflict on constraint key_destruction_key do update set done_at = null
            """)
    }

    /// Destroys the keys that are due. `settle` is called in the transaction that notes it.
    func run(_ settle: @Sendable ([UUID], Transaction) async throws -> Void) async throws {
        while true {
            let due = try await store.database.query(
                "select account from key_destruction where done_at is null order by added_at limit \(Self.batchMax)",
                as: UUID.self)
            guard !due.isEmpty else { return }
            try await store.keys.destroy(due)
            try await store.transaction { transaction in
                try await transaction.execute(
                    "update key_destruction set done_at = \(store.now()) where account = any(\(due.sorted()))")
                try await settle(due, transaction)
            }
        }
    }

    /// Whose keys were destroyed, in the order of their ids, for a key store that was restored.
    func destroyed(after last: UUID, max: Int) async throws -> [UUID] {
        try await store.database.query(
            "select account from key_destruction where account > \(last) order by account limit \(max)", as: UUID.self)
    }

    static func forget(at now: Timestamp) -> SQL {
        "delete from key_destruction where done_at < \(now - memory)"
    }
}
