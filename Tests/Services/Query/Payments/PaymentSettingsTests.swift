import Contracts
import Domain
import Glibc
import HTTP
import JSON
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct PaymentSettingsTests {
    private func decoded(_ text: String) throws -> PaymentSettings {
        try JSONDecoder(unknownKeys: .refuse).decode(PaymentSettings.self, from: Array(text.utf8))
    }

    private static let broker =
        #""broker": {"url": "https://x.example", "secret_file": "a", "call_back_secret_file": "b"}"#

    @Test("PAY-01a: prices are whole hundredths of a currency that has them")
    func prices() throws {
        let good = try decoded(#"{"currency": "EUR", "prices": {"single_once": 0}, \#(Self.broker)}"#)
        #expect(good.dueDays == 14 && good.prices.singleOnce == 0 && good.prices.singleSubscription == 0)
        #expect(good.prices.groupOnce == 0 && good.groupPrice == nil)
        let group = try decoded(#"{"currency": "CHF", "prices": {"group_once": 2000}, \#(Self.broker)}"#)
        #expect(group.groupPrice == Price(amount: 2000, currency: "CHF"))
        for bad in [
            #"{"currency": "EUR", \#(Self.broker)}"#, #"{"currency": "eur", "prices": {}, \#(Self.broker)}"#,
            #"{"currency": "JPY", "prices": {}, \#(Self.broker)}"#,
            #"{"currency": "EURO", "prices": {}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {"single_once": -1}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {"single_once": 4.99}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {"single_often": 5}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {"group_once": -1}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {"group_once": 100000001}, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {}, "due_days": 0, \#(Self.broker)}"#,
            #"{"currency": "EUR", "prices": {}}"#,
        ] {
            #expect(throws: JSONError.self, "\(bad)") { try decoded(bad) }
        }
    }

    @Test(
        "PAY-02a: the broker is reached by https with a secret for each direction, or what is wrong is said in one sentence"
    )
    func hook() throws {
        let directory = "/tmp/broker-\(UUID.random())"
        #expect(mkdir(directory, 0o700) == 0)
        defer { for file in ["one", "other", "two", "bad", "open", ""] { remove("\(directory)/\(file)") } }
        let (one, other) = (WebhookSecret.random(), WebhookSecret.random())
        try FakeBroker.write(one.text + "\n", to: "\(directory)/one")
        try FakeBroker.write(other.text, to: "\(directory)/other")
        try FakeBroker.write("\(other.text)\n\(WebhookSecret.random().text)\n", to: "\(directory)/two")
        try FakeBroker.write("whsec_short", to: "\(directory)/bad")
        try FakeBroker.write(one.text, to: "\(directory)/open")
        chmod("\(directory)/open", 0o644)
        func load(_ url: String, _ own: String, _ theirs: String, _ more: String = "") throws -> BrokerHook {
            let text = """
                {"url": "\(url)", "secret_file": "\(directory)/\(own)",
                 "call_back_secret_file": "\(directory)/\(theirs)"\(more)}
                """
            return try BrokerHook.load(try JSONDecoder().decode(BrokerSettings.self, from: Array(text.utf8)))
        }
        let hook = try load("https://pay.example.org/hook/", "one", "two")
        #expect(hook.invoices?.description == "https://pay.example.org/hook/invoices")
        #expect(hook.callBackSecrets.count == 2 && !hook.takes(link: "http://127.0.0.1/pay"))
        let near = try load("http://127.0.0.1:8121", "one", "other", ", \"allow_private\": true")
        #expect(near.invoices?.description == "http://127.0.0.1:8121/invoices")
        #expect(near.takes(link: "http://127.0.0.1:8121/pay/1") && !near.takes(link: "http://10.0.0.1/pay"))
        for (url, own, theirs, more) in [
            ("http://pay.example.org/", "one", "other", ""), ("http://127.0.0.1/", "one", "other", ""),
            ("http://10.0.0.1/", "one", "other", ", \"allow_private\": true"), ("ftp://x", "one", "other", ""),
            ("https://pay.example.org/?a=b", "one", "other", ""), ("https://pay.example.org/", "one", "one", ""),
            ("https://pay.example.org/", "other", "two", ""), ("https://pay.example.org/", "bad", "other", ""),
            ("https://pay.example.org/", "none", "other", ""), ("https://pay.example.org/", "open", "other", ""),
        ] {
            #expect(throws: ConfigurationError.self, "\(url) \(own) \(theirs)") { try load(url, own, theirs, more) }
        }
    }

    @Test(
        "PAY-01a: a subscription costs by the months of 30 days that it has begun",
        arguments: [
            ("2025-07-01T00:00:00Z", 1), ("2025-07-31T00:00:00Z", 1), ("2025-07-31T00:00:00.000001Z", 2),
            ("2025-08-30T00:00:00Z", 2), ("9999-12-31T23:59:59Z", 97_088),
        ])
    func months(end: String, months: Int64) throws {
        let settings = try decoded(#"{"currency": "EUR", "prices": {"single_subscription": 100}, \#(Self.broker)}"#)
        let start = Timestamp("2025-07-01T00:00:00Z")!
        let to = Timestamp(end)!
        let request = ConsentRequest(
            id: .random(), requesterID: .random(), individualID: .random(), runID: nil, mode: .subscription,
            types: [.heartRate], from: start, to: to > start ? to : start + .seconds(1), reason: "", requesterName: "",
            named: "", createdAt: start, lapsesAt: start + .seconds(1))
        #expect(settings.prices.amount(of: request)?.amount == months * 100)
    }
}
