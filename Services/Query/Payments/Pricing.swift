import Contracts
import Postgres
import Primitives
import Service

/// What payments have to do with the steps of a request (PAY-01): a price when it is created, an invoice when it is accepted, none
/// any more when it closes unpaid; and the invoice of an answer about a group. Each in the transaction of the step.
struct Pricing: Sendable {
    let store: InvoiceStore
    let calls: BrokerCalls
    let log: EventLog
    private let currency: String
    private let prices: PriceList
    private let groupPrice: Price?
    private let due: Duration

    init(_ settings: PaymentSettings, store: InvoiceStore, calls: BrokerCalls, log: EventLog) {
        self.store = store
        self.calls = calls
        self.log = log
        currency = settings.currency
        prices = settings.prices
        groupPrice = settings.groupPrice
        due = .seconds(86_400 * Int64(settings.dueDays))
    }

    /// A new request has the price of now, which its acceptance will cost.
    func created(_ request: ConsentRequest, in transaction: Transaction) async throws {
        guard let (kind, amount) = prices.amount(of: request) else { return }
        try await store.quote(Price(amount: amount, currency: currency), kind, for: request.id, in: transaction)
    }

    /// What `created` writes; `nil` for what is free.
    func price(of request: ConsentRequest) -> Price? {
        prices.amount(of: request).map { Price(amount: $0.amount, currency: currency) }
    }

    /// How the payments for a third party's requests stand; those that are free are missing.
    func payments(for requests: [UUID], of requester: UUID) async throws -> [UUID: RequestPayment] {
        try await store.payments(for: requests, of: requester, in: store.database)
    }

    /// Call with the request as a step has left it, when its outcome is among the third party's events.
    func changed(_ request: ConsentRequest, at now: Timestamp, in transaction: Transaction) async throws {
        guard request.runID == nil else { return }
        switch request.state {
        case .pending, .refused, .lapsed: return
        case .accepted:
            // Not for longer than the data could be fetched.
            let end = request.accessUntil.map { min($0, now + due) } ?? now + due
            if try await store.make(for: request, at: now, dueUntil: end, in: transaction) {
                try await log.add(
                    .paymentDue, of: request.id, to: request.requesterID, types: [], at: now, in: transaction)
            }
        case .withdrawn, .ended: try await closed(request.id, of: request.requesterID, at: now, in: transaction)
        }
        let calls = calls
        transaction.afterCommit { calls.wake() }
    }

    /// What is due for a request that closes is cancelled.
    func closed(_ request: UUID, of requester: UUID, at now: Timestamp, in transaction: Transaction) async throws {
        _ = try await store.cancel(request: request, of: requester, at: now, in: transaction)
    }

    /// Makes the invoice of a group request that has an answer, at the price of now; `nil` of what is free.
    func asked(
        _ group: UUID, by requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws -> Invoice? {
        guard let groupPrice else { return nil }
        let invoice = Invoice(
            dueFor: group, .groupOnce, groupPrice, by: requester, at: now, until: now + due)
        try await store.make(invoice, in: transaction)
        let calls = calls
        transaction.afterCommit { calls.wake() }
        return invoice
    }

    /// Whether its data may be read: its invoice, if there is one, is paid.
    func isPaid(_ request: ConsentRequest, in transaction: Transaction) async throws -> Bool {
        let invoice = try await store.invoice(ofRequest: request.id, by: request.requesterID, in: transaction)
        return invoice.map { $0.state == .paid } ?? true
    }

    /// Errors: 402 `payment-required` while the request's invoice is not paid.
    func requirePaid(_ request: ConsentRequest, in database: Database) async throws {
        let invoice = try await store.invoice(ofRequest: request.id, by: request.requesterID, in: database)
        if let invoice, invoice.state != .paid { throw invoice.paymentRequired }
    }
}
