import Primitives
import Security
import Service

/// Messages about payments, to the third party. Each is sent once: its id follows from the invoice.
extension Notice {
    private static let paymentNamespace = UUID(high: 0x9d0c_27a1_5b0e_4c3f, low: 0xa4f2_6c1d_93e7_b850)

    private init(_ template: String, about invoice: Invoice, _ more: [String: String]) {
        let values = [
            "request_id": invoice.requestID.description, "invoice_id": invoice.id.description,
            "amount": invoice.price.text,
        ]
        self.init(
            id: .named(Array("\(template) \(invoice.id)".utf8), in: Self.paymentNamespace), to: invoice.requesterID,
            template: template, values: values.merging(more) { own, _ in own })
    }

    /// An accepted request has to be paid, and the broker takes the payment.
    static func paymentDue(_ invoice: Invoice, payURL: String) -> Notice {
        Notice(
            "payment-due", about: invoice,
            ["pay_url": payURL, "due_until": invoice.dueUntil.description])
    }

    static func paymentReceived(_ invoice: Invoice) -> Notice { Notice("payment-received", about: invoice, [:]) }
}
