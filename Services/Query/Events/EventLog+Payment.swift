import Postgres
import Primitives

extension EventLog {
    /// Gives data of a request that may leave from now on, and has not left, new numbers after all others: it was paid, or nothing
    /// costs anything any more. There is some where it became events while nothing cost anything, or in a replica without
    /// prices: cursors and webhooks may have passed it over since. Ids stay. Call with the recipient locked.
    func renumber(dataOf request: UUID, to requester: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            with held as materialized (
              select number from event
              where request_id = \(request) and requester_id = \(requester) and content is not null and not has_left
              order by number for update),
            placed as (
              select number, row_number() over (order by number) as step, count(*) over () as count from held),
            counted as (
              update recipient set last_number = last_number + p.count from (select distinct count from placed) p
              where requester_id = \(requester) returning last_number - p.count as before)
            update event e set number = c.before + p.step from placed p, counted c
            where e.requester_id = \(requester) and e.number = p.number
            """)
    }
}
