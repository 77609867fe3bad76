import Contracts
import Domain
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
        return items.filter { $0.count > 0 || $0.ground != nil }
    }

    func erased(_ erasures: [Accounts.Erasure]) async { life.outbox.wake() }

    /// Ends what is pending or accepted, to and by the account. One that cannot be read ends without a message.
    private func endOpen(of account: UUID, in transaction: Transaction) async throws -> Int {
        let open = try await transaction.query(
            """
            select id from request
            where (individual_id = \(account) or requester_id = \(account)) and state in ('pending', 'accepted')
            order by id for update
            """, as: UUID.self)
        let now = try await transaction.certainTime(by: life.clock)
        for id in open {
            let request = try await reporting("a request cannot be read", of: id, to: life.log) {
                try await life.store.lock(id, in: transaction)
            }
            if let request = request ?? nil {
                let next = try RequestStep.end.apply(to: request, at: now, settings: life.settings)
                try await life.store.update(next, in: transaction)
                try await life.feed.publish(next, in: transaction)
                let told = Notice.outcomes(of: next).filter { $0.account != account }
                try await life.outbox.add(told, at: now, in: transaction)
            } else {
                try await transaction.execute(
                    """
                    update request set state = 'ended', version = version + 1, closed_at = \(now),
                      decided_at = coalesce(decided_at, \(now))
                    where id = \(id)
                    """)
            }
            let watch = life.watch
            transaction.afterCommit { watch.changed(id) }
        }
        return open.count
    }

    private func eraseIndividual(
        _ account: UUID, in transaction: Transaction
    ) async throws -> [Accounts.ErasedItem] {
        let counts = try await transaction.batch([
            // Before the requests that it names.
            "delete from access where individual_id = \(account)",
            "delete from request where individual_id = \(account)",
        ])
        try await eraseOrganiser(account, in: transaction)
        let until = (life.clock.now() + .seconds(86_400 * Int64(searchDays))).dateUTC
        return [
            .init("accesses", counts[0]), .init("requests", counts[1]),
            // Under a keyed hash of what was searched for, which nobody can tell from the account.
            .init("searches", 0, keptUntil: until, ground: .abuseRecord),
        ]
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
        try await transaction.execute("update request set requester_email = null where requester_id = \(account)")
        let kept = try await transaction.queryOne(
            "select count(*) from request where requester_id = \(account)", as: Int.self)
        let until = (life.clock.now() + .seconds(86_400 * Int64(historyDays))).dateUTC
        return [
            .init("searches", searches), .init("requests", kept ?? 0, keptUntil: until, ground: .othersHistory),
        ].filter { $0.count > 0 }
    }
}
