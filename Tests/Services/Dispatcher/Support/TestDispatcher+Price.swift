import Contracts
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

extension TestDispatcher {
    /// What is sent with an enrolment to accept the price of `withPrice`.
    static let acceptance = #", "accepts_price": {"amount": 900, "currency": "EUR"}"#

    /// Where 30 days of AutomatedSOS cost 9.00 €, with a broker.
    static func withPrice(
        times: HandOverTimes = shortTimes,
        _ body: @escaping @Sendable (TestDispatcher, FakeBroker) async throws -> Void
    ) async throws {
        try await FakeBroker.with { broker in
            var setting = Setting()
            let text = #"{"currency": "EUR", "month": 900, "broker": \#(broker.settings)}"#
            setting.payments = try JSONDecoder().decode(SubscriptionSettings.self, from: Array(text.utf8))
            try await with(times: times, setting: setting) { try await body($0, broker) }
        }
    }

    var keeper: SubscriptionKeeper {
        get throws { try #require(capabilities.subscriptions).keeper }
    }

    /// Somebody who has accepted the price, with an invoice that can be paid.
    func subscribe(_ account: UUID) async throws {
        try await enrol(account, more: Self.acceptance)
        try await keeper.look()
        let isPayable = try await wait(
            "select exists (select from invoice where account = \(account) and pay_url is not null)")
        #expect(isPayable)
    }

    /// As if all that has to do with payments had been so many days earlier.
    func pass(days: Int) async throws {
        let time: SQL = "make_interval(days => \(Int32(days)))"
        try await database.batch([
            """
            update invoice set created_at = created_at - \(sql: time), covers_until = covers_until - \(sql: time),
              due_until = due_until - \(sql: time), paid_at = paid_at - \(sql: time),
              warned_at = warned_at - \(sql: time), pause_from = pause_from - \(sql: time),
              reminded_at = reminded_at - \(sql: time)
            """,
            """
            update subscription set accepted_at = accepted_at - \(sql: time), next_at = next_at - \(sql: time)
            """,
        ])
    }

    /// As if the warnings of all that is due were over.
    func passWarnings() async throws {
        try await database.execute(
            """
            update invoice set created_at = now() - interval '40 days', covers_until = now() - interval '10 days',
              due_until = now() - interval '10 days', warned_at = now() - interval '8 days',
              pause_from = now() - interval '1 day', reminded_at = now() - interval '3 days'
            where state = 'due'
            """)
    }

    func invoices(of account: UUID) async throws -> [JSONValue] {
        let answer = try await call(.get, "/dispatcher/v1/invoices", account: account)
        #expect(answer.status == .ok)
        return try await json(answer)["invoices"]?.items ?? []
    }

    static func callBack(
        _ invoice: JSONValue, _ event: String = "paid", reference: String = "pay_1", amount: Int64 = 900
    ) -> String {
        """
        {"invoice": "\(invoice["id"]?.text ?? "")", "event": "\(event)", "reference": "\(reference)",
         "amount": \(amount), "currency": "EUR", "at": "\(Timestamp.now())"}
        """
    }

    /// The broker calls, signed.
    func callBack(_ broker: FakeBroker, _ body: String) async throws -> HTTPResponse {
        try await call(.post, "/dispatcher/v1/payments/broker", fields: broker.fields(body, at: .now()), body: body)
    }

    /// Whom ingestion is to watch.
    func watched() async throws -> [UUID] {
        let ingestion = LocalCaller(router: assembled.rpc, as: "ingestion")
        return try await ingestion.call(FeedSnapshot.self, .init(feed: Dispatcher.watchFeed, page: nil)).entities
            .map(\.entity)
    }

    func isTold(_ template: String) -> Bool { accounts.notices.contains { $0.template == template } }
}
