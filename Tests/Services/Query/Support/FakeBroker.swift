import Glibc
import Feed
import HTTP
import JSON
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Query

/// A payments' broker on a free port of this machine.
final class FakeBroker: Sendable {
    struct Call: Sendable {
        let id: String
        let timestamp: String
        let isSigned: Bool
        let body: JSONValue

        var event: String? { body["event"]?.text }
        var invoice: String? { body["invoice"]?.text }
    }

    enum Behaviour: Sendable {
        case take, fail
        /// A 2xx with this body.
        case answer(String)
    }

    private let state = Mutex<(calls: [Call], behaviour: Behaviour)>(([], .take))
    let secret = WebhookSecret.random()
    let callBackSecret = WebhookSecret.random()
    private let directory = "/tmp/broker-\(UUID.random())"
    private let server = Mutex<HTTPServer?>(nil)
    private let client = Mutex<BrokerClient?>(nil)

    var calls: [Call] { state.withLock { $0.calls } }
    func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    static func with<R: Sendable>(_ body: @escaping @Sendable (FakeBroker) async throws -> R) async throws -> R {
        try await EventLoopGroup.withLoops(1) { loops in
            let broker = FakeBroker()
            try await broker.start(on: loops)
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body(broker)) } catch { outcome = .failure(error) }
            await broker.stop()
            return try outcome.get()
        }
    }

    private func start(on loops: EventLoopGroup) async throws {
        #expect(mkdir(directory, 0o700) == 0)
        try Self.write(secret.text, to: "\(directory)/ours")
        try Self.write(callBackSecret.text, to: "\(directory)/theirs")
        var router = HTTPRouter()
        router.on(.post, "/invoices") { (request) async throws(Problem) in try self.take(request) }
        let running = try await HTTPServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
        server.withLock { $0 = running }
    }

    private func stop() async {
        let running = server.withLock { $0 }
        await running?.shutdown(grace: .zero)
        for file in ["ours", "theirs", ""] { remove("\(directory)/\(file)") }
    }

    static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fputs(text, file) >= 0 && chmod(path, 0o600) == 0)
    }

    private func take(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        let (id, timestamp) = (request.field("webhook-id") ?? "", request.field("webhook-timestamp") ?? "")
        let isSigned: Bool
        do {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: request.field("webhook-signature") ?? "", body: request.bytes,
                secrets: [secret], now: Timestamp(microseconds: (Int64(timestamp) ?? 0) * 1_000_000))
            isSigned = true
        } catch { isSigned = false }
        let body = (try? JSONDecoder().decode(JSONValue.self, from: request.bytes)) ?? .null
        let behaviour = state.withLock { state in
            state.calls.append(Call(id: id, timestamp: timestamp, isSigned: isSigned, body: body))
            return state.behaviour
        }
        switch behaviour {
        case .take:
            let link = "http://127.0.0.1:1/pay/\(body["invoice"]?.text ?? "")"
            return HTTPResponse(.ok, contentType: .json, body: .bytes(Array("{\"pay_url\":\"\(link)\"}".utf8)))
        case .fail: throw Problem(.serviceUnavailable, code: "broken")
        case .answer(let text): return HTTPResponse(.ok, contentType: .json, body: .bytes(Array(text.utf8)))
        }
    }

    /// One for all of a test's replicas.
    func client(_ make: () throws -> BrokerClient) throws -> BrokerClient {
        try client.withLock { client in
            let made = try client ?? make()
            client = made
            return made
        }
    }

    /// Call while the loops of the client run.
    func closeClient() { client.withLock { $0.take() }?.close() }

    // MARK: What query is given

    var url: String { "http://127.0.0.1:\(server.withLock { $0?.port } ?? 0)" }

    /// The member `payments`, with these prices.
    func settings(_ prices: String = #"{"single_once": 500, "single_subscription": 200}"#) -> String {
        """
        {"currency": "EUR", "prices": \(prices), "broker": {"url": "\(url)", "secret_file": "\(directory)/ours",
          "call_back_secret_file": "\(directory)/theirs", "allow_private": true}}
        """
    }

    /// A call-back's header fields, signed at `time` by `secret`, or by the broker's.
    func fields(
        _ body: String, at time: Timestamp, id: String = "msg_\(UUID.random())", secret: WebhookSecret? = nil
    ) -> HTTPFields {
        [
            "Content-Type": "application/json", "webhook-id": id,
            "webhook-timestamp": WebhookSignature.timestamp(time),
            "webhook-signature": WebhookSignature.sign(
                id: id, at: time, body: Array(body.utf8), secrets: [secret ?? callBackSecret]),
        ]
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
                settings: ", \"payments\": \(broker.settings(prices))\(more)", isRunning: isRunning
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
            try JSONDecoder().decode(PaymentSettings.self, from: Array(broker.settings(prices).utf8))
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

    /// A request's life with other prices, as after a change of the configuration.
    func life(_ pricing: Pricing?) -> RequestLife {
        let context = service.context
        let store = RequestStore(keys: keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [
                ConsentFeed.definition(store, in: context.database, clock: clock),
                WatchFeed.definition(in: context.database, clock: clock),
            ], retention: [:], observer: context.observer)
        return RequestLife(
            database: context.database, store: store, outbox: NoticeOutbox(context, keys: store.keys),
            feed: ConsentFeed(producer: producer), watches: WatchFeed(producer: producer),
            events: Events(
                context, store: store, audit: AuditTrail(database: context.database), pricing: pricing),
            clock: clock, log: context.log, settings: context.settings.requests, unreadable: context.unreadable,
            pricing: pricing)
    }
}
