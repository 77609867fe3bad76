import Postgres
import Primitives
import Reactor

/// The table of people's wrapped keys (`Migrations/keys-0001-start.sql`), in the key store's database.
struct KeyStore: Sendable {
    /// The state of one person's key.
    enum Stored: Sendable, Equatable {
        case wrapped([UInt8])
        case destroyed
    }

    let database: Database

    /// The stored keys of these people, after adding those of `new` for people without one: of several that add at the
    /// same time one wins, and all get the winner's key. One commit for all.
    func keys(
        of accounts: [UUID], adding new: [UUID: [UInt8]], deadline: Deadline? = nil
    ) async throws -> [UUID: Stored] {
        var statements: [SQL] = []
        if !new.isEmpty {
            // In the same order everywhere, so that two inserts do not deadlock.
            let ordered = new.sorted { $0.key < $1.key }
            statements.append(
                """
                insert into subject_key (account_id, wrapped)
                select * from unnest(\(ordered.map(\.key)), \(ordered.map(\.value)))
                on conflict (account_id) do nothing
                """)
        }
        statements.append("select account_id, wrapped from subject_key where account_id = any(\(accounts))")
        guard let rows = try await database.runBatch(statements, deadline: deadline).last else { return [:] }
        return try Dictionary(
            uniqueKeysWithValues: rows.decode(as: UUID.self, [UInt8]?.self).map { account, wrapped in
                (account, wrapped.map(Stored.wrapped) ?? .destroyed)
            })
    }

    /// Destroys a key, also one that was never made; a second call has no effect.
    func destroy(_ account: UUID) async throws(PostgresError) {
        try await database.execute(
            """
            insert into subject_key (account_id, wrapped, destroyed_at) values (\(account), null, now())
            on conflict (account_id) do update
            set wrapped = null, destroyed_at = coalesce(subject_key.destroyed_at, excluded.destroyed_at)
            """)
    }
}
