import Contracts
import HTTP
import JSON
import OpenAPITesting
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

/// What AutomatedSOS costs where it costs something.
@Suite struct SubscriptionTests {
    private static let enrolment = "/dispatcher/v1/enrolment"
    private static let form =
        #""clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567""#

    private func put(_ more: String, _ account: UUID, _ dispatcher: TestDispatcher) async throws -> HTTPResponse {
        try await dispatcher.call(.put, Self.enrolment, account: account, body: "{\(Self.form)\(more)}")
    }

    @Test(
        "PAY-01ab: who enrols is shown the price and accepts it, or is not enrolled; 30 days are an invoice, and paid")
    func price() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            let offer = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/price", account: account))
            #expect(offer["amount"] == .integer(900) && offer["currency"] == .string("EUR"))
            #expect(offer["days"] == .integer(30) && offer["warning_days"] == .integer(7) && offer["accepted"] == nil)
            for other in [
                "", #", "accepts_price": {"amount": 800, "currency": "EUR"}"#,
                #", "accepts_price": {"amount": 900, "currency": "CHF"}"#,
            ] {
                let refused = try await put(other, account, dispatcher)
                let problem = try await dispatcher.json(refused)
                #expect(refused.status == .unprocessableContent)
                #expect(problem["code"] == .string("price-not-accepted") && problem["amount"] == .integer(900))
            }
            #expect(try await dispatcher.call(.get, Self.enrolment, account: account).status == .notFound)

            try await dispatcher.subscribe(account)
            let due = try #require(try await dispatcher.invoices(of: account).first)
            #expect(due["state"] == .string("due") && due["amount"] == .integer(900) && due["pay_url"]?.text != nil)
            let call = try #require(broker.calls.first)
            #expect(call.isSigned && call.event == "due" && call.id == "\(due["id"]?.text ?? ""):due")
            let body = try JSONEncoder().encode(call.body)
            #expect(try APIDocument.of(DispatcherService.openAPI).faults(ofMessage: body, to: "invoice") == [])
            // Who is watched is nobody's business.
            #expect(!String(decoding: body, as: UTF8.self).contains(account.description))
            #expect(try await dispatcher.wait { dispatcher.isTold("sos-payment-due") })

