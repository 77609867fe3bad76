import Contracts
import HTTP
import Postgres
import Primitives
import Service

/// Requests whose invoice is not paid in time: they end, as if the third party had ended them, and nothing is owed. Answers about
/// groups are no longer to be had, and the third party is told.
struct UnpaidInvoices: Sendable {
    private static let dueMax = 100

    let store: InvoiceStore
    let life: RequestLife
    let retries = Retries<UUID>()

    /// By this machine's clock and by the database's; how many invoices are closed. One that cannot be ended is logged and tried again
    /// with pauses of its own, and holds up no other.
    @discardableResult
    func close() async throws -> Int {
        let now = try await store.database.certainTime(by: life.clock)
        let overdue = try await store.overdue(
            at: now, resting: retries.resting, limit: Self.dueMax, in: store.database)
        var count = 0
        for invoice in overdue {
            retries.begin(invoice.requestID)
            let isDone: Void? = try await reporting(
                "what is not paid cannot be ended", of: invoice.requestID, to: life.log
            ) {
                if invoice.kind == .groupOnce {
                    try await cancel(invoice, at: now)
                } else {
                    try await endRequest(of: invoice, at: now)
                }
            }
            guard isDone != nil else { continue }
            retries.succeeded(invoice.requestID)
            count += 1
        }
        return count
    }

    private func cancel(_ invoice: Invoice, at now: Timestamp) async throws {
        try await store.database.transaction { transaction in
            // Otherwise it was paid a moment ago, or another replica was first.
            let isCancelled = try await store.cancel(
                request: invoice.requestID, of: invoice.requesterID, at: now, in: transaction)
            guard isCancelled else { return }
            try await life.outbox.add([.paymentLapsed(invoice)], at: now, in: transaction)
            let calls = life.pricing?.calls
            transaction.afterCommit { calls?.wake() }
        }
        life.outbox.wake()
    }

    private func endRequest(of invoice: Invoice, at now: Timestamp) async throws {
        let (request, requester) = (invoice.requestID, invoice.requesterID)
        do {
            _ = try await life.end(request, by: requester)
        } catch let error as TransactionError {
            guard let problem = error.underlying as? Problem, [.conflict, .notFound].contains(problem.status) else {
                throw error.underlying
            }
            // It was closed while there were no prices, or is deleted.
            try await store.database.transaction { transaction in
                _ = try await store.cancel(request: request, of: requester, at: now, in: transaction)
            }
        }
    }
}
