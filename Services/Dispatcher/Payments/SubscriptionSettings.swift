import JSON
import Primitives
import Service

/// The member `payments` of the dispatcher's settings (PAY-01). Without it AutomatedSOS costs nothing.
///
/// `{"currency": "EUR", "month": 900, "due_days": 30, "broker": {…}}`
struct SubscriptionSettings: Decodable, Sendable {
    private static let dueDaysRange = 14...30
    private static let dueDaysDefault = 30

    /// Of 30 days.
    let price: Price
    /// How long an invoice may stay unpaid; what follows then is in `SubscriptionTimes`.
    let dueDays: Int
    let broker: BrokerSettings

    private enum CodingKeys: CodingKey { case currency, month, dueDays, broker }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let currency = try container.decode(String.self, forKey: .currency)
        guard Price.isCurrency(currency) else {
            throw DecodingError.dataCorruptedError(
                forKey: .currency, in: container,
                debugDescription: "expected a currency with two decimals, such as EUR")
        }
        guard let amount = try container.number(.month, 1...Price.amountMax) else {
            throw DecodingError.dataCorruptedError(
                forKey: .month, in: container, debugDescription: "expected the price of 30 days in hundredths")
        }
        price = Price(amount: Int64(amount), currency: currency)
        dueDays = try container.number(.dueDays, Self.dueDaysRange) ?? Self.dueDaysDefault
        broker = try container.decode(BrokerSettings.self, forKey: .broker)
    }
}

/// How long what lasts between an invoice and a pause of watching.
struct SubscriptionTimes: Sendable {
    /// What is paid for at once.
    var period = Duration.seconds(30 * 86_400)
    var due: Duration
    /// From the warning, which accounts has taken by then, to the pause that it names.
    var warning = Duration.seconds(7 * 86_400)
    /// The second warning comes so long before the pause.
    var reminder = Duration.seconds(2 * 86_400)
    /// From the second warning to the pause.
    var reminderMin = Duration.seconds(86_400)
    /// A pause is renewed as long as the invoice is unpaid: when nothing here runs any more, watching goes on by itself.
    var pause = Duration.seconds(36 * 3600)
    var renewal = Duration.seconds(24 * 3600)
    var round = Duration.seconds(60)

    init(_ settings: SubscriptionSettings) {
        due = .seconds(86_400 * Int64(settings.dueDays))
    }
}
