import Primitives
import Security
import Service

/// Messages about payments, to the third party. Each is sent once: its id follows from the invoice.
extension Notice {
    private static let paymentNamespace = UUID(high: 0x9d0c_27a1_5b0e_4c3f, low: 0xa4f2_6c1d_93e7_b850)

    /// Of answers about groups the templates are others.
    private init(_ event: String, about invoice: Invoice, _ more: [String: String] = [:]) {
        let template = invoice.kind == .groupOnce ? "group-payment-\(event)" : "payment-\(event)"
        let values = [
            "request_id": invoice.requestID.description, "invoice_id": invoice.id.description,
            "amount": invoice.price.text,
        ]
        self.init(
            id: .named(Array("\(template) \(invoice.id)".utf8), in: Self.paymentNamespace), to: invoice.requesterID,
            template: template, values: values.merging(more) { own, _ in own })
    }

    /// An accepted request or an answer about a group has to be paid, and the broker takes the payment.
    static func paymentDue(_ invoice: Invoice, payURL: String) -> Notice {
        Notice(
            "due", about: invoice,
            ["pay_url": payURL, "due_until": invoice.dueUntil.description])
    }

    static func paymentReceived(_ invoice: Invoice) -> Notice { Notice("received", about: invoice) }

    /// An answer about a group was not paid in time. Of a request its end is told.
    static func paymentLapsed(_ invoice: Invoice) -> Notice { Notice("lapsed", about: invoice) }
}
