public import Postgres
public import Primitives

extension AuditTrail {
    /// Which entries are read.
    public enum Selection: Sendable {
        case all
        /// Those of operators: at their pages, by commands on the machine, and by RPC with their certificate.
        case operators
    }

    /// Entries that are looked through at once for those about one account: about 0.2 s of work, more when they have to come from the
    /// disk.
    public static let scannedMax: Int64 = 1_000_000

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
        try await entries(statement(selection, before: before, limit: limit), in: session)
    }

    private func entries(_ statement: SQL, in session: some SQLSession) async throws(PostgresError) -> [Entry] {
        try await session.query(statement) { row throws(PostgresError) in
            Entry(
                sequence: try row["sequence"], recordedAt: try row["recorded_at"], actor: try row["actor"],
                action: try row["action"], pseudonym: try row["pseudonym"], onBehalfOf: try row["on_behalf_of"],
                purpose: try row["purpose"])
        }
    }

    /// Entries about one account, by its pseudonym, before a sequence number, the latest first, at most `limit`; and the number to go
    /// on before, if there may be more. `scanned` entries are looked through, so fewer than `limit` or none may be found although there
    /// are more. No index leads to them: written with every entry, for accounts in no order, it would cost all look-ups more
    /// than the few who ask this save (at a thousand a second 13 MB of WAL a minute without it, 96 MB with it after a checkpoint).
    public func entries(
        about pseudonym: UUID, before: Int64, limit: Int, scanned: Int64 = scannedMax, in session: some SQLSession
    ) async throws(PostgresError) -> (entries: [Entry], next: Int64?) {
        let ends = try await session.queryOne(
            "select coalesce(min(sequence), 0), coalesce(max(sequence), 0) from \(sql: prefix)audit_entry",
            as: Int64.self, Int64.self)
        let (first, last) = ends ?? (0, 0)
        let end = min(before, last + 1)
        let begin = max(end - min(scanned, end), first)
        let found = try await entries(
            statement(
                "sequence >= \(begin) and sequence < \(end) and pseudonym = \(pseudonym)", limit: limit + 1),
            in: session)
        guard found.count > limit else { return (found, begin > first ? begin : nil) }
        return (Array(found.prefix(limit)), found[limit - 1].sequence)
    }

    /// Answered from an index that has these entries in this order, and no others: what a page costs does not grow with the trail.
    func statement(_ selection: Selection, before: Int64, limit: Int) -> SQL {
        let chosen: SQL =
            switch selection {
            case .all: "sequence < \(before)"
            // The words of the index, which a parameter could not be compared with.
            case .operators:
                "sequence < \(before) and (actor like 'operator %' or actor in ('operator', 'command'))"
            }
        return statement(chosen, limit: limit)
    }

    private func statement(_ chosen: SQL, limit: Int) -> SQL {
        """
        select sequence, recorded_at, actor, action, pseudonym, on_behalf_of, purpose from \(sql: prefix)audit_entry
        where \(sql: chosen) order by sequence desc limit \(limit)
        """
    }
}
