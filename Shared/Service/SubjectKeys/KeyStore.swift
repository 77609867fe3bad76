public import Postgres
public import Primitives
public import Reactor

/// The table of people's wrapped keys (`KeyStoreSchema`), in the key store's database.
public struct KeyStore: Sendable {
    /// The state of one person's key.
    public enum Stored: Sendable, Equatable {
        case wrapped([UInt8])
        case destroyed
    }

    /// How long an answer is waited for unless said otherwise: others may wait for a connection or a row of whoever asks.
    public static let answerTime = Duration.seconds(3)

    public let database: Database

    public init(database: Database) {
        self.database = database
    }

    /// The stored keys of these people, after adding those of `new` for people without one: of several that add at the
    /// same time one wins, and all get the winner's key. One commit for all.
    public func keys(
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
        let deadline = deadline ?? .after(Self.answerTime)
        guard let rows = try await database.runBatch(statements, deadline: deadline).last else { return [:] }
        return try Dictionary(
            uniqueKeysWithValues: rows.decode(as: UUID.self, [UInt8]?.self).map { account, wrapped in
                (account, wrapped.map(Stored.wrapped) ?? .destroyed)
            })
    }

    /// Destroys keys, also those that were never made; a second call has no effect.
    public func destroy(_ accounts: some Collection<UUID>) async throws(PostgresError) {
        try await database.execute(
            """
            insert into subject_key (account_id, wrapped, destroyed_at) select a, null, now() from unnest(\(accounts.sorted())) a
            on conflict (account_id) do update
            set wrapped = null, destroyed_at = coalesce(subject_key.destroyed_at, excluded.destroyed_at)
            """)
    }

    /// Deletes keys that have sealed nothing, without a trace of them.
    func remove(_ accounts: some Collection<UUID>) async throws(PostgresError) {
        try await database.execute(
            "delete from subject_key where account_id = any(\(accounts.sorted())) and wrapped is not null")
    }
}
