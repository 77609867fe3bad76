import HTTP
import JSON
import Primitives
import Security
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

    /// Currencies in use whose minor unit is not a hundredth: what people read would be another amount.
    private static let notOfTwoDecimals: Set = [
        "BHD", "BIF", "CLF", "CLP", "DJF", "GNF", "IQD", "ISK", "JOD", "JPY", "KMF", "KRW", "KWD", "LYD", "OMR", "PYG",
        "RWF", "TND", "UGX", "UYI", "UYW", "VND", "VUV", "XAF", "XOF", "XPF",
    ]

    private enum CodingKeys: CodingKey { case currency, prices, dueDays, broker }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        currency = try container.decode(String.self, forKey: .currency)
        let isCode =
            currency.utf8.count == 3
            && currency.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard isCode, !Self.notOfTwoDecimals.contains(currency) else {
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

/// Where the broker is, and the files with the secrets (Standard Webhooks). A file may hold two: while a secret is replaced, both hold.
struct BrokerSettings: Decodable, Sendable {
    let url: String
    /// With which our calls are signed.
    let secretFile: String
    /// With which the broker signs its own.
    let callBackSecretFile: String
    private let allowPrivate: Bool?

    /// Whether the broker's address may be on this network or this machine.
    var allowsPrivate: Bool { allowPrivate ?? false }
}

/// The broker's hook, read from what the settings name.
struct BrokerHook: Sendable {
    private static let secretBytesMax = 1024
    private static let secretsMax = 2

    let url: HTTPURL
    let secrets: [WebhookSecret]
    let callBackSecrets: [WebhookSecret]
    let allowsPrivate: Bool

    /// Reads and checks the settings and the files that they name. Secrets of the two directions differ: what we have signed
    /// would be good as the broker's own call.
    static func load(_ settings: BrokerSettings) throws(ConfigurationError) -> BrokerHook {
        guard let url = HTTPURL(settings.url), !settings.url.contains("?"), !settings.url.contains("#") else {
            throw ConfigurationError("The url of the payments' broker is not valid; it has no query.")
        }
        guard url.isSecure || settings.allowsPrivate && url.isOnThisMachine else {
            throw ConfigurationError(
                "The url of the payments' broker is not https; http is for this machine only, with allow_private.")
        }
        let (own, theirs) = (try secrets(settings.secretFile), try secrets(settings.callBackSecretFile))
        guard Set(own.map(\.text)).isDisjoint(with: theirs.map(\.text)) else {
            throw ConfigurationError(
                "\(settings.secretFile) and \(settings.callBackSecretFile) hold the same secret; give each direction its own."
            )
        }
        return BrokerHook(url: url, secrets: own, callBackSecrets: theirs, allowsPrivate: settings.allowsPrivate)
    }

    private static func secrets(_ path: String) throws(ConfigurationError) -> [WebhookSecret] {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.read(path, bytesMax: secretBytesMax, isSecret: true)
        } catch { throw ConfigurationError(error) }
        var secrets: [WebhookSecret] = []
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        for word in words {
            do throws(SecurityError) { secrets.append(try WebhookSecret(String(word))) } catch { secrets = [] }
        }
        guard (1...secretsMax).contains(words.count), secrets.count == words.count else {
            throw ConfigurationError(
                "\(path) does not hold whsec_ and 24 to 64 bytes in base64, once or, while it is replaced, twice.")
        }
        return secrets
    }

    /// Where invoices are announced.
    var invoices: HTTPURL? {
        let text = url.description
        return HTTPURL(text.hasSuffix("/") ? "\(text)invoices" : "\(text)/invoices")
    }

    /// Whether third parties may be sent there: as the broker itself is reached.
    func takes(link text: String) -> Bool {
        guard text.utf8.count <= 2048, let link = HTTPURL(text) else { return false }
        return link.isSecure || allowsPrivate && link.isOnThisMachine
    }
}
