import Contracts
import Domain
import Postgres
import Primitives
import Service

/// Erases a person, or what was collected of one (ACC-12).
struct SampleErasure: ErasurePart {
    let clock: any WallClock

    /// Before any row, as those who change blocks and writers of arrivals do, so that none of them deadlock.
    func lock(_ erasures: [Accounts.Erasure], in transaction: Transaction) async throws {
        let accounts = erasures.filter { $0.kind == .individual }.map(\.accountID)
        guard !accounts.isEmpty else { return }
        try await transaction.batch([BlockStore.lock(accounts), ArrivalStore.lock(accounts)])
    }

    func erase(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        guard erasure.kind == .individual else { return [] }
        let account = erasure.accountID
        let counts = try await transaction.queryOne(
            """
            select (select count(distinct day) from block where person = p.number),
              (select count(*) from arrival where person = p.number),
              (select count(*) from import_job where account_id = \(account))
            from person p where p.account_id = \(account)
            """, as: Int.self, Int.self, Int.self)
        switch erasure.scope {
        case .account: try await transaction.batch(PersonStore.erase(account, at: clock.now()))
        case .collectedData: try await transaction.batch(PersonStore.eraseCollected(account))
        }
        let (days, arrivals, imports) = counts ?? (0, 0, 0)
        return [
            .init("data-days", days), .init("recent-uploads", arrivals), .init("imports", imports),
        ].filter { $0.count > 0 }
    }
}
