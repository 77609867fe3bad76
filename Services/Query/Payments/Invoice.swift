import HTTP
import JSON
import Primitives
import Service

/// What a third party has to pay, or has paid, for an accepted request or an answer about a group (PAY-01).
struct Invoice: Sendable {
    /// One way: `due`, then `paid` or `cancelled`.
    enum State: String, Codable, Sendable, CaseIterable {
        case due, paid, cancelled
    }

    let id: UUID
    let requesterID: UUID
    /// The request, or the group request.
    let requestID: UUID
    let kind: PaymentKind
    let price: Price
    let state: State
    let version: Int32
    let createdAt: Timestamp
    /// Then the request ends, or the answer is no longer to be had.
    let dueUntil: Timestamp
    /// Where the broker takes the payment; absent until it has answered, and of what is not due.
    let payURL: String?
    let failedAt: Timestamp?
    let paidAt: Timestamp?
    let cancelledAt: Timestamp?

    /// 402 for data that is not paid yet, with what a program needs to go on.
    var paymentRequired: Problem {
        Problem.paymentRequired(
            price, invoice: id, payURL: payURL, detail: "the data can be fetched once the invoice is paid")
    }
}

extension Invoice {
    /// A new one.
    init(
        dueFor request: UUID, _ kind: PaymentKind, _ price: Price, by requester: UUID, at now: Timestamp,
        until end: Timestamp
    ) {
        self.init(
            id: .timeOrdered(at: now), requesterID: requester, requestID: request, kind: kind, price: price,
            state: .due,
            version: 1, createdAt: now, dueUntil: end, payURL: nil, failedAt: nil, paidAt: nil, cancelledAt: nil)
    }
}

/// An invoice as the third party sees it.
struct InvoiceView: Encodable, Sendable {
    let id: UUID
    let requestID: UUID
    let kind: PaymentKind
    let state: Invoice.State
    let amount: Int64
    let currency: String
    let createdAt: Timestamp
    let dueUntil: Timestamp?
    let payURL: String?
    let failedAt: Timestamp?
    let paidAt: Timestamp?
    let cancelledAt: Timestamp?

    init(_ invoice: Invoice) {
        id = invoice.id
        requestID = invoice.requestID
        kind = invoice.kind
        state = invoice.state
        amount = invoice.price.amount
        currency = invoice.price.currency
        createdAt = invoice.createdAt
        dueUntil = invoice.state == .due ? invoice.dueUntil : nil
        payURL = invoice.payURL
        failedAt = invoice.failedAt
        paidAt = invoice.paidAt
        cancelledAt = invoice.cancelledAt
    }
}

/// How the payment for a request stands, for the third party.
struct RequestPayment: Encodable, Sendable {
    /// What its acceptance costs, as it was when the request was created.
    let price: Price
    /// From the acceptance on.
    let payment: Payment?

    struct Payment: Encodable, Sendable {
        let invoice: UUID
        let state: Invoice.State
        let amount: Int64
        let currency: String
        let dueUntil: Timestamp?
        let payURL: String?

        init(_ invoice: Invoice) {
            self.invoice = invoice.id
            state = invoice.state
            amount = invoice.price.amount
            currency = invoice.price.currency
            dueUntil = invoice.state == .due ? invoice.dueUntil : nil
            payURL = invoice.payURL
        }
    }
}
