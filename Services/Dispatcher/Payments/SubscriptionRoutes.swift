import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service

/// What AutomatedSOS costs, a person's invoices, and what the broker tells (PAY-01, PAY-02). There are these paths only where there is a
/// price.
struct SubscriptionRoutes: Sendable {
    let store: SubscriptionStore
    let keeper: SubscriptionKeeper
    let gate: BrokerGate
    /// What whoever enrols now accepts.
    let price: Price
    let times: SubscriptionTimes
    let notices: NoticeOutbox
    let clock: any WallClock
    let log: Log

    private struct PriceView: Encodable {
        struct Accepted: Encodable {
            let amount: Int64
            let currency: String
            let acceptedAt: Timestamp
            /// Watching is paused since the invoice is not paid.
            let isPausing: Bool
            let due: InvoiceView?
        }

        let amount: Int64
        let currency: String
        let days: Int64
        let dueDays: Int64
        let warningDays: Int64
        /// Absent for who has accepted no price, and pays nothing.
        let accepted: Accepted?
    }

    private struct Invoices: Encodable { let invoices: [InvoiceView] }

    private struct Answer: Encodable {
        let invoice: UUID
        let state: Invoice.State
    }

    private static let pricePath = "/dispatcher/v1/price"
    private static let wearer = Access.account(.individual)

    /// Where AutomatedSOS costs nothing: whoever asks is told so.
    static func addWithoutPrice(to routes: inout ServiceRoutes) {
        routes.on(.get, pricePath, access: wearer) { _, _ in .noContent }
    }

    func add(to routes: inout ServiceRoutes) {
        let wearer = Self.wearer
        routes.on(.get, Self.pricePath, access: wearer) { _, caller in try await showPrice(caller.account) }
        routes.on(.get, "/dispatcher/v1/invoices", access: wearer) { _, caller in
            let invoices = try await store.invoices(of: caller.account)
            return try .json(Invoices(invoices: invoices.map(InvoiceView.init)))
        }
        routes.on(
            .post, "/dispatcher/v1/payments/broker", access: .secretInRequest,
            body: .buffered(bytesMax: BrokerGate.bodyBytesMax)
        ) { request in
            let call = try gate.open(request)
            return try .json(Answer(invoice: call.invoice, state: try await take(call)))
        }
    }

    private func showPrice(_ account: UUID) async throws -> HTTPResponse {
        let due = try await store.dueInvoice(of: account)
        let accepted = try await store.subscription(of: account).map { subscription in
            PriceView.Accepted(
                amount: subscription.price.amount, currency: subscription.price.currency,
                acceptedAt: subscription.acceptedAt, isPausing: due?.isPausing ?? false, due: due.map(InvoiceView.init))
        }
        func days(_ time: Duration) -> Int64 { time.components.seconds / 86_400 }
        return try .json(
            PriceView(
                amount: price.amount, currency: price.currency, days: days(times.period), dueDays: days(times.due),
                warningDays: days(times.warning), accepted: accepted))
    }

    // MARK: What the broker says

    /// Errors: 404 for an unknown invoice, 409 `amount-differs`, `invoice-cancelled`, `paid-already`.
    private func take(_ call: BrokerCallBack) async throws -> Invoice.State {
        let invoice: Invoice
        let isNews: Bool
        do throws(TransactionError) {
            (invoice, isNews) = try await store.database.transaction { try await apply(call, in: $0) }
        } catch {
            guard let problem = error.underlying as? Problem else { throw error }
            // Somebody has the money, or will ask where it is.
            if problem.status == .conflict {
                log.warning(
                    "a call of the broker was refused",
                    ["invoice": .string(call.invoice.description), "reason": .string(problem.code)])
            }
            throw problem
        }
        guard isNews else { return invoice.state }
        notices.wake()
        guard invoice.isPausing else { return .paid }
        // What fails is done by the keeper.
        _ = try await reporting("who has paid is not watched yet", of: invoice.id, to: log) {
            try await keeper.resume(invoice)
        }
        return .paid
    }

    /// The invoice as it was, with the state that it has now, and whether it was paid with this call.
    private func apply(
        _ call: BrokerCallBack, in transaction: Transaction
    ) async throws -> (invoice: Invoice, isNews: Bool) {
        guard let invoice = try await store.lock(call.invoice, in: transaction) else { throw Problem.notFound }
        guard call.price == invoice.price else {
            throw Problem(
                .conflict, code: "amount-differs", detail: "the invoice is about another amount or currency")
        }
        let now = try await transaction.certainTime(by: clock)
        // By the broker's clock, which may be wrong.
        let time = max(invoice.createdAt, min(call.at, now))
        switch (call.event, invoice.state) {
        case (.paid, .due):
            // What was not watched is not paid for.
            let until = invoice.isPausing ? max(now, invoice.createdAt) + times.period : invoice.coversUntil
            try await store.pay(
                invoice, reference: call.reference, at: time, covering: until, in: transaction)
            try await transaction.execute(
                try notices.insert([.paymentReceived(invoice, until: until)], at: clock.now()))
            return (invoice, true)
        case (.paid, .paid):
            guard try await store.reference(of: invoice, in: transaction) == call.reference else {
                throw Problem(
                    .conflict, code: "paid-already",
                    detail: "another payment for this invoice has arrived before; give this one back")
            }
            return (invoice, false)
        case (.paid, .cancelled):
            throw Problem(
                .conflict, code: "invoice-cancelled", detail: "nothing is owed any more; give the payment back")
        case (.failed, .due):
            try await store.fail(invoice, at: time, in: transaction)
            return (invoice, false)
        // A failure that is told late, or of another try than the one that succeeded.
        case (.failed, _): return (invoice, false)
        }
    }
}
