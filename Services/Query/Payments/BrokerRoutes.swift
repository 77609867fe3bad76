import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Telemetry

/// The broker's calls to us: an invoice was paid, or a payment failed (PAY-02). Signed as our own calls are, with a secret of its
/// own. A call that comes again changes nothing: what it says holds already, or is older than what holds.
struct BrokerRoutes: Sendable {
    let store: InvoiceStore
    let gate: BrokerGate
    let outbox: NoticeOutbox
    let events: Events
    let clock: any WallClock
    let log: Log

    private struct Answer: Encodable {
        var invoice: UUID
        var state: Invoice.State
    }

    func register(on routes: inout ServiceRoutes) {
        routes.on(
            .post, "/query/v1/payments/broker", access: .secretInRequest, body: .buffered(bytesMax: 4096), answer)
    }

    @Sendable private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = try gate.open(request)
        let state = try await take(call)
        return try .json(Answer(invoice: call.invoice, state: state))
    }

    /// Errors: 404 for an unknown invoice, 409 `amount-differs`, `invoice-cancelled`, `paid-already`.
    private func take(_ call: BrokerCallBack) async throws -> Invoice.State {
        let state: Invoice.State
        do throws(TransactionError) {
            state = try await database.transaction { try await apply(call, in: $0) }
        } catch {
            guard let problem = error.underlying as? Problem else { throw error }
            // Somebody has the money, or will ask where it is.
            if problem.status == .conflict {
                log.warning(
                    "a call of the broker was refused",
                    [
                        "invoice": .string(call.invoice.description), "event": .string(call.event.rawValue),
                        "reason": .string(problem.code),
                    ])
            }
            throw problem
        }
        outbox.wake()
        return state
    }

    private var database: Database { store.database }

    private func apply(_ call: BrokerCallBack, in transaction: Transaction) async throws -> Invoice.State {
        guard let invoice = try await store.lock(call.invoice, in: transaction) else { throw Problem.notFound }
        guard Price(amount: call.amount, currency: call.currency) == invoice.price else {
            throw Problem(
                .conflict, code: "amount-differs", detail: "the invoice is about another amount or currency")
        }
        let now = clock.now()
        // By the broker's clock, which may be wrong.
        let time = max(invoice.createdAt, min(call.at, now))
        switch (call.event, invoice.state) {
        case (.paid, .due):
            try await store.pay(invoice, reference: call.reference, at: time, in: transaction)
            try await outbox.add([.paymentReceived(invoice)], at: now, in: transaction)
            // Events are about people's data; the answer about a group is there already.
            if invoice.kind != .groupOnce { try await beginReading(of: invoice, at: now, in: transaction) }
            return .paid
        case (.paid, .paid):
            guard try await store.reference(of: invoice, in: transaction) == call.reference else {
                throw Problem(
                    .conflict, code: "paid-already",
                    detail: "another payment for this invoice has arrived before; give this one back")
            }
            return .paid
        case (.paid, .cancelled):
            throw Problem(
                .conflict, code: "invoice-cancelled",
                detail: "nothing was delivered and nothing is owed; give the payment back")
        case (.failed, .due):
            try await store.fail(invoice, at: time, in: transaction)
            return .due
        // A failure that is told late, or of another try than the one that succeeded.
        case (.failed, let state): return state
        }
    }

    /// The data of a request that is paid is read from now on.
    private func beginReading(of invoice: Invoice, at now: Timestamp, in transaction: Transaction) async throws {
        try await events.log.add(
            .paymentPaid, of: invoice.requestID, to: invoice.requesterID, types: [], at: now, in: transaction)
        try await events.log.renumber(dataOf: invoice.requestID, to: invoice.requesterID, in: transaction)
        try await AvailabilityStore.askAnew(aboutPersonOf: invoice.requestID, in: transaction)
        let events = events
        transaction.afterCommit { events.begin(invoice.requestID, of: invoice.requesterID) }
    }
}