            #expect(try await dispatcher.callBack(broker, TestDispatcher.callBack(due)).status == .ok)
            let paid = try #require(try await dispatcher.invoices(of: account).first)
            #expect(paid["state"] == .string("paid") && paid["pay_url"] == nil)
            #expect(try await dispatcher.wait { dispatcher.isTold("sos-payment-received") })
            try await dispatcher.pass(days: 29)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.invoices(of: account).count == 1)
            try await dispatcher.pass(days: 1)
            try await dispatcher.keeper.look()
            try await dispatcher.keeper.look()
            let states = try await dispatcher.invoices(of: account).map { $0["state"]?.text }
            #expect(states == ["due", "paid"])
        }
    }

    @Test("PAY-01a: who was enrolled while nothing cost anything pays nothing, until the price is accepted")
    func before() async throws {
        try await TestDispatcher.withPrice { dispatcher, _ in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: TestDispatcher.acceptance)
            try await dispatcher.database.batch(["delete from invoice", "delete from subscription"])
            #expect(try await put("", account, dispatcher).status == .ok)
            try await dispatcher.pass(days: 90)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.invoices(of: account).isEmpty)
            let path = "/dispatcher/v1/price"
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            #expect(shown["accepted"] == nil)
            #expect(try await put(TestDispatcher.acceptance, account, dispatcher).status == .ok)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.invoices(of: account).count == 1)
        }
    }

    @Test("PAY-01c: with no price set nothing of it shows: no member, no row, and no price")
    func none() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let price = try await dispatcher.call(.get, "/dispatcher/v1/price", account: account)
            #expect(price.status == .noContent)
            let invoices = try await dispatcher.call(.get, "/dispatcher/v1/invoices", account: account)
            #expect(invoices.status == .notFound)
            let refused = try await put(TestDispatcher.acceptance, account, dispatcher)
            #expect(refused.status == .unprocessableContent)
            let problem = try await dispatcher.json(refused)
            #expect(problem["errors"]?.items.first?["pointer"] == .string("/accepts_price"))
            let shown = try await dispatcher.call(.get, Self.enrolment, account: account)
            let text = String(decoding: try await shown.collectedBody(), as: UTF8.self)
            #expect(!text.contains("price") && !text.contains("invoice"))
            for table in ["subscription", "invoice"] {
                let count = try await dispatcher.database.queryOne("select count(*) from \(raw: table)", as: Int.self)
                #expect(count == 0)
            }
        }
    }

    @Test("PAY-01b PAY-02a: what the broker does not sign, another amount and a second payment pay nothing")
    func wrongCalls() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            let due = try #require(try await dispatcher.invoices(of: account).first)
            let body = TestDispatcher.callBack(due)
            let forged = try await dispatcher.call(
                .post, "/dispatcher/v1/payments/broker", fields: broker.fields(body, at: .now(), secret: broker.secret),
                body: body)
            #expect(forged.status == .unauthorized)
            let other = try await dispatcher.callBack(broker, TestDispatcher.callBack(due, amount: 1))
            #expect(try await dispatcher.json(other)["code"] == .string("amount-differs"))
            #expect(try await dispatcher.callBack(broker, TestDispatcher.callBack(due, "failed")).status == .ok)
            let failed = try #require(try await dispatcher.invoices(of: account).first)
            #expect(failed["state"] == .string("due") && failed["failed_at"] != nil)
            for _ in 0..<2 { #expect(try await dispatcher.callBack(broker, body).status == .ok) }
            let second = try await dispatcher.callBack(broker, TestDispatcher.callBack(due, reference: "pay_2"))
            #expect(second.status == .conflict)
            #expect(try await dispatcher.json(second)["code"] == .string("paid-already"))
            let late = try await dispatcher.json(
                try await dispatcher.callBack(broker, TestDispatcher.callBack(due, "failed", reference: "pay_3")))
            #expect(late["state"] == .string("paid"))
        }
    }

    @Test("PAY-01b: who ends the enrolment owes nothing; the broker is told, and gives a late payment back")
    func end() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            let due = try #require(try await dispatcher.invoices(of: account).first)
            #expect(try await dispatcher.call(.delete, Self.enrolment, account: account).status == .noContent)
            #expect(try await dispatcher.invoices(of: account).first?["state"] == .string("cancelled"))
            #expect(try await dispatcher.wait { broker.calls.contains { $0.event == "cancelled" } })
            let late = try await dispatcher.callBack(broker, TestDispatcher.callBack(due))
            #expect(late.status == .conflict)
            #expect(try await dispatcher.json(late)["code"] == .string("invoice-cancelled"))
            try await dispatcher.pass(days: 60)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.invoices(of: account).count == 1)
        }
    }

    @Test(
        "PAY-01b ACC-12e: of who is erased what is due is cancelled, and what was paid is kept as an accounting record")
    func erased() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            let paid = try #require(try await dispatcher.invoices(of: account).first)
            #expect(try await dispatcher.callBack(broker, TestDispatcher.callBack(paid)).status == .ok)
            try await dispatcher.pass(days: 30)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.invoices(of: account).count == 2)
            let id = try await dispatcher.capabilities.erasures.erase(account, at: .now(), in: dispatcher.database)
            let items = try await ErasureFollower.items(of: id, in: dispatcher.database)
            #expect(items["invoices"]?.count == 2 && items["invoices"]?.ground == .accountingRecord)
            let states = try await dispatcher.database.query(
                "select state from invoice where account = \(account) order by created_at", as: String.self)
            #expect(states == ["paid", "cancelled"])
            let left = try await dispatcher.database.queryOne("select count(*) from subscription", as: Int.self)
            #expect(left == 0)
        }
    }

    @Test("PAY-01a: the price is whole hundredths of a currency that has them, and there are two to four weeks to pay")
    func settings() throws {
        func decoded(_ text: String) throws -> SubscriptionSettings {
            let broker = #""broker": {"url": "https://x.example", "secret_file": "a", "call_back_secret_file": "b"}"#
            return try JSONDecoder(unknownKeys: .refuse).decode(
                SubscriptionSettings.self, from: Array("{\(text), \(broker)}".utf8))
        }
        let good = try decoded(#""currency": "EUR", "month": 900"#)
        #expect(good.price == Price(amount: 900, currency: "EUR") && good.dueDays == 30)
        for bad in [
            #""currency": "EUR""#, #""currency": "JPY", "month": 900"#, #""currency": "EUR", "month": 0"#,
            #""currency": "EUR", "month": 9.5"#, #""currency": "EUR", "month": 900, "due_days": 7"#,
            #""currency": "EUR", "month": 900, "due_days": 31"#, #""currency": "EUR", "month": 900, "year": 9000"#,
        ] {
            #expect(throws: JSONError.self, "\(bad)") { try decoded(bad) }
        }
    }
}
