import Contracts
import JSON
import Postgres
import Primitives
import Security
import Service

/// What somebody has to pay, or has paid, for 30 days of AutomatedSOS (PAY-01).
struct Invoice: Sendable {
    /// One way: `due`, then `paid` or `cancelled`.
    enum State: String, Codable, Sendable, PostgresCodable {
        case due, paid, cancelled
    }

    let account: UUID
    let id: UUID
    let price: Price
    let state: State
    let createdAt: Timestamp
    /// The days that are paid with it end then.
    let coversUntil: Timestamp
    let dueUntil: Timestamp
    /// Where the broker takes the payment; absent until it has answered, and of what is not due.
    let payURL: String?
    let failedAt: Timestamp?
    let paidAt: Timestamp?
    let cancelledAt: Timestamp?
    /// When watching is paused if it is not paid; absent until the person was warned.
    let pauseFrom: Timestamp?
    /// Watching is paused since it is not paid.
    let isPausing: Bool

    /// Of a message about it: the same each time.
    func noticeID(_ template: String) -> UUID { .named(Array(template.utf8), in: id) }
}

/// An invoice as the person sees it.
struct InvoiceView: Encodable, Sendable {
    let id: UUID
    let state: Invoice.State
    let amount: Int64
    let currency: String
    let createdAt: Timestamp
    let coversUntil: Timestamp
    let dueUntil: Timestamp?
    let payURL: String?
    let failedAt: Timestamp?
    let paidAt: Timestamp?
    let cancelledAt: Timestamp?
    let pauseFrom: Timestamp?

    init(_ invoice: Invoice) {
        let isDue = invoice.state == .due
        id = invoice.id
        state = invoice.state
        amount = invoice.price.amount
        currency = invoice.price.currency
        createdAt = invoice.createdAt
        coversUntil = invoice.coversUntil
        dueUntil = isDue ? invoice.dueUntil : nil
        payURL = invoice.payURL
        failedAt = invoice.failedAt
        paidAt = invoice.paidAt
        cancelledAt = invoice.cancelledAt
        pauseFrom = isDue ? invoice.pauseFrom : nil
    }
}

/// Messages about payments. Each is sent once: its id follows from the invoice.
extension Notice {
    private init(_ template: String, about invoice: Invoice, _ more: [String: String] = [:]) {
        let values = ["invoice_id": invoice.id.description, "amount": invoice.price.text]
        self.init(
            id: invoice.noticeID(template), to: invoice.account, template: template,
            values: values.merging(more) { own, _ in own })
    }

    /// The broker takes the payment.
    static func paymentDue(_ invoice: Invoice, payURL: String) -> Notice {
        Notice("sos-payment-due", about: invoice, ["pay_url": payURL, "due_until": invoice.dueUntil.description])
    }

    static func paymentReceived(_ invoice: Invoice, until: Timestamp) -> Notice {
        Notice("sos-payment-received", about: invoice, ["until": until.description])
    }

    /// Watching is paused.
    static func pausedUnpaid(_ invoice: Invoice, payURL: String) -> Notice {
        Notice("sos-payment-paused", about: invoice, ["pay_url": payURL])
    }

    /// That watching will be paused: handed to accounts at once, not through the outbox, since what follows waits for its answer.
    static func pauseWarning(_ invoice: Invoice, payURL: String, pauseFrom: Timestamp, isLast: Bool) -> Notice {
        Notice(
            isLast ? "sos-payment-last-warning" : "sos-payment-warning", about: invoice,
            ["pay_url": payURL, "pause_from": pauseFrom.description])
    }
}
