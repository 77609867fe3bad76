import Postgres
import Primitives
import Security
import Service

/// Incidents that nobody has to look after any more (ACC-12e).
extension IncidentStore {
    static let puttingAwayInterval = Duration.seconds(30)
    private static let putAwayMax = 100

    /// Seals the details of closed incidents with a key of their own. One that cannot be read stays as it is, and is tried again
    /// after a pause.
    func putAway() async throws {
        while !Task.isCancelled, try await putSomeAway() == Self.putAwayMax {}
    }

    private func putSomeAway() async throws -> Int {
        let rows = try await database.query(
            """
            select id, details, revision from incident
            where details is not null and closed_at is not null and due_at is null and id <> all(\(unreadable.resting))
            order by closed_at limit \(Self.putAwayMax)
            """, as: UUID.self, [UInt8].self, Int64.self)
        let known = rows.compactMap { id, sealed, revision in
            unreadable.begin(id)
            let details = reporting("an incident cannot be put away", of: id, to: log) {
                try sealing.open(sealed, of: id)
            }
            if details != nil { unreadable.succeeded(id) }
            return details.map { (id: id, details: $0, revision: revision) }
        }
        guard !known.isEmpty else { return rows.count }
        let new = try await NewKeys(known.count, sealing.keys)
        let records = try zip(known, new.keys).map { try sealing.seal($0.details, of: $0.id, with: $1.key) }
        // Nothing that was changed meanwhile.
        try await new.used {
            try await database.query(
                """
                update incident i set record = n.record, record_key = n.key, details = null
                from unnest(\(known.map(\.id)), \(known.map(\.revision)), \(records), \(new.keys.map(\.number)))
                  as n (id, revision, record, key)
                where i.id = n.id and i.revision = n.revision and i.details is not null and i.due_at is null
                returning i.record_key
                """, as: UUID.self)
        }
        return rows.count
    }

    /// Deletes closed incidents, with their keys, at most `RetentionRule.batchMax`; returns their number.
    func delete(openedBefore time: Timestamp, at now: Timestamp) async throws -> Int {
        do throws(TransactionError) {
            return try await database.transaction { transaction in
                let keys = try await transaction.query(
                    """
                    delete from incident where ctid = any(array(
                      select ctid from incident where opened_at < \(time) and state = 'closed'
                      limit \(Int64(RetentionRule.batchMax))))
                    returning record_key
                    """, as: UUID?.self)
                try await KeyDestruction.add(keys.compactMap(\.self), at: now, in: transaction)
                return keys.count
            }
        } catch { throw error.underlying }
    }
}
