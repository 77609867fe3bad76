public import Postgres
public import Primitives

extension AuditTrail {
    /// Which entries are read.
    public enum Selection: Sendable {
        case all
        /// Those of operators: at their pages, by commands on the machine, and by RPC with their certificate.
        case operators
        /// Those about one account, by its pseudonym.
        case about(UUID)
    }

    /// An entry as it is shown.
    public struct Entry: Encodable, Sendable {
        public let sequence: Int64
        let recordedAt: Timestamp
        let actor: String
        let action: String
        let pseudonym: UUID?
        let onBehalfOf: UUID?
        let purpose: String
    }

    /// Entries before a sequence number, the latest first, at most `limit`. Those of the last second may not be tied yet, and are
    /// missing.
    public func entries(
        _ selection: Selection = .all, before: Int64, limit: Int, in session: some SQLSession
    ) async throws(PostgresError) -> [Entry] {
        try await session.query(statement(selection, before: before, limit: limit)) { row throws(PostgresError) in
            Entry(
                sequence: try row["sequence"], recordedAt: try row["recorded_at"], actor: try row["actor"],
                action: try row["action"], pseudonym: try row["pseudonym"], onBehalfOf: try row["on_behalf_of"],
                purpose: try row["purpose"])
        }
    }

    /// Each is answered from an index that has its entries in this order, and no others: what a page costs does not grow with the
    /// trail.
    func statement(_ selection: Selection, before: Int64, limit: Int) -> SQL {
        let chosen: SQL =
            switch selection {
            case .all: "sequence < \(before) order by sequence desc"
            // The words of the index, which a parameter could not be compared with.
            case .operators:
                """
                sequence < \(before) and (actor like 'operator %' or actor in ('operator', 'command'))
                order by sequence desc
                """
            // Compared and ordered by both columns, so that no plan goes through the trail from its end: an account's million entries
            // may all be old. With <= the planner's estimate has the account's own entries in it.
            case .about(let pseudonym):
                """
                (pseudonym, sequence) <= (\(pseudonym), \(max(before, 1) - 1)) and pseudonym >= \(pseudonym)
                order by pseudonym desc, sequence desc
                """
            }
        return """
            select sequence, recorded_at, actor, action, pseudonym, on_behalf_of, purpose from \(sql: prefix)audit_entry
            where \(sql: chosen) limit \(limit)
            """
    }
}
