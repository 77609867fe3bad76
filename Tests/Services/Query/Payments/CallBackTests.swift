import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import HTTP
@testable import Query

/// Calls of the broker, and of those who would like to be it.
@Suite struct CallBackTests {
    @Test("PAY-02a NFR-05: a call that the broker has not signed, or not now, or that was changed, pays nothing")
    func forged() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            _ = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            let body = World.callBack(invoice)
            let now = world.clock.now()
            var without = broker.fields(body, at: now)
            without["webhook-signature"] = "v1,"
            let forged: [(String, HTTPFields, String)] = [
                ("no fields", ["Content-Type": "application/json"], body),
                ("no signature", without, body),
                ("another secret", broker.fields(body, at: now, secret: .random()), body),
                // What TrackMe signs itself is no call of the broker.
                ("our own secret", broker.fields(body, at: now, secret: broker.secret), body),
                ("another body", broker.fields(World.callBack(invoice, "failed"), at: now), body),
                ("an old time", broker.fields(body, at: now - .seconds(301)), body),
                ("a time to come", broker.fields(body, at: now + .seconds(302)), body),
            ]
            for (what, fields, body) in forged {
                let answer = try await world.call(.post, "/payments/broker", body, token: nil, fields: fields)
                #expect(answer.status == 401 && answer.code == "signature-refused", "\(what)")
            }
            #expect(try await world.invoices().first == invoice)
        }
    }

    @Test("PAY-02a: amount and currency have to be the invoice's, and what is not known is refused")
    func wrong() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            _ = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            let unknown = World.callBack(["id": .string(UUID.random().description), "amount": 800])
            let wrong: [(String, Int, String)] = [
                (unknown, 404, "not-found"),
                (World.callBack(invoice, amount: 799), 409, "amount-differs"),
                (World.callBack(invoice, amount: 80_000), 409, "amount-differs"),
                (World.callBack(invoice, currency: "USD"), 409, "amount-differs"),
                (World.callBack(invoice, "failed", amount: 1), 409, "amount-differs"),
                (World.callBack(invoice, "refunded"), 422, "invalid-request"),
                (World.callBack(invoice, reference: ""), 422, "invalid-request"),
                (World.callBack(invoice, reference: "two words"), 422, "invalid-request"),
                (World.callBack(invoice, reference: String(repeating: "r", count: 129)), 422, "invalid-request"),
                ("{}", 422, "invalid-request"), ("[", 400, "invalid-json"),
            ]
            for (body, status, code) in wrong {
                let answer = try await world.callBack(broker, body)
                #expect(answer.status == status && answer.code == code, "\(body)")
            }
            #expect(try await world.invoices().first == invoice)
            // A broker may be newer than TrackMe.
            let more = World.callBack(invoice).replacing("{\"invoice\"", with: "{\"method\":\"card\",\"invoice\"")
            #expect(try await world.callBack(broker, more).status == 200)
        }
    }

    @Test(
        "PAY-02a: a call that comes again changes nothing, a second payment is given back, and paid wins over a late failure"
    )
    func again() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            _ = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            let failed = World.callBack(invoice, "failed", reference: "pay_0", at: World.start + .seconds(5))
            world.clock.advance(by: .seconds(10))
            #expect(try await world.callBack(broker, failed)["state"]?.text == "due")
            let failedAt = try #require(try await world.invoices().first?["failed_at"]?.text)
            #expect(Timestamp(failedAt) == World.start + .seconds(5))
            // An older one, told later.
            let older = World.callBack(invoice, "failed", reference: "pay_0", at: World.start + .seconds(1))
            #expect(try await world.callBack(broker, older).status == 200)
            #expect(try await world.invoices().first?["failed_at"]?.text == failedAt)

            let body = World.callBack(invoice)
            let fields = broker.fields(body, at: world.clock.now(), id: "msg_1")
            for _ in 0..<3 {
                let answer = try await world.call(.post, "/payments/broker", body, token: nil, fields: fields)
                #expect(answer.status == 200 && answer["state"]?.text == "paid")
            }
            let paid = try await world.invoices()
            let second = try await world.callBack(broker, World.callBack(invoice, reference: "pay_2"))
            #expect(second.status == 409 && second.code == "paid-already")
            #expect(try await world.callBack(broker, failed)["state"]?.text == "paid")
            #expect(try await world.invoices() == paid)
            let count = try await world.service.database.queryOne(
                "select count(*) from notice where template = 'payment-received'", as: Int.self)
            #expect(count == 1)
        }
    }

    @Test("PAY-02a: the same call to two replicas at the same time pays once")
    func replicas() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            _ = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            let body = World.callBack(invoice)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await world.callBack(broker, body).status } }
                for try await status in group { #expect(status == 200) }
            }
            let row = try await world.service.database.queryOne(
                "select version, (select count(*) from notice where template = 'payment-received') from invoice",
                as: Int32.self, Int.self)
            #expect(row?.0 == 2 && row?.1 == 1)
        }
    }

    @Test("NFR-03 PAY-02a: calls that are not signed are limited by client address, and good ones are not")
    func limit() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            func proxied(_ request: HTTPRequest) throws -> HTTPRequest {
                let proxy = HTTPPeer(
                    address: SocketAddress(numeric: "10.1.2.3", port: 4711), identity: nil,
                    trustedProxies: TrustedProxies(ranges: [try #require(AddressRange("10.0.0.0/8"))]))
                return HTTPRequest(head: request.head, body: request.body, peer: proxy)
            }
            let faults = try await LimitWalk.faults(
                in: world.service.assembled,
                limited: ["POST /query/v1/payments/broker": .init(BrokerGate.wrongPerAddressMax)], unlimited: [:],
                proxied: proxied)
            #expect(faults == [])
            _ = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            let body = World.callBack(invoice)
            for _ in 0...BrokerGate.wrongPerAddressMax {
                var fields = broker.fields(body, at: world.clock.now())
                fields["X-Forwarded-For"] = "203.0.113.7"
                let request = try HTTPRequest(
                    .post, "/query/v1/payments/broker", fields: fields, body: Array(body.utf8))
                #expect(try await world.service.assembled.answer(try proxied(request)).status == .ok)
            }
        }
    }

    @Test("NFR-05: with prices the broker's hook is open to who signs, and invoices are for third parties alone")
    func access() async throws {
        try await World.withPayments(isRunning: false) { world, _ in
            let faults = try await AccessWalk.faults(
                in: world.service.assembled, tokens: world.service.tokens, open: ["POST /query/v1/payments/broker"])
            #expect(faults == [])
        }
    }
}
