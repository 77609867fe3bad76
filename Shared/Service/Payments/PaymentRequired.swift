public import HTTP
import JSON
public import Primitives

extension HTTPStatus {
    public static let paymentRequired = HTTPStatus(rawValue: 402)
}

extension Problem {
    /// 402 `payment-required`, with what a program needs to go on: amount, currency, invoice, and where it is paid, once that is known.
    public static func paymentRequired(_ price: Price, invoice: UUID, payURL: String?, detail: String) -> Problem {
        var problem = Problem(.paymentRequired, code: "payment-required", detail: detail)
        problem.members = price.members
        problem.members["invoice"] = .string(invoice.description)
        if let payURL { problem.members["pay_url"] = .string(payURL) }
        return problem
    }
}
