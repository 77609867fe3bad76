import Postgres
import Primitives
import Reactor
import Security
import Service

/// The log of who read whose personal data and why: append-only, each entry tied to all before it (NFR-06).
///
/// An entry is committed with what was read (`noting`), or in the transaction of what it is about, so it is there before the answer
/// is. Entries of many at the same time wait for nobody: they are tied to each other in groups, by one replica after the other, within
/// about `interval` (`tie`). Who can write to the database could leave one out before that, as he could write all of them anew
/// that came after the last published head (`AuditWatch`).
struct AuditTrail: Sendable {
    /// How often entries that wait are tied to the others.
    static let interval = Duration.seconds(1)
    /// Entries checked or deleted in one step …
    private static let pageCount = 1000
    /// … and tied: what that takes, here and in the database, is not felt by look-ups between two groups.
    private static let tiedMax = 16

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

    // MARK: Writing

    /// A statement that writes one entry, for the beginning (`with`) of the one that reads: both happen together. `pseudonym` and
    /// `onBehalfOf` are expressions, such as `(select pseudonym from found)`.
    func noting(
        _ action: String, by actor: String, purpose: String, of pseudonym: SQL, onBehalfOf: SQL
    ) -> SQL {
        """
        insert into audit_waiting (recorded_at, actor, action, pseudonym, purpose, on_behalf_of)
        values (\(time), \(actor), \(action), \(sql: pseudonym), \(purpose), \(sql: onBehalfOf))
        """
    }

    /// Writes several, in the transaction of what they are about.
    func append(_ readings: [Reading], in session: some SQLSession) async throws {
        guard !readings.isEmpty else { return }
        // Arrays hold no nulls.
        let none = UUID(high: 0, low: 0)
        try await session.execute(
            """
            insert into audit_waiting (recorded_at, actor, action, pseudonym, purpose, on_behalf_of)
            select \(time), actor, action, nullif(pseudonym, \(none)), purpose, nullif(on_behalf_of, \(none))
            from unnest(\(readings.map(\.actor)), \(readings.map(\.action)), \(readings.map { $0.pseudonym ?? none }),
              \(readings.map(\.purpose)), \(readings.map { $0.onBehalfOf ?? none }))
              e (actor, action, pseudonym, purpose, on_behalf_of)
            """)
    }

    /// Whole milliseconds, so that what is read back hashes the same wherever it was.
    private var time: Timestamp { Timestamp(milliseconds: store.now().milliseconds) }

    /// Rest after tying so many, times what that took: many entries that wait (of people who were provisioned) take a quarter of
    /// the time that look-ups need, too.
    private static let restFactor = 3

    /// Ties all entries that wait to the last one, in the order in which they were written.
    func tie() async throws {
        // By the index: the rows that were tied before, and are not cleaned up yet, lie before the first that waits.
        var first = try await store.database.queryOne(
            "select number from audit_waiting order by number limit 1", as: Int64.self)
        while let from = first {
            let start = Deadline.now()
            first = try await tieSome(from: from)
            if first != nil { try await EventLoop.current?.sleep(for: Deadline.now().since(start) * Self.restFactor) }
        }
    }

    /// Ties the next ones from a number on; the number to go on from, unless there are no more. What is committed late, with a number
    /// before that, is tied the next time.
    private func tieSome(from first: Int64) async throws -> Int64? {
        try await store.transaction { transaction -> Int64? in
            guard var chain = try await Self.heads("for update", in: transaction)?.head else {
                throw StoredValueError(column: "audit_head")
            }
            let waiting = try await transaction.query(
                """
                select number, recorded_at, actor, action, pseudonym, purpose, on_behalf_of from audit_waiting
                where number >= \(first) order by number limit \(Self.tiedMax)
                """
            ) { row throws(PostgresError) in
                (number: try row.decode("number", as: Int64.self), fields: try Self.fields(row))
            }
            guard let last = waiting.last?.number else { return nil }
            let entries = waiting.map { chain.append($0.fields) }
            try await transaction.batch([
                """
                with tied as (
                  delete from audit_waiting where number = any(\(waiting.map(\.number)))
                  returning number, recorded_at, actor, action, pseudonym, purpose, on_behalf_of)
                insert into audit_entry (sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash)
                select e.sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, e.hash
                from tied join unnest(
                  \(waiting.map(\.number)), \(entries.map(\.sequence)), \(entries.map(\.hash))) e (number, sequence, hash)
                  using (number)
                """,
                "update audit_head set sequence = \(chain.sequence), hash = \(chain.hash)",
            ])
            return waiting.count == Self.tiedMax ? last + 1 : nil
        }
    }

    /// What is hashed of an entry, as a row has it.
    private static func fields(_ row: PostgresRow) throws(PostgresError) -> [AuditEntry.Field] {
        let reading = Reading(
            actor: try row["actor"], action: try row["action"], pseudonym: try row["pseudonym"],
            purpose: try row["purpose"], onBehalfOf: try row["on_behalf_of"])
        return fields(reading, try row["recorded_at"])
    }

    // MARK: Proving

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

    /// The head, with all that waits tied to it; published regularly so that nobody can rewrite what came before.
    func head() async throws -> AuditChain {
        try await tie()
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
        try await tie()
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
                AuditEntry(sequence: try row["sequence"], fields: try Self.fields(row), hash: try row["hash"])
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
