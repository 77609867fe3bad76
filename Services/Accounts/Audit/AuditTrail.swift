import Postgres
import Primitives
import Security
import Service

/// The log of who read whose personal data and why: append-only, each entry tied to all before it (NFR-06).
struct AuditTrail: Sendable {
    /// Entries checked or deleted in one step.
    private static let pageCount = 1000

    struct Reading: Sendable {
        /// The service that asked.
        let actor: String
        /// What it asked: the method's name.
        let action: String
        /// Whose data, by the account's pseudonym; `nil` when nobody was found.
        let pseudonym: UUID?
        let purpose: String
        /// The account that asked through the service, by its pseudonym; `nil` when the service asked for itself.
        var onBehalfOf: UUID?
    }

    let store: Store

    /// Writes the entry. What was read must not be answered before this returns. Writers wait for each other, since an
    /// entry contains the hash of the one before it.
    func append(_ reading: Reading) async throws {
        try await store.transaction { try await append([reading], in: $0) }
    }

    /// Writes several in the transaction of what they are about; as its last statements, since writers wait.
    func append(_ readings: [Reading], in transaction: Transaction) async throws {
        guard !readings.isEmpty else { return }
        guard let head = try await Self.heads("for update", in: transaction)?.head else {
            throw StoredValueError(column: "audit_head")
        }
        var chain = head
        // Whole milliseconds, so that what is read back hashes the same wherever it was.
        let now = Timestamp(milliseconds: store.now().milliseconds)
        let entries = readings.map { chain.append(Self.fields($0, now)) }
        // Arrays hold no nulls.
        let none = UUID(high: 0, low: 0)
        try await transaction.batch([
            """
            insert into audit_entry (sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash)
            select sequence, \(now), actor, action, nullif(pseudonym, \(none)), purpose, nullif(on_behalf_of, \(none)), hash
            from unnest(\(entries.map(\.sequence)), \(readings.map(\.actor)), \(readings.map(\.action)),
                \(readings.map { $0.pseudonym ?? none }), \(readings.map(\.purpose)),
                \(readings.map { $0.onBehalfOf ?? none }), \(entries.map(\.hash)))
              e (sequence, actor, action, pseudonym, purpose, on_behalf_of, hash)
            """,
            "update audit_head set sequence = \(chain.sequence), hash = \(chain.hash)",
        ])
    }

    /// The last entry, and the last one that was deleted.
    private static func heads(
        _ lock: SQL = "", in session: some SQLSession
    ) async throws(PostgresError) -> (head: AuditChain, start: AuditChain)? {
        try await session.queryOne(
            "select sequence, hash, first_sequence, first_hash from audit_head \(sql: lock)"
        ) { row throws(PostgresError) in
            (
                AuditChain(sequence: try row["sequence"], hash: try row["hash"]),
                AuditChain(sequence: try row["first_sequence"], hash: try row["first_hash"])
            )
        }
    }

    /// The head, which is published regularly so that nobody can rewrite what came before.
    func head() async throws -> AuditChain {
        guard let heads = try await Self.heads(in: store.database) else {
            throw StoredValueError(column: "audit_head")
        }
        return heads.head
    }

    /// Entries are kept for five years, unless the deployment says otherwise. The oldest are deleted, and the rest is
    /// checked from the last deleted one on.
    var retention: RetentionRule { RetentionRule("audit", days: 1826) { try await delete(before: $0) } }

    private func delete(before time: Timestamp) async throws -> Int {
        try await store.transaction { transaction in
            guard let start = try await Self.heads("for update", in: transaction)?.start else {
                throw StoredValueError(column: "audit_head")
            }
            let oldest = try await transaction.query(
                """
                select sequence, hash, recorded_at < \(time) as is_old from audit_entry
                where sequence > \(start.sequence) order by sequence limit \(Self.pageCount)
                """
            ) { row throws(PostgresError) in
                (
                    entry: AuditChain(sequence: try row["sequence"], hash: try row["hash"]),
                    isOld: try row.decode("is_old", as: Bool.self)
                )
            }.prefix(while: \.isOld)
            guard let last = oldest.last?.entry else { return 0 }
            try await transaction.batch([
                "update audit_head set first_sequence = \(last.sequence), first_hash = \(last.hash)",
                "delete from audit_entry where sequence <= \(last.sequence)",
            ])
            return oldest.count
        }
    }

    /// Reads and checks the trail from a head that was known before (without one, all that is kept). Throws
    /// `SecurityError.auditBroken`; returns the head.
    func verify(from known: AuditChain? = nil) async throws -> AuditChain {
        guard let (head, start) = try await Self.heads(in: store.database) else {
            throw StoredValueError(column: "audit_head")
        }
        var chain = known ?? start
        // The known head may have been deleted since.
        if chain.sequence < start.sequence { chain = start }
        while chain.sequence < head.sequence {
            let entries = try await store.database.query(
                """
                select sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash from audit_entry
                where sequence > \(chain.sequence) and sequence <= \(head.sequence)
                order by sequence limit \(Self.pageCount)
                """
            ) { row throws(PostgresError) in
                let reading = Reading(
                    actor: try row["actor"], action: try row["action"], pseudonym: try row["pseudonym"],
                    purpose: try row["purpose"], onBehalfOf: try row["on_behalf_of"])
                return AuditEntry(
                    sequence: try row["sequence"], fields: Self.fields(reading, try row["recorded_at"]),
                    hash: try row["hash"])
            }
            guard !entries.isEmpty else { break }
            for entry in entries { try chain.check(entry) }
        }
        guard chain == head else { throw SecurityError.auditBroken(sequence: chain.sequence, .head) }
        return head
    }

    private static func fields(_ reading: Reading, _ time: Timestamp) -> [AuditEntry.Field] {
        [
            .init("time", time.description), .init("actor", reading.actor), .init("action", reading.action),
            .init("pseudonym", reading.pseudonym?.description), .init("purpose", reading.purpose),
        ] + (reading.onBehalfOf.map { [.init("on_behalf_of", $0.description)] } ?? [])
    }
}
