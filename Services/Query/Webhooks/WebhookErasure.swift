import Postgres
import Primitives

/// What an erasure takes of webhooks (ACC-12).
enum WebhookErasure {
    /// What waits for somebody who is erased waits for each of the requests instead, whose outcomes their third parties still get. Call
    /// before the requests are deleted.
    static func eraseIndividual(_ account: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            insert into webhook_held (webhook_id, lane_id, from_number, attempts, next_at)
            select h.webhook_id, r.id, h.from_number, h.attempts, h.next_at
            from webhook_held h join webhook w on w.id = h.webhook_id
            join request r on r.individual_id = h.lane_id and r.requester_id = w.requester_id
            where h.lane_id = \(account)
            on conflict (webhook_id, lane_id) do nothing
            """)
        // Whoever sends for them begins anew, with these.
        try await transaction.execute(
            """
            update webhook set fence = fence + 1, holder = null
            where id in (select webhook_id from webhook_held where lane_id = \(account))
            """)
        try await transaction.execute("delete from webhook_held where lane_id = \(account)")
    }

    /// The webhooks of a third party, with their logs; how many there were.
    static func eraseCompany(_ account: UUID, in transaction: Transaction) async throws(PostgresError) -> Int {
        try await transaction.execute("delete from webhook_by_hand where requester_id = \(account)")
        return try await transaction.execute("delete from webhook where requester_id = \(account)")
    }
}
