import JSON
import Primitives
import Service

/// What requests cost, per kind: the member `prices`. A kind without a price is free.
struct PriceList: Decodable, Sendable {
    /// Begun months count whole.
    private static let monthSeconds: Int64 = 30 * 86_400

    /// For a request, in minor units.
    let singleOnce: Int
    /// For each month of 30 days that the period has begun, in minor units.
    let singleSubscription: Int
    /// For a question about a group that has an answer, in minor units.
    let groupOnce: Int

    private enum CodingKeys: CodingKey { case singleOnce, singleSubscription, groupOnce }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        singleOnce = try container.number(.singleOnce, 0...Price.amountMax) ?? 0
        singleSubscription = try container.number(.singleSubscription, 0...Price.amountMax) ?? 0
        groupOnce = try container.number(.groupOnce, 0...Price.amountMax) ?? 0
    }

    /// `nil` for what is free. A check-in is no request of a company, and costs nothing.
    func amount(of request: ConsentRequest) -> (kind: PaymentKind, amount: Int64)? {
        guard request.runID == nil else { return nil }
        switch request.mode {
        case .once: return singleOnce > 0 ? (.singleOnce, Int64(singleOnce)) : nil
        case .subscription:
            guard singleSubscription > 0 else { return nil }
            // A period of 10,000 years has 122,000 months.
            let length = request.to - request.from
            let (seconds, rest) = length.components
            let months = (seconds + (rest > 0 ? 1 : 0) + Self.monthSeconds - 1) / Self.monthSeconds
            return (.singleSubscription, Int64(singleSubscription) * max(1, months))
        }
    }
}
