import Contracts
import HTTP
import Postgres
import Primitives
import Service

/// Requests whose invoice is not paid in time: they end, as if the third party had ended them, and nothing is owed.
struct UnpaidInvoices: Sendable {
    private static let dueMax = 100

    let store: InvoiceStore
    let life: RequestLife
    let retries = Retries<UUID>()

    /// By this machine's clock and by the database's; how many requests ended. One that cannot be ended is logged and tried again
    /// with pauses of its own, and holds up no other.
    @discardableResult
    func close() async throws -> Int {
        let now = try await store.database.certainTime(by: life.clock)
        let overdue = try await store.overdue(
            at: now, resting: retries.resting, limit: Self.dueMax, in: store.database)
        var count = 0
        for (request, requester) in overdue {
            retries.begin(request)
            let isDone: Void? = try await reporting(
                "a request that is not paid cannot be ended", of: request, to: life.log
            ) {
                try await end(request, of: requester, at: now)
            }
            guard isDone != nil else { continue }
            retries.succeeded(request)
            count += 1
        }
        return count
    }

    private func end(_ request: UUID, of requester: UUID, at now: Timestamp) async throws {
        do {
            _ = try await life.end(request, by: requester)
        } catch let error as TransactionError {
            guard let problem = error.underlying as? Problem, [.conflict, .notFound].contains(problem.status) else {
                throw error.underlying
            }
            // It was closed while there were no prices, or is deleted.
            try await store.database.transaction { transaction in
                try await store.cancel(request: request, of: requester, at: now, in: transaction)
            }
        }
    }
}
