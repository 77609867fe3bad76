import Postgres
import Primitives
public import Security

extension AuditTrail {
    /// Entries checked in one step.
    private static let pageCount = 1000
    /// Nothing younger is deleted, whatever the deployment says: `audit-tables.sql` refuses less than a year.
    static let daysMin = 366

    /// The last entry, and the last one that was deleted.
    private func heads() async throws -> (head: AuditChain, start: AuditChain) {
        let heads = try await database.queryOne(
            "select sequence, hash, first_sequence, first_hash from \(sql: prefix)audit_head",
            as: Int64.self, [UInt8].self, Int64.self, [UInt8].self)
        guard let (sequence, hash, firstSequence, firstHash) = heads else {
            throw SecurityError.auditBroken(sequence: 0, .head)
        }
        return (AuditChain(sequence: sequence, hash: hash), AuditChain(sequence: firstSequence, hash: firstHash))
    }

    /// The head, with all that waits tied to it; published regularly, once it is on disk (`settle`), so that nobody can rewrite what came
    /// before.
    public func head() async throws -> AuditChain {
        try await tie()
        return try await heads().head
    }

    /// Waits until all that was tied is on disk.
    func settle() async throws(PostgresError) {
        try await database.execute("select \(sql: prefix)audit_settle()")
    }

    /// Entries are kept for five years, unless the deployment says otherwise. The oldest are deleted, and the rest is
    /// checked from the last deleted one on.
    public var retention: RetentionRule {
        RetentionRule("audit", days: 1826, daysMin: Self.daysMin) { time in
            let deleted = try await database.queryOne(
                "select \(sql: prefix)audit_delete(\(time))", as: Int32.self)
            return Int(deleted ?? 0)
        }
    }

    /// Reads and checks the trail from a head that was known before (without one, all that is kept). Throws
    /// `SecurityError.auditBroken`; returns the head.
    public func verify(from known: AuditChain? = nil) async throws -> AuditChain {
        try await tie()
        let (head, start) = try await heads()
        var chain = known ?? start
        guard chain.sequence >= start.sequence else {
            throw SecurityError.auditBroken(sequence: start.sequence, .deleted)
        }
        while chain.sequence < head.sequence {
            let entries = try await database.query(
                """
                select sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash
                from \(sql: prefix)audit_entry
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

    /// What is hashed of an entry: the same as `audit_tie` hashes.
    private static func fields(_ row: PostgresRow) throws(PostgresError) -> [AuditEntry.Field] {
        let time = try row.decode("recorded_at", as: Timestamp.self)
        let (pseudonym, asker) = (
            try row.decode("pseudonym", as: UUID?.self), try row.decode("on_behalf_of", as: UUID?.self)
        )
        return [
            .init("time", String(time.milliseconds)), .init("actor", try row.decode("actor", as: String.self)),
            .init("action", try row.decode("action", as: String.self)), .init("pseudonym", pseudonym?.description),
            .init("purpose", try row.decode("purpose", as: String.self)), .init("on_behalf_of", asker?.description),
        ]
    }
}
