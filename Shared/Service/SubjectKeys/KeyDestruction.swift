public import Postgres
public import Primitives
import Security

/// Destroys keys whose rows are gone (ACC-12). Which they are stands in the transaction that deletes the rows: so neither a crash nor
/// a key store that is away leaves a key, and it is tried until it is done.
public struct KeyDestruction: Sendable {
    public static let interval = Duration.seconds(5)
    /// For how long it is remembered which keys were destroyed: longer than backups of the key store are kept, which bring them
    /// back.
    private static let memory = Duration.seconds(40 * 86_400)
    private static let batchMax = 500

    private let keys: SubjectKeys
    private let database: Database

    /// `database` has the table of `migration`.
    public init(of keys: SubjectKeys, in database: Database) {
        self.keys = keys
        self.database = database
    }

    /// The table of the keys that are to be destroyed, for the schema whose rows they seal.
    public static func migration(_ number: Int) -> Migration {
        let text = """
            create table key_destruction (
              subject uuid constraint key_destruction_key primary key,
              added_at timestamptz not null,
              done_at timestamptz);
            comment on table key_destruction is
              'keys of the key store whose rows are gone; remembered for 40 days: a backup of the key store, kept 30 at most, brings keys back';
            comment on column key_destruction.subject is 'whose key it is: an account, or whatever has a key of its own';
            create index key_destruction_due on key_destruction (added_at) where done_at is null;

            """
        return Migration(number, "key destruction", Array(text.utf8))
    }

    /// The keys of these subjects are to be destroyed once the transaction is committed.
    public static func add(
        _ subjects: [UUID], at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        guard !subjects.isEmpty else { return }
        try await transaction.execute(adding(subjects, at: now))
    }

    /// The same as a statement of that transaction.
    public static func adding(_ subjects: [UUID], at now: Timestamp) -> SQL {
        """
        insert into key_destruction (subject, added_at) select s, \(now) from unnest(\(subjects.sorted())) s
        on conflict on constraint key_destruction_key do update set done_at = null
        """
    }

    /// Destroys the keys that are due. `settle` is called in the transaction that notes it.
    public func run(
        at now: Timestamp, _ settle: @Sendable ([UUID], Transaction) async throws -> Void = { _, _ in }
    ) async throws {
        while true {
            let due = try await database.query(
                "select subject from key_destruction where done_at is null order by added_at limit \(Self.batchMax)",
                as: UUID.self)
            guard !due.isEmpty else { return }
            try await keys.destroy(due)
            do throws(TransactionError) {
                try await database.transaction { transaction in
                    try await transaction.execute(
                        "update key_destruction set done_at = \(now) where subject = any(\(due.sorted()))")
                    try await settle(due, transaction)
                }
            } catch { throw error.underlying }
        }
    }

    /// Whose keys were destroyed, in the order of their ids, for a key store that was restored: those after `last`,
    /// `RestoredKeyStore.pageMax` at most.
    func destroyed(after last: UUID) async throws -> [UUID] {
        try await database.query(
            """
            select subject from key_destruction where subject > \(last)
            order by subject limit \(RestoredKeyStore.pageMax)
            """, as: UUID.self)
    }

    public static func forget(at now: Timestamp) -> SQL {
        "delete from key_destruction where done_at < \(now - memory)"
    }
}
