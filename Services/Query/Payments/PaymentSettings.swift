import JSON
import Primitives
import Service

/// The member `payments` of query's settings (PAY-01). Without it nothing costs anything.
///
/// `{"currency": "EUR", "prices": {"single_once": 500, "single_subscription": 200, "group_once": 2000}, "due_days": 14,
///  "broker": {…}}`
struct PaymentSettings: Decodable, Sendable {
    /// Of every price: three capital letters (ISO 4217), of a currency with two decimals.
    let currency: String
    let prices: PriceList
    /// An unpaid invoice stays due for so many days; then the request ends, or the answer is no longer to be had.
    let dueDays: Int
    let broker: BrokerSettings

    private enum CodingKeys: CodingKey { case currency, prices, dueDays, broker }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        currency = try container.decode(String.self, forKey: .currency)
        guard Price.isCurrency(currency) else {
            throw DecodingError.dataCorruptedError(
                forKey: .currency, in: container,
                debugDescription: "expected a currency with two decimals, such as EUR")
        }
        prices = try container.decode(PriceList.self, forKey: .prices)
        dueDays = try container.number(.dueDays, 1...365) ?? 14
        broker = try container.decode(BrokerSettings.self, forKey: .broker)
    }

    /// What an answer about a group costs now; `nil` when nothing.
    var groupPrice: Price? {
        prices.groupOnce > 0 ? Price(amount: Int64(prices.groupOnce), currency: currency) : nil
    }
}
