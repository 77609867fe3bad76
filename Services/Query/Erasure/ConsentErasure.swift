import Contracts
import Domain
import Edge
import Postgres
import Primitives
import Service

/// Erases what there is of an account among requests and consents (ACC-12). What is open ends at once, and who asked is told. Of an
/// individual everything goes, the log of accesses with it; what a company asked for stays in the histories of those
/// whom it asked (REQ-11).
struct ConsentErasure: ErasurePart {
    let life: RequestLife
    let historyDays: Int
    let searchDays: Int
    var invoiceDays = Payments.paidDays

    /// Their requests, in the order of all who lock several: who fetches results meanwhile waits, and finds none. Otherwise what is noted
    /// of a fetch would stand in the way of deleting its request, as often as somebody fetches.
    func lock(_ erasures: [Accounts.Erasure], in transaction: Transaction) async throws {
        let accounts = erasures.filter { $0.scope == .account }.map(\.accountID)
        guard !accounts.isEmpty else { return }
        try await transaction.execute(
            """
            select from request where individual_id = any (\(accounts)) or requester_id = any (\(accounts))
            order by id for update
            """)
    }

    func erase(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        guard erasure.scope == .account else { return [] }
        let account = erasure.accountID
        let ended = try await endOpen(of: account, in: transaction)
        var items = [Accounts.ErasedItem("open-requests", ended)]
        if erasure.kind == .individual {
            items += try await eraseIndividual(account, in: transaction)
        } else {
            items += try await eraseCompany(account, in: transaction)
        }
        let notices = try await transaction.execute("delete from notice where account_id = \(account)")
        items.append(.init("messages", notices))
        // Answers that were kept for a day, should the account send the same again: copies of what is counted here.
        _ = try await Idempotency.erase(account, in: transaction)
        return items.filter { $0.count > 0 || $0.ground != nil }
    }

    func erased(_ erasures: [Accounts.Erasure]) async { life.outbox.wake() }

    /// Ends what is pending or accepted, to and by the account. One that cannot be read ends without a message.
    private func endOpen(of account: UUID, in transaction: Transaction) async throws -> Int {
        let open = try await transaction.query(
            """
            select id, requester_id, case when state = 'accepted' and run_id is null then individual_id end from request
            where (individual_id = \(account) or requester_id = \(account)) and state in ('pending', 'accepted')
            order by id for update
            """, as: UUID.self, UUID.self, UUID?.self)
        let now = try await transaction.certainTime(by: life.clock)
        // Third parties' events are numbered in the order in which everybody locks them.
        for (id, requester, _) in open.sorted(by: { $0.1 < $1.1 }) {
            let request = try await reporting("a request cannot be read", of: id, to: life.log) {
                try await life.store.lock(id, in: transaction)
            }
            if let request = request ?? nil {
                let next = try RequestStep.end.apply(to: request, at: now, settings: life.settings)
                try await life.store.update(next, in: transaction)
                try await life.feed.publish(next, in: transaction)
                try await life.events.log.add(outcomeOf: next, in: transaction)
                let told = Notice.outcomes(of: next).filter { $0.account != account }
                try await life.outbox.add(told, at: now, in: transaction)
                try await life.pricing?.changed(next, at: now, in: transaction)
            } else {
                try await transaction.execute(
                    """
                    update request set state = 'ended', version = version + 1, closed_at = \(now),
                      decided_at = coalesce(decided_at, \(now))
                    where id = \(id)
                    """)
                try await life.pricing?.closed(id, of: requester, at: now, in: transaction)
            }
            if let request = request ?? nil {
                let events = life.events.writer
                transaction.afterCommit { events.changed(request.requesterID) }
            }
        }
        // Whoever is erased is watched no more (`eraseIndividual`).
        try await life.watches.publish(open.compactMap(\.2).filter { $0 != account }, at: now, in: transaction)
        return open.count
    }

    private func eraseIndividual(
        _ account: UUID, in transaction: Transaction
    ) async throws -> [Accounts.ErasedItem] {
        try await life.watches.end(account, in: transaction)
        try await WebhookErasure.eraseIndividual(account, in: transaction)
        let requests: SQL = "select id from request where individual_id = \(account)"
        let packed = try await erasePacks(where: "request_id in (\(sql: requests))", of: requests, in: transaction)
        let counts = try await transaction.batch([
            // Before the requests that it names.
            "delete from access where individual_id = \(account)",
            """
            delete from event where (content is not null or kind in ('data.unavailable', 'data.available'))
              and request_id in (\(sql: requests))
            """,
            "delete from request where individual_id = \(account)",
        ])
        try await eraseOrganiser(account, in: transaction)
        return [
            .init("accesses", counts[0]), .init("results", counts[1] + packed), .init("requests", counts[2]),
            // Under a keyed hash of what was searched for, which nobody can tell from the account.
            .init("searches", 0, keptUntil: day(after: searchDays), ground: .abuseRecord),
        ]
    }

    /// Deletes the packs of events of requests; how many events they were. Without its row of `packing`, for which this waits, nobody
    /// packs a request any more: call before rows of `event` are deleted.
    private func erasePacks(
        where condition: SQL, of requests: SQL, in transaction: Transaction
    ) async throws(PostgresError) -> Int {
        try await transaction.execute("delete from packing where request_id in (\(sql: requests))")
        let count = try await transaction.queryOne(
            """
            with gone as (delete from event_pack where \(sql: condition) returning cardinality(ids) as count)
            select coalesce(sum(count), 0)::bigint from gone
            """, as: Int.self)
        return count ?? 0
    }

    private func day(after days: Int) -> CalendarDate {
        (life.clock.now() + .seconds(86_400 * Int64(days))).dateUTC
    }

    /// Whose runs others had checked in to: in their histories nobody asked.
    private func eraseOrganiser(_ account: UUID, in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            update request set requester_name = null, requester_email = null, requester_vat_number = null
            where requester_id = \(account)
            """)
    }

    private func eraseCompany(_ account: UUID, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        let searches = try await transaction.execute("delete from search_attempt where requester_id = \(account)")
        let packed = try await erasePacks(
            where: "requester_id = \(account)", of: "select id from request where requester_id = \(account)",
            in: transaction)
        let events = try await transaction.execute("delete from event where requester_id = \(account)") + packed
        let webhooks = try await WebhookErasure.eraseCompany(account, in: transaction)
        try await transaction.execute("delete from recipient where requester_id = \(account)")
        // After the third party itself, as whoever sets one locks them.
        try await MailingStore.erase(account, in: transaction)
        try await transaction.execute("delete from requester_limit where requester_id = \(account)")
        try await transaction.execute("update request set requester_email = null where requester_id = \(account)")
        let kept = try await transaction.queryOne(
            "select count(*) from request where requester_id = \(account)", as: Int.self)
        let now = try await transaction.certainTime(by: life.clock)
        let questions = try await GroupHistory.erase(account, at: now, in: transaction)
        let invoices = try await transaction.queryOne(
            "select count(*) from invoice where requester_id = \(account)", as: Int.self)
        return [
            .init("searches", searches), .init("results", events), .init("webhooks", webhooks),
            .init("group-requests", questions),
            .init("requests", kept ?? 0, keptUntil: day(after: historyDays), ground: .othersHistory),
            // They say what was paid for which request, of a person or about a group, and name nobody but the account.
            .init("invoices", invoices ?? 0, keptUntil: day(after: invoiceDays), ground: .accountingRecord),
        ].filter { $0.count > 0 }
    }
}
