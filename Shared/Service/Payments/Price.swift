public import JSON

/// An amount of money in the currency's minor units: 1250 of EUR are 12.50 €.
public struct Price: Codable, Sendable, Equatable {
    /// The highest: a million, with two decimals.
    public static let amountMax = 100_000_000

    public let amount: Int64
    /// ISO 4217.
    public let currency: String

    public init(amount: Int64, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// For the texts of messages: `1250 EUR`.
    public var text: String { "\(amount) \(currency)" }

    /// For programs that get an error.
    public var members: [String: JSONValue] { ["amount": .integer(amount), "currency": .string(currency)] }

    /// Currencies in use whose minor unit is not a hundredth: what people read would be another amount.
    private static let notOfTwoDecimals: Set = [
        "BHD", "BIF", "CLF", "CLP", "DJF", "GNF", "IQD", "ISK", "JOD", "JPY", "KMF", "KRW", "KWD", "LYD", "OMR", "PYG",
        "RWF", "TND", "UGX", "UYI", "UYW", "VND", "VUV", "XAF", "XOF", "XPF",
    ]

    /// Whether prices can be in it: three capital letters (ISO 4217), of a currency with two decimals.
    public static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            && !notOfTwoDecimals.contains(text)
    }
}
