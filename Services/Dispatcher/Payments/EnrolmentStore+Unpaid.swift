import Feed
import Postgres
import Primitives
import Service

/// Pauses of people whose invoice is not paid (PAY-01): what `pause` does, unless somebody may be in danger.
extension EnrolmentStore {
    /// Takes the transaction of a pause back.
    private struct NotNow: Error {}

    /// Pauses watching of somebody who is watched, is not alerted, has no open emergency and nothing that is still to be read, and whose invoice is still unpaid;
    /// writes `notice`. `false` when one of these does not hold: then nothing has changed.
    func pauseUnpaid(
        _ invoice: Invoice, in subscriptions: SubscriptionStore, for time: Duration, notice: SQL, at now: Timestamp
    ) async throws -> Bool {
        let account = invoice.account
        do throws(TransactionError) {
            try await database.transaction { transaction in
                let version = try await transaction.queryOne(
                    """
                    update enrolment set version = version + 1, changed_at = \(now),
                      paused_until = clock_timestamp() + make_interval(secs => \(time.seconds))
                    where account = \(account) and is_active and paused_until is null returning version
                    """, as: Int64.self)
                guard let version else { throw NotNow() }
                // Waits for whoever judges a sample of the person; what came of it is seen by the next statement.
                let phase = try await transaction.queryOne(
                    "delete from monitor where account = \(account) and judge_by is null returning phase",
                    as: MonitorPhase.self)
                guard let phase, phase != .alerted, phase != .confirmed else { throw NotNow() }
                let isInDanger = try await transaction.queryOne(
                    """
                    select exists (
                      select from incident where account = \(account) and not is_exercise and state <> 'closed')
                    or exists (select from feed_gap where account = \(account))
                    """, as: Bool.self)
                guard isInDanger == false, try await subscriptions.pausing(invoice, in: transaction) else {
                    throw NotNow()
                }
                try await transaction.execute(notice)
                try await feeds.publish([Self.watch(account, isWatched: false, version: version)], in: transaction)
            }
        } catch {
            guard error.underlying is NotNow else { throw error }
            return false
        }
        return true
    }
}
