import HTTP
import JSON
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Query

extension FakeBroker {
    /// The member `payments`, with these prices.
    func payments(_ prices: String = #"{"single_once": 500, "single_subscription": 200}"#) -> String {
        #"{"currency": "EUR", "prices": \#(prices), "broker": \#(settings)}"#
    }
}

extension World {
    /// With prices and a broker. With `isRunning: false` the broker is told of nothing but by the test's `brokerCalls`.
    static func withPayments(
        prices: String = #"{"single_once": 500, "single_subscription": 200}"#, settings more: String = "",
        isRunning: Bool = true, _ body: @escaping @Sendable (World, FakeBroker) async throws -> Void
    ) async throws {
        try await FakeBroker.with { broker in
            try await World.with(
                settings: ", \"payments\": \(broker.payments(prices))\(more)", isRunning: isRunning
            ) { world in
                defer { broker.closeClient() }
                try await body(world, broker)
            }
        }
    }

    /// A replica's calls to the broker, made only when the test says so.
    func brokerCalls(_ broker: FakeBroker) throws -> BrokerCalls {
        let context = service.context
        let client = try broker.client {
            let hook = try BrokerHook.load(try #require(context.settings.payments).broker)
            return BrokerClient(Replaceable(hook), loops: context.loops, tls: nil, clock: clock)
        }
        return BrokerCalls(
            context, store: InvoiceStore(database: context.database), client: client,
            outbox: NoticeOutbox(context, keys: keys))
    }

    /// The invoices of a company, the latest first.
    func invoices(_ query: String = "", company: UUID? = nil) async throws -> [JSONValue] {
        let answer = try await asCompany(.get, "/invoices\(query)", company: company)
        try #require(answer.status == 200, "\(answer.text)")
        return answer["invoices"]?.items ?? []
    }

    static func callBack(
        _ invoice: JSONValue, _ event: String = "paid", reference: String = "pay_1", amount: Int64? = nil,
        currency: String = "EUR", at time: Timestamp = start
    ) -> String {
        """
        {"invoice":"\(invoice["id"]?.text ?? "")","event":"\(event)","reference":"\(reference)",
         "amount":\(amount ?? invoice["amount"]?.integer ?? 0),"currency":"\(currency)","at":"\(time)"}
        """
    }

    /// The broker calls, signed.
    func callBack(_ broker: FakeBroker, _ body: String) async throws -> Answer {
        try await call(
            .post, "/payments/broker", body, token: nil, fields: broker.fields(body, at: clock.now()))
    }

    /// What requests cost, with these prices or with the service's.
    func pricing(_ broker: FakeBroker, _ prices: String? = nil) throws -> Pricing {
        let settings = try prices.map { prices in
            try JSONDecoder().decode(PaymentSettings.self, from: Array(broker.payments(prices).utf8))
        }
        return Pricing(
            try #require(settings ?? service.context.settings.payments),
            store: InvoiceStore(database: service.database), calls: try brokerCalls(broker), log: EventLog(keys: keys))
    }

    /// Where a request is paid, once the broker has said so to the service itself, within `Duration.patience`. Call on a loop.
    func payURL(of request: String) async throws -> String? {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let payment = try await asCompany(.get, "/requests/\(request)")["payment"]
            if let link = payment?["pay_url"]?.text { return link }
        }
        return nil
    }
}
