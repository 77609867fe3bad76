import Domain
import Postgres
import Primitives
import Service

/// Incidents of people who are erased (ACC-12; GDPR 18): kept for their retention, without what only served to help.
extension IncidentStore {
    private static let restrictedMax = 50
    private static let openDaysMax: Int64 = 10

    /// Restricts the closed incidents of a person.
    func restrict(of account: UUID, at now: Timestamp, in transaction: Transaction) async throws {
        try await restrict("account = \(account)", at: now, in: transaction)
    }

    /// Restricts those of erased people that were open when these were erased.
    func restrictDue() async throws {
        do throws(TransactionError) {
            try await database.transaction { transaction in
                let now = try await transaction.queryOne("select clock_timestamp()", as: Timestamp.self)
                guard let now else { return }
                // No emergency is open for longer.
                let recent = now - .seconds(86_400 * Self.openDaysMax)
                let erased: SQL = "select account from erasure where scope = 'account' and erased_at > \(recent)"
                let open = try await transaction.query(
                    """
                    select distinct e.account from (\(sql: erased)) e
                    cross join lateral (
                      select from incident i where i.account = e.account and state = 'closed' and restricted_at is null
                      limit 1) i
                    limit \(Self.restrictedMax)
                    """, as: UUID.self)
                guard !open.isEmpty else { return }
                try await restrict("account = any(\(open))", at: now, in: transaction)
            }
        } catch { throw error.underlying }
    }

    /// Takes contacts, call-back phone and notes out of closed incidents. One that cannot be read is left as it is, and logged.
    private func restrict(_ condition: SQL, at now: Timestamp, in transaction: Transaction) async throws {
        let rows = try await transaction.query(
            """
            select id, details from incident
            where state = 'closed' and restricted_at is null and (\(sql: condition))
            order by id limit \(Self.restrictedMax) for update skip locked
            """, as: UUID.self, [UInt8].self)
        for (id, sealed) in rows {
            let restricted = reporting("an incident of an erased person cannot be read", of: id, to: log) {
                var details: IncidentDetails = try columns.open(sealed, .incident, row: id)
                details.enrolment.contacts = []
                details.enrolment.addressNotes = nil
                return try columns.seal(details, .incident, row: id)
            }
            try await transaction.execute(
                """
                update incident set restricted_at = \(now), details = coalesce(\(restricted), details),
                  revision = revision + 1
                where id = \(id)
                """)
        }
    }
}
