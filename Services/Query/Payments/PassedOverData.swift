import Contracts
import Postgres
import Primitives
import Service

/// Data that third parties have read past since it was not paid, where nothing costs anything any more: it comes after all other events
/// then, as with a payment. It became events while there were no prices before, or in a replica without them.
struct PassedOverData: Sendable {
    private static let releasedMax = 100

    let store: InvoiceStore
    let life: RequestLife
    let retries = Retries<UUID>()

    /// To be called every second or so where there are no prices; of how many requests there was any. A replica that still has them
    /// may read past it once more, and notes that anew. One that cannot be released is logged and tried again with pauses of its own.
    @discardableResult
    func release() async throws -> Int {
        let invoices = try await store.passedOver(
            resting: retries.resting, limit: Self.releasedMax, in: store.database)
        var count = 0
        for invoice in invoices {
            retries.begin(invoice)
            let isDone: Void? = try await reporting(
                "data that was passed over cannot be given", of: invoice, to: life.log
            ) {
                try await release(invoice)
            }
            guard isDone != nil else { continue }
            retries.succeeded(invoice)
            count += 1
        }
        return count
    }

    private func release(_ id: UUID) async throws {
        let (store, events) = (store, life.events)
        try await store.database.transaction { transaction in
            guard let invoice = try await store.lock(id, in: transaction), invoice.state == .due else { return }
            try await events.log.renumber(dataOf: invoice.requestID, to: invoice.requesterID, in: transaction)
            try await store.release(invoice, in: transaction)
            let writer = events.writer
            transaction.afterCommit { writer.changed(invoice.requesterID) }
        }
    }
}
