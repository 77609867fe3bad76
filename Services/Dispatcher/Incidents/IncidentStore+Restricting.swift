import Domain
import Postgres
import Primitives
import Security
import Service

/// Incidents of people who are erased (ACC-12; GDPR 18): kept for their retention, without what only served to help.
extension IncidentStore {
    static let restrictingInterval = Duration.seconds(60)
    private static let restrictedMax = 50

    private struct Closed {
        let id: UUID
        let stored: IncidentSealing.Stored
        let revision: Int64
    }

    /// Takes contacts, address and notes out of the closed incidents of people who are erased. What was put away gets another
    /// key, and the old one is destroyed: nothing of it is readable in a backup either. One that cannot be read is tried again.
    func restrictDue() async throws {
        while !Task.isCancelled, try await restrictSome() == Self.restrictedMax {}
    }

    private func restrictSome() async throws -> Int {
        let rows = try await database.rows(
            """
            select id, details, record, record_key, revision from incident
            where state = 'closed' and restricted_at is null and id <> all(\(unrestricted.resting))
              and account in (select account from erasure where scope = 'account')
            order by id limit \(Self.restrictedMax)
            """)
        let found = try rows.map { row in
            Closed(id: try row["id"], stored: try IncidentSealing.Stored(row), revision: try row["revision"])
        }
        guard !found.isEmpty else { return 0 }
        let held = try await sealing.keys.keySet(of: found.compactMap(\.stored.key))
        let new = try await NewKeys(found.count { $0.stored.key != nil }, sealing.keys)
        var unused = new.keys[...]
        var changes: [(closed: Closed, change: SQL)] = []
        for closed in found {
            unrestricted.begin(closed.id)
            let known = reporting("an incident of an erased person cannot be read", of: closed.id, to: log) {
                var details = try sealing.open(closed.stored, of: closed.id, with: held)
                details.enrolment.contacts = []
                (details.enrolment.address, details.enrolment.addressNotes) = (nil, nil)
                details.enrolment.medicalReason = nil
                return details
            }
            guard let known else { continue }
            if closed.stored.key == nil {
                changes.append((closed, "details = \(try sealing.seal(known, of: closed.id))"))
            } else if let (number, key) = unused.popFirst() {
                let record = try sealing.seal(known, of: closed.id, with: key)
                changes.append((closed, "record = \(record), record_key = \(number)"))
            }
            unrestricted.succeeded(closed.id)
        }
        try await new.used { try await write(changes) }
        return found.count
    }

    /// Nothing of what was changed meanwhile. Returns the new keys that are used.
    private func write(_ changes: [(closed: Closed, change: SQL)]) async throws -> [UUID] {
        do throws(TransactionError) {
            return try await database.transaction { transaction in
                guard let now = try await transaction.queryOne("select clock_timestamp()", as: Timestamp.self) else {
                    return []
                }
                var (used, replaced): ([UUID], [UUID]) = ([], [])
                for (closed, change) in changes {
                    let row = try await transaction.query(
                        """
                        update incident set \(sql: change), restricted_at = \(now), revision = revision + 1
                        where id = \(closed.id) and revision = \(closed.revision)
                          and record_key is not distinct from \(closed.stored.key)
                        returning record_key
                        """, as: UUID?.self
                    ).first
                    guard let key = row ?? nil, let old = closed.stored.key else { continue }
                    used.append(key)
                    replaced.append(old)
                }
                try await KeyDestruction.add(replaced, at: now, in: transaction)
                return used
            }
        } catch { throw error.underlying }
    }
}
