import JSON

/// An amount of money in the currency's minor units: 1250 of EUR are 12.50 €.
struct Price: Codable, Sendable, Equatable {
    let amount: Int64
    /// ISO 4217.
    let currency: String

    /// For the texts of messages: `1250 EUR`.
    var text: String { "\(amount) \(currency)" }

    /// For programs that get an error.
    var members: [String: JSONValue] { ["amount": .integer(amount), "currency": .string(currency)] }
}

/// What is paid for. The names are those of the table.
enum PaymentKind: String, Codable, Sendable, CaseIterable {
    /// A request for the past.
    case singleOnce = "single-once"
    /// A request for a period that reaches into the future.
    case singleSubscription = "single-subscription"
    /// A question about a group that has an answer.
    case groupOnce = "group-once"
}
